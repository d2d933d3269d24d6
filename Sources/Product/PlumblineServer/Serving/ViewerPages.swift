internal import NIOCore
import PlumblineIO
internal import PlumblineExport
internal import Synchronization

/// The viewer's own files, as they go out: embedded ones by exact name and nothing else.
///
/// No path of the file system is ever made from a request.
final class ViewerPages: Sendable {
  struct Page: Sendable {
    /// The file as it is, or packed.
    struct Form: Sendable {
      let bytes: ByteBuffer
      /// Changes with the bytes.
      let tag: String
      /// The name of the packing; `nil` for the file as it is.
      let encoding: String?
    }

    let mediaType: String
    fileprivate let plain: Form
    /// `nil` where packing does not make it smaller.
    fileprivate let packed: Form?

    /// The form that a client wants.
    ///
    /// - Source: RFC 9110, 12.5.3; a client that weighs its wishes gets the plain form.
    func form(for acceptedEncodings: [Substring]) -> Form {
      acceptedEncodings.contains { $0.lowercased() == "gzip" } ? packed ?? plain : plain
    }
  }

  private let start: String
  private let pages = Mutex<[String: Page]>([:])

  /// The files of the viewer, of which one is shown at `/`.
  init(start: String) { self.start = start }

  /// The page of a path such as `/` or `/viewer/cloud.js`; `nil` for any other.
  func page(at path: String) -> Page? {
    let prefix = "/viewer/"
    let name = path == "/" ? start : String(path.dropFirst(prefix.utf8.count))
    guard path == "/" || path.hasPrefix(prefix), !name.utf8.contains(0) else { return nil }
    if let page = pages.withLock({ $0[name] }) { return page }
    guard let file = ViewerFile(named: name), let mediaType = Self.mediaType(of: name) else {
      return nil
    }
    let page = Self.page(of: file.bytes, mediaType)
    pages.withLock { $0[name] = page }
    return page
  }

  /// Packs a file for all clients that will request it; a few milliseconds, once.
  private static func page(of bytes: [UInt8], _ mediaType: String) -> Page {
    let packed = GzipStream.deflated(bytes, level: 9)
    let tag = tag(of: bytes)
    return Page(
      mediaType: mediaType,
      plain: Page.Form(bytes: ByteBuffer(bytes: bytes), tag: "\"\(tag)\"", encoding: nil),
      packed: packed.count >= bytes.count
        ? nil
        : Page.Form(bytes: ByteBuffer(bytes: packed), tag: "\"\(tag)-gzip\"", encoding: "gzip"))
  }

  private static func mediaType(of name: String) -> String? {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "json", "webmanifest": "application/json"
    default: nil
    }
  }

  /// FNV-1a, 64 bits; it distinguishes versions of one file and protects nothing.
  ///
  /// - Source: RFC 9923.
  private static func tag(of bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return String(hash, radix: 16)
  }
}
