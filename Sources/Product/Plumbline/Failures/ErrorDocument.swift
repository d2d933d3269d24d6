import PlumblineCorrection
import PlumblineEffects
import PlumblineExport
import PlumblineFaces
import PlumblineGeometry
public import PlumblineIO
import PlumblineImages
import PlumblineInference
import PlumblineStereo
import PlumblineStreams
import PlumblineVerification
import PlumblineVision

/// An error as a document for programs: `plumbline.error/1`, as `Documentation/cli.md` describes it.
///
/// A part that the error does not have is `nil`, and `null` in the document.
public struct ErrorDocument: Sendable, Hashable {
  /// The exit code of a command that the error ends; see ``FailureCategory/exitCode``.
  public var code: Int
  /// The file or folder that the error is about, as it was given; `nil` for wrong usage.
  public var file: String?
  /// The place in the file, outermost structure first, such as `meta/iloc (byte 231)`.
  public var place: String?
  /// What was expected there.
  public var expected: String?
  /// What was found there.
  public var found: String?
  /// The error in a sentence.
  public var message: String

  /// Describes any error; one that no part of Plumbline knows counts as a fault of the program.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - file: The path of the input; an error that names its own path keeps that one.
  public init(_ error: any Error, file: String? = nil) {
    let category = (error as? any CategorizedError)?.category ?? .programFault
    code = category.exitCode
    message = "\(error)"
    let parts = Self.parts(of: error)
    self.file = parts.file ?? file
    place = parts.place
    expected = parts.expected
    found = parts.found
  }

  /// Describes an error that is known by its sentence alone, such as wrong usage.
  ///
  /// - Parameters:
  ///   - category: Who can act on it.
  ///   - message: The sentence.
  ///   - file: The path of the input; `nil` for none.
  public init(_ category: FailureCategory, message: String, file: String? = nil) {
    code = category.exitCode
    self.message = message
    self.file = file
  }

  /// The document `plumbline.error/1`.
  public var json: JSONValue {
    .object([
      ("schema", "plumbline.error/1"), ("code", .integer(code)), ("file", .string(file)),
      ("place", .string(place)), ("expected", .string(expected)), ("found", .string(found)),
      ("message", .string(message)),
    ])
  }
}

extension ErrorDocument {
  /// What an error says in parts of its own.
  private struct Parts {
    var file: String?
    var place: String?
    var expected: String?
    var found: String?

    init(
      file: String? = nil, place: String? = nil, expected: String? = nil, found: String? = nil
    ) {
      self.file = file
      self.place = place
      self.expected = expected
      self.found = found
    }

    /// A path of structures and an offset as one place; `nil` without either.
    init(path: [String], offset: Int?, expected: String, found: String) {
      let words = [
        path.isEmpty ? nil : path.joined(separator: "/"), offset.map { "byte \($0)" },
      ].compactMap { $0 }
      let place =
        words.count == 2 ? "\(words[0]) (\(words[1]))" : words.first
      self.init(place: place, expected: expected, found: found)
    }
  }

  private static func parts(of error: any Error) -> Parts {
    switch error {
    case let error as CaptureReadingError:
      Parts(path: error.path, offset: error.offset, expected: error.expected, found: error.found)
    case let error as JSONReadingError:
      Parts(path: error.path, offset: error.offset, expected: error.expected, found: error.found)
    case let error as CalibrationReadingError:
      Parts(path: error.path, offset: nil, expected: error.expected, found: error.found)
    case let error as CalibrationFileError: parts(of: error)
    case let error as FileError: parts(of: error)
    case let error as PosesFileError:
      Parts(
        file: error.path, place: error.place.isEmpty ? nil : error.place.joined(separator: "/"),
        expected: error.expected, found: error.found)
    case let error as InputError: parts(of: error)
    case let error as OutputError: Parts(file: error.path, found: error.detail)
    case let error as RecordingWritingError: parts(of: error)
    case let error as PhotoWritingError: parts(of: error)
    case let error as MCAPRecovery.Failure:
      switch error {
      case .reading(let error): parts(of: error)
      case .writing(let error): parts(of: error)
      }
    default: partsOfProcessing(error)
    }
  }

  private static func parts(of error: CalibrationFileError) -> Parts {
    var parts = parts(of: error.error)
    parts.file = error.path
    return parts
  }

  private static func parts(of error: FileError) -> Parts {
    var parts = parts(of: error.error)
    parts.file = error.path
    return parts
  }

  private static func parts(of error: InputError) -> Parts {
    switch error {
    case .notFound(let path): Parts(file: path, expected: "a file", found: "none")
    case .notAFile(let path, let kind): Parts(file: path, expected: "a file", found: kind)
    case .notARecording(let path):
      Parts(file: path, expected: "a recording", found: "one file")
    case .notAFolder(let path):
      Parts(file: path, expected: "a folder of frames", found: "a file")
    case .unreadable(let path, let reason, _):
      Parts(file: path, expected: "a file that can be read", found: reason)
    case .tooLarge(let path, let bytes, let limit):
      Parts(file: path, expected: "at most \(limit) bytes", found: "\(bytes) bytes")
    case .unfinishedSet(let folder):
      Parts(
        file: folder, expected: "files that belong together",
        found: "a set that an interrupted run left half replaced")
    case .tooManyFiles(let path, let limit):
      Parts(file: path, expected: "at most \(limit) files", found: "more")
    }
  }

  private static func parts(of error: RecordingWritingError) -> Parts {
    switch error {
    case .unrepresentable(_, let frame, let expected, let found, _):
      Parts(place: frame.map { "frame \($0)" }, expected: expected, found: found)
    case .output(let path, let detail, _, _): Parts(file: path, found: detail)
    }
  }

  private static func parts(of error: PhotoWritingError) -> Parts {
    switch error {
    case .unreadable(let error): parts(of: error)
    case .unrepresentable(_, let place, let expected, let found):
      Parts(place: place, expected: expected, found: found)
    case .encoder: Parts()
    }
  }

  /// The parts of errors that computations throw.
  private static func partsOfProcessing(_ error: any Error) -> Parts {
    switch error {
    case let error as CorrectionError:
      Parts(place: error.step, expected: error.expected, found: error.found)
    case let error as EffectError:
      Parts(place: error.effect, expected: error.expected, found: error.found)
    case let error as InferenceError:
      Parts(place: error.subject, expected: error.expected, found: error.found)
    case let error as EstimationError: Parts(expected: error.expected, found: error.found)
    case let error as StereoError: Parts(expected: error.expected, found: error.found)
    case let error as CalibrationError:
      Parts(
        place: error.view.map { "view \($0)" }, expected: error.expected, found: error.found)
    case let error as MeshError:
      Parts(place: error.place, expected: error.expected, found: error.found)
    case let error as BoardNotationError: Parts(expected: error.expected, found: error.found)
    case let error as FaceFitError:
      Parts(place: error.place, expected: error.expected, found: error.found)
    case let error as MorphableModelError:
      Parts(place: error.place, expected: error.expected, found: error.found)
    case let error as PhotoFaceError: Parts(expected: error.expected, found: error.found)
    case let error as DeviceCatalogError:
      Parts(place: error.path, expected: error.expected, found: error.found)
    case let error as DeviceMeasurementError:
      Parts(
        file: error.file, place: error.place.isEmpty ? nil : error.place,
        expected: error.expected, found: error.found)
    default: Parts()
    }
  }
}
