package import PlumblineModel

/// Where an image lies in a model's input: which part of it is seen, and which part of the input it
/// fills.
///
/// Both are rectangles of whole pixels, so that the scale is exact: pixel centers are matched by
/// `c' = (c + ½)·s − ½`. The model sees the image upright; the image itself stays as stored.
package struct InputPlacement: Sendable, Hashable {
  /// The size of the image as stored.
  package let imageSize: RasterSize
  /// The orientation of the image: the turn that makes it upright.
  package let orientation: ImageOrientation
  /// The size of the model's input.
  package let inputSize: RasterSize
  /// The part of the stored image that the model sees.
  package let seen: PixelRectangle
  /// The part of the input that the image fills; the rest is border.
  package let filled: PixelRectangle

  /// Places an image.
  ///
  /// - Parameters:
  ///   - placement: How another shape is dealt with.
  ///   - imageSize: The image as stored.
  ///   - orientation: How it is turned to be upright.
  ///   - inputSize: The model's input.
  /// - Throws: `.missing` for an image or an input without pixels.
  package init(
    _ placement: ModelCard.Placement, of imageSize: RasterSize, orientation: ImageOrientation,
    in inputSize: RasterSize
  ) throws(EstimationError) {
    guard imageSize.pixelCount > 0, inputSize.pixelCount > 0 else {
      throw EstimationError(
        .missing, expected: "an image and an input with pixels",
        found: "\(imageSize) and \(inputSize)")
    }
    let upright = orientation.uprightSize(of: imageSize)
    var seen = PixelRectangle(x: 0, y: 0, width: upright.width, height: upright.height)
    var filled = PixelRectangle(x: 0, y: 0, width: inputSize.width, height: inputSize.height)
    switch placement {
    case .scaleFill: break
    case .centerCrop: seen = Self.middle(of: upright, shapedAs: inputSize)
    case .scaleFit: filled = Self.middle(of: inputSize, shapedAs: upright)
    }
    self.imageSize = imageSize
    self.orientation = orientation
    self.inputSize = inputSize
    self.seen = seen.oriented(by: orientation.inverse, in: upright)
    self.filled = filled
  }

  /// The largest rectangle of another size's shape in the middle of a size, to whole pixels.
  private static func middle(of size: RasterSize, shapedAs other: RasterSize) -> PixelRectangle {
    let scale = min(
      Double(size.width) / Double(other.width), Double(size.height) / Double(other.height))
    let width = min(max(Int((Double(other.width) * scale).rounded()), 1), size.width)
    let height = min(max(Int((Double(other.height) * scale).rounded()), 1), size.height)
    return PixelRectangle(
      x: (size.width - width) / 2, y: (size.height - height) / 2, width: width, height: height)
  }

  /// The seen part when it is upright, in pixels.
  var uprightSeenSize: RasterSize { orientation.uprightSize(of: seen.size) }

  /// The filled part turned as the image is stored, in pixels.
  var storedFilledSize: RasterSize { orientation.inverse.uprightSize(of: filled.size) }

  /// Pixels of the input for each pixel of the upright image, along its columns and rows.
  package var scale: SIMD2<Double> {
    let seen = uprightSeenSize
    return SIMD2(
      Double(filled.size.width) / Double(seen.width),
      Double(filled.size.height) / Double(seen.height))
  }

  /// The focal lengths of the image's camera in pixels of the input, along its columns and rows.
  ///
  /// - Parameter camera: The camera of the image as stored, at any size of its shape.
  /// - Returns: Two focal lengths; they differ where the placement stretches.
  /// - Precondition: The camera's shape is the image's.
  package func inputFocalLengthPixels(of camera: PinholeIntrinsics) -> SIMD2<Double> {
    let stored = camera.scaled(to: imageSize).focalLength
    return (orientation.swapsAxes ? SIMD2(stored.y, stored.x) : stored) * scale
  }
}
