#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A folder that only this user can enter, removed with its last use.
final class PrivateFolder: Sendable {
  let path: String

  /// Makes one under `TMPDIR`, or `/tmp`.
  init() throws(ServerError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    // mkdtemp(3): mode 0700, a name that was not there before.
    var template = Array("\(parent)/plumbline-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .certificate(
        detail: "no private folder in \(parent): \(String(cString: strerror(errno)))")
    }
    path = template.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { String(cString: $0) } ?? ""
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func put(_ text: String, at file: String) throws(ServerError) {
    guard FileManager.default.createFile(atPath: file, contents: Data(text.utf8)) else {
      throw .certificate(detail: "cannot write \(file)")
    }
  }

  func contents(of file: String) throws(ServerError) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw .certificate(detail: "openssl wrote no \(file)")
    }
    return [UInt8](data)
  }
}
