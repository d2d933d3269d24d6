package import PlumblineIO

/// The path of a file in a folder.
package func path(_ name: String, in folder: String) -> String {
  folder.hasSuffix("/") ? folder + name : folder + "/" + name
}

extension OutputTransaction {
  /// Stages files of a set in a folder, from which the rest of an older set goes with them.
  ///
  /// - Returns: Their paths, none without a folder.
  /// - Precondition: The set lists every name.
  package mutating func stage(
    _ files: [Extraction.File], in folder: String?, as set: OutputSet
  ) throws -> [String] {
    guard let folder else { return [] }
    let paths = try files.map { try stage($0, in: folder, of: set) }
    try removeStale(in: folder) { set.contains($0) }
    return paths
  }

  /// Stages one file of a set in a folder; the rest of an older set stays.
  ///
  /// For files that are made one after another; ``removeStale(in:_:)`` follows the last.
  ///
  /// - Returns: Its path.
  /// - Precondition: The set lists its name.
  package mutating func stage(
    _ file: Extraction.File, in folder: String, of set: OutputSet
  ) throws -> String {
    precondition(set.contains(file.name), "\(file.name) is in no list of its set")
    let place = path(file.name, in: folder)
    try stage(file.bytes, at: place)
    return place
  }
}
