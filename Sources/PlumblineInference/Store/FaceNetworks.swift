/// The three networks of MediaPipe's Face Landmarker, ready to run.
public struct FaceNetworks: Sendable {
  /// From 1×128×128×3 to 896 boxes with six points each, and their scores.
  public let detector: any NeuralNetwork
  /// From 1×256×256×3 to 478 landmarks, and how sure it is that there is a face.
  public let landmarks: any NeuralNetwork
  /// From 1×146×2 to 52 scores of an expression.
  public let blendshapes: any NeuralNetwork

  /// The part of the bundle with the detector.
  static let detectorPart = "face_detector.tflite"
  /// The part of the bundle with the landmarks.
  static let landmarksPart = "face_landmarks_detector.tflite"
  /// The part of the bundle with the expression.
  static let blendshapesPart = "face_blendshapes.tflite"

  /// Takes three networks and checks what goes in and comes out.
  ///
  /// - Throws: `.mismatch` for another input, or outputs that do not have the expected count of numbers.
  public init(
    detector: any NeuralNetwork, landmarks: any NeuralNetwork, blendshapes: any NeuralNetwork
  ) throws(InferenceError) {
    try Self.check(detector, Self.detectorPart, [1, 128, 128, 3], [896 * 16, 896])
    try Self.check(landmarks, Self.landmarksPart, [1, 256, 256, 3], [478 * 3, 1])
    try Self.check(blendshapes, Self.blendshapesPart, [1, 146, 2], [52])
    self.detector = detector
    self.landmarks = landmarks
    self.blendshapes = blendshapes
  }

  /// The first outputs must have these counts; what follows them is not read.
  private static func check(
    _ network: any NeuralNetwork, _ name: String, _ input: [Int], _ counts: [Int]
  ) throws(InferenceError) {
    guard network.inputs.count == 1, network.inputs[0].fixedShape == input else {
      throw InferenceError(
        .mismatch, name, expected: "one input of \(input)",
        found: network.inputs.map(\.shapeText).joined(separator: ", "))
    }
    let found = network.outputs.map { $0.fixedShape?.countOfElements(atMost: 1 << 24) }
    guard found.starts(with: counts) else {
      throw InferenceError(
        .mismatch, name, expected: "outputs of \(counts) numbers",
        found: network.outputs.map(\.shapeText).joined(separator: ", "))
    }
  }
}

#if canImport(COpenVINO)
  extension FaceNetworks {
    /// Loads the networks of a bundle.
    ///
    /// - Parameters:
    ///   - bundle: What `face_landmarker.task` holds.
    ///   - runtime: What runs them.
    ///   - threads: How many threads a run may use; one is fastest for networks this small.
    /// - Throws: ``InferenceError``. Cost: some 0.2 s.
    public init(
      _ bundle: ModelBundle, runtime: any ModelFileRuntime, threads: Int = 1
    ) throws(InferenceError) {
      func network(_ part: String, _ shape: [Int]) throws(InferenceError) -> any NeuralNetwork {
        try runtime.network(bundle.network(named: part), inputShapes: [shape], threads: threads)
      }
      try self.init(
        detector: network(Self.detectorPart, [1, 128, 128, 3]),
        landmarks: network(Self.landmarksPart, [1, 256, 256, 3]),
        blendshapes: network(Self.blendshapesPart, [1, 146, 2]))
    }
  }
#endif
