import ArgumentParser
import Plumbline

/// The arguments as the system hands them over: bytes, which need not be UTF-8.
enum ArgumentBytes {
  /// Ends the program where an argument is not UTF-8.
  ///
  /// Swift would put U+FFFD in place of the wrong bytes, and the file of that other name does not
  /// exist.
  static func requireUTF8() {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index] else { continue }
      let bytes = UnsafeBufferPointer(
        start: UnsafeRawPointer(argument).assumingMemoryBound(to: UInt8.self),
        count: Self.count(argument))
      if String(validating: bytes, as: UTF8.self) != nil { continue }
      StandardError.print(
        "plumbline: argument \(index) is not UTF-8: “\(printable(bytes))”. Names in other encodings "
          + "cannot be passed: rename the file, or make a link to it whose name is UTF-8.")
      PlumblineCommand.exit(withError: ExitCode.validationFailure)
    }
  }

  private static func count(_ argument: UnsafeMutablePointer<CChar>) -> Int {
    var count = 0
    while argument[count] != 0 { count += 1 }
    return count
  }
}
