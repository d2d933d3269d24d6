/// An error of a text that a user wrote for a setting: what is to be written there.
package struct SettingTextError: Error, Hashable, Sendable {
  /// What is to be written, such as `two numbers with a colon between them, as in 0.2:3`.
  package let expected: String
  /// What was written.
  package let found: String

  /// Creates an error.
  init(_ expected: String, found: some StringProtocol) {
    self.expected = expected
    self.found = String(found)
  }
}

extension SettingTextError: CustomStringConvertible {
  /// The instruction, without the text that was written, which the user sees beside it.
  package var description: String { "write \(expected)" }
}
