public import PlumblineImages

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension InputFile {
  /// Reads standard input to its end; its ``path`` is `-`.
  ///
  /// What a stream holds is known only at its end, so that no more than the limit is ever kept.
  ///
  /// - Throws: ``InputError/tooLarge(path:bytes:limit:)`` past the limit, and
  ///   ``InputError/unreadable(path:reason:isPermission:)``. Cost: O(*n*).
  public static func standardInput(
    limits: ReadingLimits = ReadingLimits()
  ) throws(InputError) -> InputFile {
    try InputFile(descriptor: 0, named: "-", limit: limits.fileBytes)
  }

  /// Reads an open descriptor to its end.
  init(descriptor: Int32, named path: String, limit: Int) throws(InputError) {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let got = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if got < 0 && errno == EINTR { continue }
      if got < 0 { throw Self.failure(path) }
      if got == 0 { break }
      guard bytes.count + got <= limit else {
        throw .tooLarge(path: path, bytes: bytes.count + got, limit: limit)
      }
      bytes += piece[..<got]
    }
    self.path = path
    self.bytes = bytes
  }
}
