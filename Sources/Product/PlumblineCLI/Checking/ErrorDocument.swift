import ArgumentParser
import Plumbline

/// An error as a document: `plumbline.error/1`.
struct ErrorDocument {
  let error: any Error
  /// The path that was given.
  let file: String

  /// The document; a part that the error does not name is `null`.
  var value: JSONValue {
    let (place, expected, found) = parts
    return .object([
      ("schema", "plumbline.error/1"),
      ("code", .integer(Int(CommandExit.code(of: error).rawValue))),
      ("file", .string(file)),
      ("place", .string(place)),
      ("expected", .string(expected)),
      ("found", .string(found)),
      ("message", .string("\(error)" + CommandExit.help(for: error))),
    ])
  }

  private var parts: (place: String?, expected: String?, found: String?) {
    switch error {
    case let error as CaptureReadingError:
      let places = error.path + (error.offset.map { ["byte \($0)"] } ?? [])
      return (places.isEmpty ? nil : places.joined(separator: "/"), error.expected, error.found)
    case let error as CorrectionError: return (error.step, error.expected, error.found)
    default: return (nil, nil, nil)
    }
  }
}
