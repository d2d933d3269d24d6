public import PlumblineModel

/// An image with marks on it.
public struct PhotoFigure: Sendable {
  /// The image as a baseline JPEG.
  public var jpeg: [UInt8]
  /// The size of the image that the marks belong to, which may be larger than the image.
  public var imageSize: RasterSize
  /// The marks, in pixels of the image; the center of the first pixel is (0, 0).
  public var marks: [SIMD2<Double>]

  /// Creates a figure.
  public init(jpeg: [UInt8], imageSize: RasterSize, marks: [SIMD2<Double>]) {
    self.jpeg = jpeg
    self.imageSize = imageSize
    self.marks = marks
  }

  /// The drawing.
  func markup(label: String) -> String {
    let width = 416.0
    let height = min(600, width / max(imageSize.aspectRatio, 0.1))
    var canvas = SVGCanvas(width: 440, height: height + 24)
    canvas.image(jpeg: jpeg, [12, 12], [width, height])
    let scale = SIMD2(width / Double(imageSize.width), height / Double(imageSize.height))
    for mark in marks { canvas.dot(SIMD2(12, 12) + (mark + 0.5) * scale, radius: 3.2, "mark") }
    return canvas.markup(label: label)
  }
}
