public import PlumblineModel

/// What must be known of a network to feed it a photo and to read its output: depth, or what is in front.
///
/// As JSON it is described in `Documentation/models.md`.
public struct ModelCard: Sendable, Hashable {
  /// The order of an image's dimensions in the input.
  public enum Layout: String, Sendable, CaseIterable {
    /// Batch, channels, rows, columns.
    case nchw
    /// Batch, rows, columns, channels.
    case nhwc
  }

  /// The order of the color channels.
  package enum Channels: String, Sendable, CaseIterable {
    /// Red first.
    case rgb
    /// Blue first.
    case bgr
  }

  /// The ways to fit an image of another shape into the input.
  ///
  /// - Source: the names and meanings of Apple, *VNImageCropAndScaleOption*.
  public enum Placement: String, Sendable, CaseIterable {
    /// Stretched to fill; the whole image is seen and its shape is not kept.
    case scaleFill
    /// Scaled to fit inside, with a border in the mean color; the whole image is seen.
    case scaleFit
    /// The middle of the image, scaled; the rest is not seen.
    case centerCrop
  }

  /// The meanings of the output's numbers.
  public enum OutputMeaning: String, Sendable, CaseIterable {
    /// Depth in meters along the optical axis, as estimated.
    case meters
    /// The reciprocal of depth, in 1/m, as estimated.
    case inverseMeters
    /// `1/z = a·value + b` with both unknown.
    case relativeInverse
    /// `z = a·value + b` with both unknown.
    case relativeDepth
    /// A point for each pixel, in the axes of a camera (*x* right, *y* down, *z* forward) up to one shift
    /// along *z*, which is found from the perspective; times ``scaleOutputName`` it is in meters.
    case affinePoints
    /// How likely each pixel is foreground, 0 to 1.
    case foregroundProbability
    /// The logarithm of the odds that a pixel is foreground.
    case foregroundLogit
    /// A score for each class; the softmax of all is how likely each is. ``ModelCard/foregroundClasses`` are
    /// the foreground.
    case classScores

    /// What a network of this meaning is for.
    public var kind: Kind {
      switch self {
      case .meters, .inverseMeters, .relativeInverse, .relativeDepth, .affinePoints: .depth
      case .foregroundProbability, .foregroundLogit, .classScores: .segmentation
      }
    }
  }

  /// What a network is for.
  public enum Kind: String, Sendable, CaseIterable {
    /// It estimates depth.
    case depth
    /// It says which pixels are foreground, such as a person.
    case segmentation
  }

  /// An input beside the image that gets the same number in every run.
  public struct ConstantInput: Sendable, Hashable {
    /// The name of the input.
    public var name: String
    /// The number, which the runtime converts to the input's type.
    public var value: Double
    /// The shape of the input; its product is 1.
    public var shape: [Int]

    /// Creates it from its parts.
    ///
    /// - Precondition: All lengths are 1.
    package init(name: String, value: Double, shape: [Int] = []) {
      precondition(shape.allSatisfy { $0 == 1 }, "one number has lengths of 1")
      self.name = name
      self.value = value
      self.shape = shape
    }
  }

  /// The short name that `--network` takes, such as `fastdepth-nyu`.
  public var name: String
  /// The name in full, with what it was trained on.
  public var title: String
  /// The license of the weights, as SPDX where there is one.
  public var license: String
  /// The origin of the weights.
  public var origin: String
  /// The size of the input image.
  public var inputSize: RasterSize
  /// The order of the input's dimensions.
  public var layout: Layout
  /// The order of the input's channels.
  package var channels: Channels
  /// The factor by which each channel is multiplied first, such as 1/255 for levels of 0…255.
  public var factor: Double
  /// The number that is then subtracted from each channel, in the order of ``channels``.
  public var mean: SIMD3<Double>
  /// The number by which each channel is then divided, in the order of ``channels``.
  public var deviation: SIMD3<Double>
  /// The inputs that follow the image, in the order in which the network takes them.
  public var constants: [ConstantInput] = []
  /// How an image is brought into the input, unless the user says otherwise.
  public var placement: Placement
  /// The meaning of the output.
  public var outputMeaning: OutputMeaning
  /// The name of the output; `nil` for the first.
  public var outputName: String?
  /// The focal length that the model's meters assume, in pixels of its input.
  ///
  /// `nil` if the model assumes none. If the training stretched its images, it is the geometric mean of
  /// both axes. For a photo with another focal length, the meters are scaled by the ratio of the two.
  public var assumedFocalPixels: Double?
  /// The name of the output with the focal length that the model estimated for the photo.
  ///
  /// It is one number, in pixels of the input's width, as from Depth Pro; `nil` for models without it.
  public var focalOutputName: String?
  /// The name of the output that is above ½ where the first output means something; `nil` for none.
  public var maskOutputName: String?
  /// The name of the output with the number that makes meters of the points of
  /// ``OutputMeaning/affinePoints``; `nil` for other outputs.
  public var scaleOutputName: String?
  /// The indices of the classes that are foreground, of ``OutputMeaning/classScores``; empty for others.
  public var foregroundClasses: [Int] = []
  /// How far its meters were off on test data, as published; `nil` where unknown or not in meters.
  public var publishedError: PublishedError?

  /// Creates a card with the common input: RGB, 0…1, stretched.
  public init(
    name: String, title: String, license: String, origin: String, inputSize: RasterSize,
    layout: Layout, outputMeaning: OutputMeaning
  ) {
    self.name = name
    self.title = title
    self.license = license
    self.origin = origin
    self.inputSize = inputSize
    self.layout = layout
    self.channels = .rgb
    self.factor = 1.0 / 255
    self.mean = .zero
    self.deviation = SIMD3(repeating: 1)
    self.placement = .scaleFill
    self.outputMeaning = outputMeaning
  }
}

extension ModelCard {
  /// Compares the inputs and outputs of a network with the card.
  ///
  /// - Throws: `.mismatch`.
  public func check(_ network: any NeuralNetwork) throws(InferenceError) {
    let shapes = inputShapes
    guard network.inputs.count == shapes.count,
      zip(network.inputs, shapes).allSatisfy({ $0.allows($1) }),
      zip(network.inputs.dropFirst(), constants).allSatisfy({ $0.name == $1.name })
    else {
      let constant = constants.map { " and \($0.name)" }.joined()
      throw InferenceError(
        .mismatch, name,
        expected:
          "one input of \(TensorDescription(name: "", shape: inputShape).shapeText)\(constant), "
          + "as the card says",
        found: network.inputs.map { "\($0.name) of \($0.shapeText)" }.joined(separator: " and "))
    }
    _ = try outputIndex(in: network)
    for wanted in [focalOutputName, maskOutputName, scaleOutputName].compactMap(\.self)
    where !network.outputs.contains(where: { $0.name == wanted }) {
      throw noOutput(wanted, in: network)
    }
  }

  /// The index of the output that holds depth.
  ///
  /// - Throws: `.mismatch` where there is none of the card's name.
  package func outputIndex(in network: any NeuralNetwork) throws(InferenceError) -> Int {
    guard let outputName else {
      guard !network.outputs.isEmpty else { throw noOutput("", in: network) }
      return 0
    }
    guard let index = network.outputs.firstIndex(where: { $0.name == outputName }) else {
      throw noOutput(outputName, in: network)
    }
    return index
  }

  private func noOutput(_ wanted: String, in network: any NeuralNetwork) -> InferenceError {
    InferenceError(
      .mismatch, name, expected: "an output \(wanted), as the card says",
      found: network.outputs.isEmpty ? "none" : network.outputs.map(\.name).joined(separator: ", "))
  }
}

extension ModelCard {
  /// The shapes of all inputs, the image's first.
  package var inputShapes: [[Int]] { [inputShape] + constants.map(\.shape) }

  /// The shape of the input tensor for one image.
  package var inputShape: [Int] {
    switch layout {
    case .nchw: [1, 3, inputSize.height, inputSize.width]
    case .nhwc: [1, inputSize.height, inputSize.width, 3]
    }
  }
}

extension ModelCard {
  /// No network takes a larger image; it bounds what is allocated for a card's word.
  private static let mostPixels = 1 << 26

  /// Checks that an image of the input's size can be made.
  ///
  /// - Throws: `.mismatch`.
  func checkInputSize() throws(InferenceError) {
    let size = inputSize
    guard size.width > 0, size.height > 0, size.pixelCount <= Self.mostPixels else {
      throw InferenceError(
        .mismatch, name, expected: "an input of 1 to \(Self.mostPixels) pixels", found: "\(size)")
    }
  }

  /// Checks what the network is for.
  ///
  /// - Throws: `.mismatch`.
  package func require(_ kind: Kind) throws(InferenceError) {
    guard outputMeaning.kind == kind else {
      throw InferenceError(
        .mismatch, name, expected: "a network for \(kind.rawValue)",
        found: "one for \(outputMeaning.kind.rawValue), which gives \(outputMeaning.rawValue)")
    }
  }
}
