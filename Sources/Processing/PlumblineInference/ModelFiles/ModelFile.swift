import PlumblineIO

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A model file whose bytes are in memory.
///
/// It is read once, so that what was checked and what is run are the same bytes.
public struct ModelFile: Sendable {
  /// The most bytes that are read; Depth Pro in half floats has 1.9 GB.
  package static let maximumByteCount = 4 << 30

  /// The last part of the path, as it may be shown.
  public let name: String
  /// The whole file.
  public let bytes: [UInt8]

  /// Wraps bytes.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// Reads a regular file whole.
  ///
  /// - Throws: `.notInstalled` where there is none, `.failed` where it cannot be read, `.malformed` over
  ///   ``maximumByteCount``.
  public init(path: String) throws(InferenceError) {
    let name = printable(text: lastPathPart(path))
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let number = errno
      throw InferenceError(
        number == ENOENT || number == ENOTDIR ? .notInstalled : .failed, name,
        expected: "a file that can be read", found: Self.reason(number))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw InferenceError(
        .malformed, name, expected: "a file", found: "a folder, a pipe or a device")
    }
    FilesRead.current?.insert(descriptor: descriptor)
    let size = Int(status.st_size)
    guard size <= Self.maximumByteCount else {
      throw InferenceError(
        .malformed, name, expected: "at most \(Self.maximumByteCount) bytes", found: "\(size)")
    }
    var problem: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if got < 0 && errno == EINTR { continue }
        if got < 0 { problem = errno }
        // A file that shrinks while it is read ends early; its reader then says where.
        if got <= 0 { break }
        count += got
      }
    }
    guard problem == 0 else {
      throw InferenceError(
        .failed, name, expected: "a file that can be read", found: Self.reason(problem))
    }
    self.init(name: name, bytes: bytes)
  }

  /// Whether there is a regular file of that name.
  static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether everybody may change a file or a folder.
  static func isWritableByOthers(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IWOTH != 0
  }

  private static func reason(_ number: Int32) -> String {
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }
}

/// Which kind of model file something is, by its content.
public enum ModelFormat: String, Sendable, CaseIterable {
  /// ONNX.
  case onnx
  /// TensorFlow Lite.
  case tflite
  /// Core ML, as a `.mlmodel`; known, but not run here before it is converted.
  case coreML
  /// An array of NumPy, such as the weights of FCRN's authors; known as such only.
  case npy

  /// The end of such a file's name.
  package var fileExtension: String {
    switch self {
    case .onnx: "onnx"
    case .tflite: "tflite"
    case .coreML: "mlmodel"
    case .npy: "npy"
    }
  }
}

extension ModelFile {
  /// Which kind of file it is.
  ///
  /// - Throws: `.unsupported` for other known kinds, `.malformed` for anything else.
  public func format() throws(InferenceError) -> ModelFormat {
    if TFLiteModel.recognizes(bytes) { return .tflite }
    if bytes.starts(with: [0x93] + Array("NUMPY".utf8)) { return .npy }
    if let other = otherFormat {
      throw InferenceError(
        .unsupported, name, expected: "an ONNX or TFLite model", found: other)
    }
    var reader = ProtobufReader(bytes[...])
    var hasGraph = false
    do throws(InferenceError) {
      while let field = try reader.next() {
        if case .bytes = field.value {
          if field.number == 7 { hasGraph = true }
          // The model types of Core ML have numbers from 200 on.
          if (200...3000).contains(field.number) { return .coreML }
        }
      }
    } catch {
      throw InferenceError(
        .malformed, name, expected: "an ONNX or TFLite model",
        found: "another file or a damaged one (\(error.description))")
    }
    guard hasGraph else {
      throw InferenceError(
        .malformed, name, expected: "an ONNX or TFLite model", found: "another file")
    }
    return .onnx
  }

  private var otherFormat: String? {
    let marks: [([UInt8], String)] = [
      (Array("PK\u{3}\u{4}".utf8), "a ZIP archive, as PyTorch and .mlpackage are"),
      ([0x89] + Array("HDF".utf8), "HDF5, as Keras writes it"),
      (Array("GGUF".utf8), "GGUF"), ([0x80, 0x02], "a pickle, as PyTorch writes it"),
      ([0x80, 0x04], "a pickle"), (Array("<?xml".utf8), "XML, as OpenVINO's own files are"),
      (Array("<!DOCTYPE".utf8), "a page of HTML"), (Array("<!doctype".utf8), "a page of HTML"),
      (Array("<html".utf8), "a page of HTML"),
      (Array("version https://git-lfs".utf8), "a pointer of Git LFS in place of the file"),
    ]
    return bytes.isEmpty
      ? "an empty file" : marks.first { bytes.starts(with: $0.0) }.map { "\($0.1)" }
  }

  /// Checks the structure of a file that a runtime is to be given.
  ///
  /// - Throws: `.malformed` or `.unsupported` with the position.
  public func check() throws(InferenceError) {
    do throws(InferenceError) {
      switch try format() {
      case .onnx: _ = try ONNXModel(bytes)
      case .tflite: _ = try TFLiteModel(bytes)
      case .coreML: throw Self.unconverted("a Core ML network")
      case .npy: throw Self.unconverted("an array of NumPy, such as FCRN's weights")
      }
    } catch {
      throw error.subject.hasPrefix(name) ? error : error.inside(name)
    }
  }

  private static func unconverted(_ kind: String) -> InferenceError {
    InferenceError(
      .unsupported, "", expected: "an ONNX or TFLite model",
      found: "\(kind), which this runtime does not read; convert it to ONNX", need: .conversion)
  }
}
