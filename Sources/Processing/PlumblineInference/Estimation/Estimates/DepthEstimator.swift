public import PlumblineModel

/// A network and its card: from an image to a depth estimate.
///
/// ```swift
/// let estimator = try DepthEstimator(network, card: card)
/// let estimate = try estimator.estimate(of: image, camera: PhotoCamera(calibration))
/// ```
public struct DepthEstimator: Sendable {
  /// The model card.
  public let card: ModelCard
  /// The SHA-256 of the model file, hexadecimal; `nil` where there is none.
  public let checksum: String?
  /// The runtime that runs the network, with its version; `nil` where it is not known.
  package var runtime: RuntimeDescription?
  /// The way to fit an image into the input; the card's by default.
  public var placement: ModelCard.Placement
  private let network: any NeuralNetwork
  private let outputIndex: Int
  private let focalIndex: Int?

  /// Checks that a network does what its card says.
  ///
  /// - Parameters:
  ///   - network: The network, ready to run.
  ///   - card: What is known of it.
  ///   - checksum: The SHA-256 of its file.
  /// - Throws: `.mismatch` for an input or an output that is not the card's, and for a network that does not
  ///   estimate depth.
  public init(
    _ network: any NeuralNetwork, card: ModelCard, checksum: String? = nil
  ) throws(InferenceError) {
    try card.require(.depth)
    try card.check(network)
    try card.checkImageCodes(of: network)
    try card.checkInputSize()
    outputIndex = try card.outputIndex(in: network)
    focalIndex = card.focalOutputName.flatMap { name in
      network.outputs.firstIndex { $0.name == name }
    }
    self.network = network
    self.card = card
    self.checksum = checksum
    placement = card.placement
  }

  /// Estimates the depth of one image.
  ///
  /// - Parameters:
  ///   - image: The image as stored.
  ///   - orientation: How it is turned to be upright.
  ///   - camera: Its camera, as far as known.
  /// - Returns: The estimate, on the image's own grid.
  /// - Throws: ``InferenceError`` where the network cannot be run, ``EstimationError`` for an image
  ///   without pixels and an output that means nothing. Cost: that of the network, and O(*n*) of the
  ///   image.
  public func estimate(
    of image: Raster<RGB8>, orientation: ImageOrientation = .up,
    camera: PhotoCamera = PhotoCamera(nil)
  ) throws -> DepthEstimate {
    let placement = try InputPlacement(
      placement, of: image.size, orientation: orientation, in: card.inputSize)
    let outputs: [Tensor]
    // Of the ways to fit an image only one is the same everywhere to the last pixel: to fill the input.
    if let imageNetwork = network as? any ImageNetwork, imageNetwork.scaling == .system,
      self.placement == .scaleFill
    {
      outputs = try imageNetwork.run(on: image, orientation: orientation)
    } else {
      let constants = card.constants.map {
        Tensor(shape: $0.shape, values: [Float($0.value)])
      }
      outputs = try network.run([InputImage(card, placement).tensor(of: image)] + constants)
    }
    guard outputs.indices.contains(outputIndex) else {
      throw EstimationError(
        .mismatch, expected: "\(outputIndex + 1) outputs", found: "\(outputs.count)")
    }
    let mask = output(card.maskOutputName, of: outputs)
    guard card.outputMeaning != .affinePoints else {
      return try estimate(points: outputs[outputIndex], mask, outputs, placement, camera)
    }
    // A model that estimates the focal length assumes what it estimated.
    let own = focalIndex.flatMap { outputs.indices.contains($0) ? outputs[$0].values.first : nil }
    return try DepthEstimate.read(
      mask.map { try outputs[outputIndex].masked(by: $0) } ?? outputs[outputIndex],
      meaning: card.outputMeaning, placement: placement, camera: camera,
      assumedFocalPixels: own.map { Double($0) } ?? card.assumedFocalPixels,
      maskedCount: mask?.values.count { !($0 > 0.5) } ?? 0)
  }

  /// The estimate of a network that gives points.
  private func estimate(
    points: Tensor, _ mask: Tensor?, _ outputs: [Tensor], _ placement: InputPlacement,
    _ camera: PhotoCamera
  ) throws -> DepthEstimate {
    let map = try PointMap(
      points, mask: mask, scale: output(card.scaleOutputName, of: outputs), placement: placement)
    var known: SIMD2<Double>?
    if let intrinsics = camera.calibration?.intrinsics,
      intrinsics.matchesAspect(of: placement.imageSize)
    {
      known = placement.inputFocalLengthPixels(of: intrinsics)
    }
    let solved = try map.solved(focalLengthPixels: known)
    return try DepthEstimate.read(
      map.meters(solved), meaning: .meters, placement: placement, camera: camera,
      assumedFocalPixels: known == nil ? solved.focalLengthPixels : nil,
      maskedCount: map.maskedCount)
  }

  /// The output of a name; `nil` for no name.
  private func output(_ name: String?, of outputs: [Tensor]) -> Tensor? {
    guard let name, let index = network.outputs.firstIndex(where: { $0.name == name }),
      outputs.indices.contains(index)
    else { return nil }
    return outputs[index]
  }
}

/// An error when depth cannot be estimated, fitted or evaluated.
public struct EstimationError: Error, Sendable, Hashable {
  /// The kind of failure, by who can act on it.
  public enum Reason: String, Sendable, CaseIterable {
    /// The needed data are missing, such as an image.
    case missing
    /// The focal length of the photo is not known; a calibration gives it.
    case cameraUnknown
    /// Numbers belong to an image of another shape.
    case mismatch
    /// The numbers determine nothing, such as an output of one value.
    case degenerate
  }

  /// The kind of failure, by who can act on it.
  public var reason: Reason
  /// What was expected.
  public var expected: String
  /// What was found.
  public var found: String

  /// Creates an error from its parts.
  package init(_ reason: Reason, expected: String, found: String) {
    self.reason = reason
    self.expected = expected
    self.found = found
  }
}

extension EstimationError: CustomStringConvertible {
  /// One sentence.
  public var description: String { "expected \(expected), found \(found)" }
}
