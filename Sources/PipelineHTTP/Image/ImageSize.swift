// The size of a picture, as a browser shows it.

/// Width and height in pixels.
package struct ImageSize: Equatable, Sendable {
    package var width: Int
    package var height: Int
    /// The area that a decoder has to allocate, if it is larger than the picture.
    package var extent: (width: Int, height: Int)

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
        extent = (width, height)
    }

    /// Includes a part that may extend past the picture.
    mutating func include(right: Int, bottom: Int) {
        extent = (max(extent.width, right), max(extent.height, bottom))
    }

    /// Upright, where EXIF's orientation is 5 or more: those turn it by a quarter.
    func turned(_ orientation: Int) -> ImageSize {
        orientation < 5 ? self : ImageSize(width: height, height: width)
    }

    /// Whether a decoder has something to allocate, and no more than the limit.
    func isAllowed(_ pixelLimit: Int) -> Bool {
        let (pixels, overflow) = extent.width.multipliedReportingOverflow(by: extent.height)
        return !overflow && width > 0 && height > 0 && pixels <= pixelLimit
    }

    package static func == (left: ImageSize, right: ImageSize) -> Bool {
        left.width == right.width && left.height == right.height && left.extent == right.extent
    }
}
