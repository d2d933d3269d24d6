/// The parts of a path inside a recording's folder.
struct FolderPath: Hashable {
  /// The folder with its last `/`; empty at the top.
  let folder: String
  /// The name without folder and ending.
  let stem: String
  /// The ending in small letters, without its dot; empty for none.
  let ending: String

  /// Takes a path apart.
  init(_ path: String) {
    // By bytes, as the operating system sees it; see pathParts.
    let bytes = path.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) }
    folder = start.map { String(path[..<$0]) } ?? ""
    let name = path[(start ?? path.startIndex)...]
    if let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex {
      stem = String(name[..<dot])
      ending = name[bytes.index(after: dot)...].lowercased()
    } else {
      stem = String(name)
      ending = ""
    }
  }

  /// The endings of images of color.
  static let colorEndings: Set<String> = ["jpg", "jpeg", "png", "heic", "ppm"]
}
