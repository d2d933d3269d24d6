#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A program found by its name.
package struct ProgramFile: Sendable, Hashable {
  package let name: String
  /// The absolute path of the program.
  package let path: String

  /// A program at a known path.
  package init(name: String, path: String) {
    self.name = name
    self.path = path
  }

  /// Looks in the folders of `PATH`; relative ones are left out, since what lies in the current
  /// folder belongs to the maker of the recording.
  ///
  /// - Throws: `.absent`.
  package init(named name: String) throws(ProgramFailure) {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    for folder in folders.split(separator: ":") where folder.hasPrefix("/") {
      let path = "\(folder)/\(name)"
      if access(path, X_OK) == 0 {
        self.init(name: name, path: path)
        return
      }
    }
    throw .absent(program: name)
  }
}
