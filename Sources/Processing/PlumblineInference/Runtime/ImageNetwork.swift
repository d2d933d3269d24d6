public import PlumblineModel

/// A network whose input is an image: red, green and blue as codes from 0 to 255.
///
/// Its only input is described as 1 × 3 × rows × columns, and what brings codes to the numbers that the
/// network computes with is a part of the model itself.
public protocol ImageNetwork: NeuralNetwork {
  /// Who brings images to the size of the input.
  var scaling: ImageScaling { get }

  /// Runs the network on an image of any size, which is stretched to fill the input when it is upright.
  ///
  /// - Parameters:
  ///   - image: The image as stored.
  ///   - orientation: How it is turned to be upright.
  /// - Returns: One tensor for each output, of the upright image.
  /// - Throws: As ``NeuralNetwork/run(_:)``.
  func run(
    on image: Raster<RGB8>, orientation: ImageOrientation
  ) throws(InferenceError) -> [Tensor]
}

extension ModelCard {
  /// Whether the card leaves codes as they are, as a network whose input is an image needs it.
  package var keepsImageCodes: Bool {
    layout == .nchw && channels == .rgb && factor == 1 && mean == .zero
      && deviation == SIMD3(repeating: 1)
  }

  /// Compares the card with a network that takes an image.
  ///
  /// - Throws: `.mismatch` where the card changes codes, which the model does itself.
  func checkImageCodes(of network: any NeuralNetwork) throws(InferenceError) {
    guard network is any ImageNetwork, !keepsImageCodes else { return }
    throw InferenceError(
      .mismatch, name,
      expected:
        "a card with layout nchw, channels rgb, factor 1, mean 0 and deviation 1, since the "
        + "model takes an image and scales its codes itself",
      found: "layout \(layout.rawValue), channels \(channels.rawValue), factor \(factor), mean "
        + "\(mean.x), \(mean.y), \(mean.z), deviation \(deviation.x), \(deviation.y), \(deviation.z)"
    )
  }
}
