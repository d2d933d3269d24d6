import PlumblineIO
package import PlumblineModel

/// A network and its card: from an image to what of it is in front.
package struct ForegroundSegmenter: Sendable {
  /// The model card.
  package let card: ModelCard
  /// The SHA-256 of the model file, hexadecimal; `nil` where there is none.
  package let checksum: String?
  /// The runtime that runs the network, with its version; `nil` where it is not known.
  package let runtime: RuntimeDescription?
  private let network: any NeuralNetwork
  private let outputIndex: Int

  /// Checks that a network does what its card says.
  ///
  /// - Parameters:
  ///   - network: The network, ready to run.
  ///   - card: What is known of it.
  ///   - checksum: The SHA-256 of its file.
  ///   - runtime: What runs it.
  /// - Throws: `.mismatch` for an input or an output that is not the card's, and for a network of another
  ///   kind.
  package init(
    _ network: any NeuralNetwork, card: ModelCard, checksum: String? = nil,
    runtime: RuntimeDescription? = nil
  ) throws(InferenceError) {
    try card.require(.segmentation)
    try card.check(network)
    try card.checkImageCodes(of: network)
    try card.checkInputSize()
    outputIndex = try card.outputIndex(in: network)
    self.network = network
    self.card = card
    self.checksum = checksum
    self.runtime = runtime
  }

  /// Says what of an image is in front.
  ///
  /// - Parameters:
  ///   - image: The image as stored.
  ///   - orientation: How it is turned to be upright.
  /// - Returns: The likelihoods, on the image's own grid.
  /// - Throws: ``InferenceError`` where the network cannot be run, or gives other than its card says; the
  ///   latter names the network. Cost: that of the network, and O(*n*) of the image.
  package func likelihood(
    of image: Raster<RGB8>, orientation: ImageOrientation
  ) throws(InferenceError) -> ForegroundLikelihood {
    let placement: InputPlacement
    do throws(EstimationError) {
      placement = try InputPlacement(
        card.placement, of: image.size, orientation: orientation, in: card.inputSize)
    } catch { throw mismatch(error) }
    let constants = card.constants.map { Tensor(shape: $0.shape, values: [Float($0.value)]) }
    let outputs = try network.run([InputImage(card, placement).tensor(of: image)] + constants)
    guard outputs.indices.contains(outputIndex) else {
      throw InferenceError(
        .mismatch, card.name, expected: "\(outputIndex + 1) outputs", found: "\(outputs.count)")
    }
    do throws(EstimationError) {
      return try ForegroundLikelihood(outputs[outputIndex], card: card, placement: placement)
    } catch { throw mismatch(error) }
  }

  private func mismatch(_ error: EstimationError) -> InferenceError {
    InferenceError(.mismatch, card.name, expected: error.expected, found: error.found)
  }
}
