// The size of a picture, as its header declares it.

/// Width and height in pixels.
package struct ImageSize: Equatable, Sendable {
    package var width: Int
    package var height: Int
    /// What a decoder has to lay out, where that is more than the picture shows.
    package var extent: (width: Int, height: Int)

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
        extent = (width, height)
    }

    /// Takes in a part that may reach beyond the picture.
    mutating func include(right: Int, bottom: Int) {
        extent = (max(extent.width, right), max(extent.height, bottom))
    }

    package static func == (left: ImageSize, right: ImageSize) -> Bool {
        left.width == right.width && left.height == right.height && left.extent == right.extent
    }
}
