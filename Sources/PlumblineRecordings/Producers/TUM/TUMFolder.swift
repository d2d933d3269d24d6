import PlumblineIO

/// Which files of a folder are the parts of a TUM recording.
struct TUMFolder {
  /// The folder inside that holds it, with its `/`; empty for the folder itself.
  let prefix: String
  let depthList: String?
  let colorList: String?
  let associations: String?
  let groundTruth: String?
  let accelerometer: String?
  let calibration: String?
  /// All files, for finding out which of the lists' are there.
  let names: Set<String>

  private static let associationNames = [
    "associations.txt", "associated.txt", "associate.txt", "association.txt",
  ]

  /// Finds them, in the folder itself or in the only folder inside that has them.
  init?(_ fileNames: [String]) {
    let lists = fileNames.filter { name in
      let path = FolderPath(name)
      return path.ending == "txt" && pathParts(path.folder).count <= 2
        && (path.stem == "depth" || Self.associationNames.contains("\(path.stem).txt"))
    }
    let prefixes = Set(lists.map { FolderPath($0).folder })
    guard let prefix = prefixes.contains("") ? "" : prefixes.count == 1 ? prefixes.first : nil,
      fileNames.contains(where: { $0.hasPrefix("\(prefix)depth/") })
    else { return nil }
    let names = Set(fileNames)
    func file(_ name: String) -> String? { names.contains(prefix + name) ? prefix + name : nil }
    self.prefix = prefix
    self.names = names
    depthList = file("depth.txt")
    colorList = file("rgb.txt")
    associations = Self.associationNames.lazy.compactMap(file).first
    groundTruth = file("groundtruth.txt")
    accelerometer = file("accelerometer.txt")
    calibration = file("calibration.txt")
  }
}
