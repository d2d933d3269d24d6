#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
import PlumblineExport
import PlumblineIO

/// Looks at folders of the store, and removes them.
enum StoreFiles {
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The names in a folder, in the order of their bytes; none where there is no folder.
  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Removes a folder and the files in it, its manifest first, so that what is left counts as nothing.
  ///
  /// Folders inside are not entered, and a link is removed, not followed.
  static func remove(_ path: String) throws(OutputError) {
    let names = Self.names(in: path)
    for name in ["manifest.json"] + names.filter({ $0 != "manifest.json" }) {
      if unlink("\(path)/\(name)") != 0, errno != ENOENT { throw failure("\(path)/\(name)") }
    }
    if rmdir(path) != 0 { throw failure(path) }
  }

  private static func failure(_ path: String) -> OutputError {
    OutputError(
      .inputOutput, path: path, detail: "it cannot be removed: \(String(cString: strerror(errno)))")
  }
}
