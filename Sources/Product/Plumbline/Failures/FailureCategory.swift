/// Who can act on a failure; programs make their exit codes of it.
public enum FailureCategory: Sendable, CaseIterable {
  /// The user, by other options: they contradict each other or the input.
  case usage
  /// The owner of the file: it is damaged, unsupported, over a limit or lacks what is needed.
  case unusableInput
  /// The user, by bringing the file or a program: it is not there, or may not be read.
  case missingInput
  /// The photographer, by another capture: the file is sound, but nothing can be measured in it.
  case notMeasurable
  /// The maintainer of the program, or of a runtime that it calls.
  case programFault
  /// The user, by another output: the name is taken, or nothing can be made there.
  case cannotCreate
  /// The owner of the machine: the disk or the network failed while something was read or written.
  case inputOutput
  /// The user, by starting the work again, which was ended on request.
  case interrupted

  /// The exit code of a command that such a failure ends, as `Documentation/cli.md` promises it.
  ///
  /// - Source: `sysexits.h` of BSD for 64 to 74; 130 is what shells report of Control-C.
  public var exitCode: Int {
    switch self {
    case .usage: 64
    case .unusableInput: 65
    case .missingInput: 66
    case .notMeasurable: 1
    case .programFault: 70
    case .cannotCreate: 73
    case .inputOutput: 74
    case .interrupted: 130
    }
  }
}

/// An error that says who can act on it; every public error of Plumbline is one.
public protocol CategorizedError: Error {
  /// Who can act on it.
  var category: FailureCategory { get }
  /// Whether its description names the file, so that a program need not say it again.
  var namesItsPath: Bool { get }
}

extension CategorizedError {
  /// `false`, as for an error about the content of a file.
  public var namesItsPath: Bool { false }
}
