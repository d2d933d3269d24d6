import PlumblineIO

/// The format of a file by its first bytes; unsupported formats are named for the error message.
enum FileSignature: Hashable {
  case heif
  case jpeg
  case ply
  /// A JSON object; only its keys show whether it contains depths.
  case json
  case other(String)
  case empty

  /// Examines the first bytes of a file.
  init(_ bytes: [UInt8]) {
    if bytes.isEmpty {
      self = .empty
    } else if JPEGFile.recognizes(bytes) {
      self = .jpeg
    } else if bytes.dropFirst(4).starts(with: "ftyp".utf8) {
      self = Self.isMovie(bytes) ? .other("a QuickTime or MPEG-4 video") : .heif
    } else if PLYHeader.recognizes(bytes) {
      self = .ply
    } else if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
      self = .json
    } else {
      self = .other(Self.name(bytes))
    }
  }

  private static func isMovie(_ bytes: [UInt8]) -> Bool {
    ["qt  ", "mp41", "mp42", "isom", "M4V "].contains { brand in
      bytes.dropFirst(8).starts(with: brand.utf8)
    }
  }

  /// The first bytes of unsupported formats, with their names.
  private static let names: [(signature: [UInt8], name: String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "a PNG image, which carries no depth of a phone"),
    ([0x49, 0x49, 0x2A, 0x00], "a TIFF or DNG file"),
    ([0x4D, 0x4D, 0x00, 0x2A], "a TIFF or DNG file"),
    ([0x49, 0x49, 0x2B, 0x00], "a BigTIFF file, whose offsets have 64 bits"),
    ([0x4D, 0x4D, 0x00, 0x2B], "a BigTIFF file, whose offsets have 64 bits"),
    ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive (a Record3D .r3d or a USDZ file is one)"),
    ([0x89, 0x4D, 0x43, 0x41], "an MCAP recording"),
    (Array("glTF".utf8), "a GLB model"),
    (Array("GIF8".utf8), "a GIF image"),
    (Array("RIFF".utf8), "a RIFF file (WebP or AVI)"),
    (Array("%PDF".utf8), "a PDF document"),
    (Array("bplist".utf8), "a binary property list"),
    (Array("<".utf8), "an XML or HTML text"),
    (Array("[".utf8), "a JSON text"),
    ([0x93, 0x4E, 0x55, 0x4D], "a NumPy array"),
  ]

  private static func name(_ bytes: [UInt8]) -> String {
    if bytes.allSatisfy({ $0 == 0 }) { return "nothing but zero bytes" }
    return names.first { bytes.starts(with: $0.signature) }?.name
      ?? "bytes that start with \(printable(bytes.prefix(8)))"
  }
}
