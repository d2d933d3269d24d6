import ArgumentParser
import Plumbline
import PlumblineServer

/// The exit codes of the command line; `Documentation/cli.md` promises them.
enum CommandExit {
  static let notMeasurable = ExitCode(1)
  static let unusableInput = ExitCode(65)
  static let noInput = ExitCode(66)
  static let programFault = ExitCode(70)
  static let cannotCreate = ExitCode(73)
  static let inputOutput = ExitCode(74)
  /// The exit code of a program that Control-C ended.
  static let interrupted = ExitCode(130)

  /// The code of a failure.
  static func code(of error: any Error) -> ExitCode {
    switch error {
    case is CaptureReadingError, is CalibrationFileError, is CorrectionError: unusableInput
    case is DistanceFitError, is FrameOptionError, is BoardOptionError: .validationFailure
    case is BoardNotationError, is BoardFitError, is BoardImageError: .validationFailure
    case is JSONReadingError, is CalibrationReadingError, is BoardFramesError: unusableInput
    case is StereoError: unusableInput
    case is CalibrationError, is ProximityError, is FaceFitError: notMeasurable
    case is EstimationError, is FaceRunError, is MorphableModelError, is MeshError: unusableInput
    case let error as LoopEncodingError:
      switch error.reason {
      // A program that is not installed is an input that is not there.
      case .absent: noInput
      case .failed: programFault
      case .frames: unusableInput
      case .outOfRange: .validationFailure
      }
    case let error as EffectError:
      error.reason == .outOfRange ? .validationFailure : unusableInput
    case is PhotoOptionError, is VertexPairError, is EffectOutputError: .validationFailure
    case let error as PhotoWritingError:
      switch error {
      case .unreadable, .unrepresentable: unusableInput
      // A program that is not installed is an input that is not there.
      case .encoder: noInput
      }
    case let error as InferenceError:
      switch error.reason {
      // What is not installed is an input that is not there.
      case .notInstalled: noInput
      case .malformed, .unsupported, .mismatch: unusableInput
      case .failed: programFault
      }
    case let error as InputError:
      switch error {
      case .notFound, .unreadable(_, _, isPermission: true): noInput
      case .notAFile, .notAFolder, .notARecording, .tooLarge, .tooManyFiles, .unfinishedSet:
        unusableInput
      case .unreadable: inputOutput
      }
    case let error as OutputError: ExitCode(error.exitStatus)
    case let error as RecordingWritingError:
      switch error {
      case .unrepresentable: unusableInput
      case .output(_, _, let isCreation): isCreation ? cannotCreate : inputOutput
      }
    case is InterruptedError: interrupted
    case let error as ServerError:
      switch error {
      case .notListening: inputOutput
      case .certificate: unusableInput
      case .state: inputOutput
      }
    default: programFault
    }
  }

  /// Runs the work on one capture; a failure becomes a line on standard error and its code.
  static func running(_ path: String, _ work: () throws -> ExitCode) throws -> ExitCode {
    do {
      return try FilesRead.$current.withValue(FilesRead()) { try work() }
    } catch let error as ExitCode {
      throw error
    } catch {
      // Errors about files name their own path; errors about content need it said.
      let place =
        error is InputError || error is OutputError || error is CalibrationFileError
          || error is RecordingWritingError || error is ServerError
        ? "" : printable(text: path) + ": "
      // Messages repeat names of frames, which are those of files and may hold anything.
      StandardError.print("plumbline: \(place)\(printable(text: "\(error)"))\(help(for: error))")
      if let choices = (error as? CaptureReadingError)?.choices, !choices.isEmpty {
        StandardError.print("Known are, each with its signs:")
        for choice in choices { StandardError.print("  \(printable(text: choice))") }
      }
      return code(of: error)
    }
  }

  /// What to do about a file that is in the way; an unfinished one may be a recording that was cut,
  /// which nothing replaces.
  static func help(for error: any Error) -> String {
    var detail: String?
    if let error = error as? OutputError, error.reason == .exists { detail = error.detail }
    if case .output(_, let text, true) = error as? RecordingWritingError { detail = text }
    return switch detail {
    case OutputError.existsDetail: "; --force replaces it"
    case OutputError.staleDetail: "; --force removes it together with what it belonged to"
    case "an unfinished file of that name is there":
      "; plumbline recover makes a recording of what a crash left, and nothing else uses it"
    default: ""
    }
  }
}
