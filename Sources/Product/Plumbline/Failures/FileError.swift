import PlumblineIO

/// An error about a file beside the input, such as a model card, with the path of that file.
package struct FileError: CategorizedError, CustomStringConvertible {
  /// The path as it was given.
  package let path: String
  /// What is wrong with the file.
  package let error: any Error

  /// The category of the error in the file.
  package var category: FailureCategory {
    (error as? any CategorizedError)?.category ?? .programFault
  }

  /// `true`: the file is not the input but another one.
  package var namesItsPath: Bool { true }

  /// The path and the error, in one sentence.
  package var description: String {
    let message = "\(error)"
    // Errors about models begin with the name of the file.
    let name = printable(text: lastPathPart(path)) + ": "
    return printable(text: path) + ": "
      + (message.hasPrefix(name) ? String(message.dropFirst(name.count)) : message)
  }

  /// Runs work on a file; an error that does not name a file itself gets its path.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - work: What reads it.
  /// - Returns: What the work returns.
  /// - Throws: ``FileError`` for such an error, and any other as it is.
  package static func naming<Value>(_ path: String, _ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as any CategorizedError where !error.namesItsPath {
      throw FileError(path: path, error: error)
    }
  }
}
