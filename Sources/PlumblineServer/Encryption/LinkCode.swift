import PlumblineIO
/// A link as a QR code, for the camera of a phone.
public enum LinkCode {
  /// Draws a code of half blocks for a terminal with a dark background, by the program `qrencode`.
  ///
  /// The link goes in through a pipe: arguments could be read by other users of this machine.
  /// - Parameter link: What to open.
  /// - Returns: Lines of text; `nil` where there is no `qrencode` that could draw it.
  public static func text(of link: String) -> String? {
    let arguments = ["-t", "UTF8", "-m", "2", "-o", "-"]
    guard
      let answer = try? ProgramAnswer(
        of: "qrencode", arguments, input: Array(link.utf8), seconds: 5)
    else { return nil }
    return String(validating: answer.bytes, as: UTF8.self)
  }
}
