package import Plumbline
import PlumblineIO

/// Why a folder of results cannot be used.
package struct JournalError: CategorizedError, Sendable, Hashable {
  /// What is wrong.
  package enum Reason: Sendable, Hashable {
    /// A later version of this program made it.
    case newerSchema
    /// It is no journal of this program, or was damaged.
    case damaged
    /// It is about another verb, other options or another version of this program.
    case otherSettings
    /// Another run uses the folder.
    case locked
    /// Files of these names are there, and no journal that they belong to.
    case occupied
    /// The folder or the journal cannot be made.
    case cannotCreate
    /// The disk failed while it was read or written.
    case inputOutput
  }

  package let reason: Reason
  /// The path of the journal or the folder.
  package let path: String
  package let expected: String
  package let found: String

  init(_ reason: Reason, path: String, expected: String, found: String) {
    self.reason = reason
    self.path = path
    self.expected = expected
    self.found = found
  }

  package var category: FailureCategory {
    switch reason {
    case .newerSchema, .damaged: .unusableInput
    case .otherSettings, .locked, .occupied, .cannotCreate: .cannotCreate
    case .inputOutput: .inputOutput
    }
  }

  package var namesItsPath: Bool { true }
}

extension JournalError: CustomStringConvertible {
  /// One sentence with the escaped path.
  package var description: String {
    "\(printable(text: path)): expected \(expected), found \(found)"
  }
}
