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
    let slash = path.lastIndex(of: "/")
    folder = slash.map { String(path[...$0]) } ?? ""
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    if let dot = name.lastIndex(of: "."), dot != name.startIndex {
      stem = String(name[..<dot])
      ending = name[name.index(after: dot)...].lowercased()
    } else {
      stem = String(name)
      ending = ""
    }
  }

  /// The endings of images of color.
  static let colorEndings: Set<String> = ["jpg", "jpeg", "png", "heic", "ppm"]
}
