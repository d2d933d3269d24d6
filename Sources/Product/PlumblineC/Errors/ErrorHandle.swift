import CPlumbline
import Plumbline

/// What is behind a `plumbline_error`: its parts as C texts, which live as long as it does.
final class ErrorHandle {
  let category: plumbline_category
  let message: CText
  let file: CText?
  let place: CText?
  let expected: CText?
  let found: CText?
  let json: CText

  /// Takes an error apart.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - file: The input; an error that names its own path keeps that one.
  init(_ error: any Error, file: String?) {
    var document = ErrorDocument(error, file: file)
    if let error = error as? InterfaceError {
      document.place = error.place
      document.expected = error.expected
      document.found = error.found
    }
    document.message = printable(text: document.message)
    category = plumbline_category(rawValue: UInt32(document.code))
    message = CText(document.message)
    self.file = document.file.map { CText($0) }
    place = document.place.map { CText($0) }
    expected = document.expected.map { CText($0) }
    found = document.found.map { CText($0) }
    json = CText(JSONWriter(layout: .compact).text(document.json))
  }
}

/// A text in memory that C reads and this value frees.
final class CText: Sendable {
  /// The first byte as a number, since pointers are not `Sendable`; nothing writes there after `init`.
  private let address: Int

  /// Copies a text; a zero byte in it ends it there for C.
  init(_ text: String) { address = Int(bitPattern: Self.copy(of: text)) }

  deinit { UnsafeMutablePointer<CChar>(bitPattern: address)?.deallocate() }

  /// The first byte.
  var start: UnsafePointer<CChar>? { UnsafePointer(bitPattern: address) }

  /// A copy that its receiver frees with `plumbline_text_free`.
  static func copy(of text: String) -> UnsafeMutablePointer<CChar> {
    let bytes = text.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    bytes.withUnsafeBufferPointer { source in
      if let first = source.baseAddress { copy.initialize(from: first, count: source.count) }
    }
    return copy
  }
}
