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
    let paths = try files.map { file in
      precondition(set.contains(file.name), "\(file.name) is in no list of its set")
      let place = path(file.name, in: folder)
      try stage(file.bytes, at: place)
      return place
    }
    try removeStale(in: folder) { set.contains($0) }
    return paths
  }
}
