import ArgumentParser
import Plumbline

/// Where a mesh is written: its file, and beside it what that names.
struct MeshOutput {
  /// The format by the ending.
  let format: MeshFormat
  /// The name of the file without folder and ending.
  let name: String
  private let requested: String
  private let folder: Substring

  /// The help of `-o`.
  static let help: ArgumentHelp =
    "The file to write; its ending names the format: .glb, .obj, .ply, .usdz or .stl; .pcd and .xyz for points."

  /// Takes the path of `-o` apart; refuses an ending without a format.
  init(_ path: String) throws {
    guard let format = MeshFormat(fileName: path) else {
      let names = MeshFormat.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
      throw ValidationError(
        "There is no mesh format for \(printable(text: path)); the endings are \(names).")
    }
    let cut = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    self.format = format
    requested = path
    folder = path[..<cut]
    name = String(path[cut...].dropLast(format.rawValue.count + 1))
  }

  /// The path of one of a mesh's files; that of the requested mesh keeps its ending as it was written.
  func path(of file: Extraction.File, isRequested: Bool) -> String {
    isRequested && file.name.hasSuffix(".\(format.rawValue)") ? requested : folder + file.name
  }
}
