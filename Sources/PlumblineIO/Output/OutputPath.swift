/// The final path of an output, split into folder and name.
package struct OutputPath {
  package let path: String
  package let name: String
  package let directory: String

  /// Splits a path at its last slash.
  package init(_ path: String) throws(OutputError) {
    let name = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
    // A zero byte would end the name early for the system, so that another file would be written.
    guard let name, !name.isEmpty, !path.utf8.contains(0) else {
      throw OutputError(.cannotCreate, path: path, detail: "it is not the name of a file")
    }
    var folder = path.utf8.dropLast(name.count)
    while folder.count > 1, folder.last == UInt8(ascii: "/") { folder.removeLast() }
    self.path = path
    self.name = String(decoding: name, as: UTF8.self)
    self.directory = folder.isEmpty ? "." : String(decoding: folder, as: UTF8.self)
  }

  /// A new hidden name in the same folder, hence on the same file system.
  package var temporary: String {
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    let name = "\(Self.hiddenStart)\(number)\(Self.hiddenEnd)"
    if directory == "." && !path.hasPrefix("./") { return name }
    return directory == "/" ? "/\(name)" : "\(directory)/\(name)"
  }

  /// The start and end of hidden names.
  static let hiddenStart = ".plumbline-"
  static let hiddenEnd = ".partial"
}
