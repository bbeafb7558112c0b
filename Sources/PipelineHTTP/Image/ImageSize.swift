// The size of a picture, as its header declares it.

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

    package static func == (left: ImageSize, right: ImageSize) -> Bool {
        left.width == right.width && left.height == right.height && left.extent == right.extent
    }
}
