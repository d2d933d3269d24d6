import PlumblineIO
import PlumblineImages
import PlumblineModel

/// Depth maps and color images as separate files in one folder; see
/// `Documentation/formats/loose-pairs.md`.
enum LoosePairsLayout: RecordingLayout {
  static let name = "loose depth and color files"
  static let signs = "NAME_depth.png, .tiff, .npy or .pgm beside an image"

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    let depthFiles = folder.fileNames.filter { isDepth(FolderPath($0)) }
    guard !depthFiles.isEmpty else { return false }
    // A few maps beside or below many photos of their own, such as the parts of one of them that
    // were extracted: then it is a folder of photos.
    let inFolder = depthFiles.filter { FolderPath($0).folder.isEmpty }
    let partners = Set(
      depthFiles.flatMap { file in
        let path = FolderPath(file)
        return colorStems(of: path, isOnly: inFolder.count == 1 && path.folder.isEmpty)
      })
    let photos = folder.topFileNames.map { FolderPath($0) }.filter {
      CaptureReader.photoEndings.contains($0.ending) && !partners.contains($0.stem.lowercased())
    }
    return photos.count <= inFolder.count
  }

  /// Whether a file name denotes a depth map: `depth.png`, `arkit_depth.png`, `1721.5_depth.tiff`.
  static func isDepth(_ path: FolderPath) -> Bool {
    let stem = path.stem.lowercased()
    return DepthFile.endings.contains(path.ending) && (stem == "depth" || stem.hasSuffix("_depth"))
  }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    let names = folder.fileNames
    let allDepthFiles = names.filter { isDepth(FolderPath($0)) }
    let depthFiles = unrepeated(allDepthFiles).sorted(by: NaturalOrder.precedes)
    var findings: [Finding] = []
    if depthFiles.count < allDepthFiles.count {
      findings.append(
        Finding(
          .sequenceOtherFiles, .note,
          "\(allDepthFiles.count - depthFiles.count) depth files have the name of another one with a "
            + "finer kind of number, and are left aside",
          evidence: Recording.summary(of: allDepthFiles)))
    }
    try limits.require(depthFiles.count, atMost: limits.sequenceFrames, "frames")
    let depthsInFolder = Dictionary(
      depthFiles.map { (FolderPath($0).folder, 1) }, uniquingKeysWith: +)
    // Windows and phones use different letter case in endings.
    let images = Dictionary(
      names.filter { FolderPath.colorEndings.contains(FolderPath($0).ending) }.map {
        (FolderPath($0).folder + FolderPath($0).stem.lowercased(), $0)
      }, uniquingKeysWith: { first, _ in first })
    let frameNames = Recording.frameNames(
      ofFiles: depthFiles.map { file in
        let path = FolderPath(file)
        let name = path.stem.lowercased() == "depth" ? "" : String(path.stem.dropLast(6))
        let parts = pathParts(path.folder).filter { !$0.isEmpty }.map(String.init)
        let whole = depthsInFolder[path.folder] == 1 && !parts.isEmpty ? parts : parts + [name]
        return (whole.filter { !$0.isEmpty }.isEmpty ? ["depth"] : whole).joined(separator: "_")
          + "." + path.ending
      })
    let cameras = try cameras(of: Set(depthsInFolder.keys), folder, limits)
    let frames = zip(depthFiles, frameNames).map { file, name in
      let place = FolderPath(file).folder
      return PairedFrame(
        name: name, depthFile: file,
        colorFile: color(of: file, images, isOnly: depthsInFolder[place] == 1),
        timestampSeconds: seconds(of: file), camera: cameras[place])
    }
    let sorted =
      frames.contains { $0.timestampSeconds == nil }
      ? frames
      : frames.sortedByTime { $0.timestampSeconds ?? 0 }
    var manner = PairedFrame.Manner()
    manner.accuracy = .unknown
    return try Recording.paired(
      sorted, layout: name, folder: folder, limits: limits, findings: findings, manner: manner,
      adjusting: { LoosePair(frame: $0, file: $1).encoding(&$2) })
  }

  /// One file for each name; of several, the one with the highest numeric precision.
  private static func unrepeated(_ files: [String]) -> [String] {
    let order = ["npy", "tiff", "tif", "png", "pgm"]
    func rank(_ file: String) -> Int {
      order.firstIndex(of: FolderPath(file).ending) ?? order.count
    }
    let best = Dictionary(
      files.map { (FolderPath($0).folder + FolderPath($0).stem, $0) },
      uniquingKeysWith: { rank($0) <= rank($1) ? $0 : $1 })
    return Array(best.values)
  }

  /// The color image of a depth map; for a single map in a folder, also `rgb`, `image` and `color`.
  private static func color(
    of file: String, _ images: [String: String], isOnly: Bool
  ) -> String? {
    let path = FolderPath(file)
    return colorStems(of: path, isOnly: isOnly).lazy.compactMap { images[path.folder + $0] }
      .first { $0 != file }
  }

  /// The names, without ending, that the color image of a depth map can have, in lowercase.
  private static func colorStems(of path: FolderPath, isOnly: Bool) -> [String] {
    let stem = path.stem.lowercased()
    var stems: [String] = []
    if stem != "depth" {
      let name = String(stem.dropLast(6))
      stems = ["\(name)_image", "\(name)_rgb", "\(name)_color", name]
    }
    return isOnly ? stems + ["rgb", "image", "color"] : stems
  }

  /// The seconds since 1970 in a file name of some apps: `1721362630.651355_depth.tiff`.
  private static func seconds(of file: String) -> Double? {
    Double(FolderPath(file).stem.dropLast(6)).flatMap { (1e9...1e10).contains($0) ? $0 : nil }
  }

  private static func cameras(
    of folders: Set<String>, _ folder: any CaptureFolder, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> [String: RecordedCalibration] {
    var cameras: [String: RecordedCalibration] = [:]
    let names = Set(folder.fileNames)
    for place in folders {
      let text = place + "intrinsics.txt"
      let json = place + "intrinsics.json"
      if names.contains(text) {
        cameras[place] = try IntrinsicsText.camera(
          folder.bytes(of: text), limits: limits, path: text)
      } else if names.contains(json),
        let value = try? RecordedJSON(parsing: folder.bytes(of: json)[...], limits: limits)
      {
        cameras[place] = Open3DFolder.camera(value)
      }
    }
    return cameras
  }
}

/// The encoding of a depth map without a description.
struct LoosePair {
  let frame: PairedFrame
  let file: DepthFile

  /// The encoding, with a finding if it is only the customary one.
  func encoding(_ capture: inout Capture) -> DepthEncoding {
    guard case .uint16(let codes) = file.values else {
      if file.values.isFractions {
        capture.provenance.append(
          ProvenanceStep(
            .assumedUnit,
            "fractions are taken as meters"
              + (file.description.map { "; the file says: \($0)" } ?? "")))
        return .meters
      }
      return millimeters(&capture)
    }
    let name = frame.depthFile.map { FolderPath($0).stem } ?? ""
    if name.hasPrefix("SUN_") {
      return SUNEncoding(evidence: printable(text: name)).encoding(of: file, &capture)
    }
    if name.hasPrefix("NYU_"), file.container == "PGM" {
      if DepthEncoding.looksLikeSwappedDisparity(codes) {
        capture.findings.append(
          Finding(
            .depthEncodingAssumed, .caution,
            "depths are taken as NYU's raw Kinect disparities with exchanged bytes; such maps are not "
              + "moved onto the color image",
            evidence: "\(printable(text: name)); no code passes 11 bits with its bytes exchanged",
            correction: .applied))
        return .kinectDisparity
      }
    } else if name.hasPrefix("TUM_") {
      capture.findings.append(
        Finding(
          .depthEncodingAssumed, .caution,
          "depths are taken as 5000 to a meter, as TUM RGB-D counts, by their name alone",
          evidence: printable(text: name), correction: .applied))
      return .codes(perMeter: 5000)
    }
    // A few pixels can match by chance.
    if codes.size.pixelCount >= 1000, DepthEncoding.looksRotated(codes) {
      capture.findings.append(
        Finding(
          .depthEncodingAssumed, .caution,
          "the lowest three bits of every code are 0 or 1, as where SUN RGB-D turns them; without "
            + "its name they are taken as millimeters", evidence: printable(text: name)))
    }
    return millimeters(&capture)
  }

  private func millimeters(_ capture: inout Capture) -> DepthEncoding {
    capture.findings.append(
      Finding(
        .depthUnitAssumed, .note, "whole numbers are taken as millimeters, which no file says",
        evidence: frame.depthFile.map { printable(text: $0) } ?? "", remedies: [.stateUnit]))
    return .millimeters
  }
}

extension NumericRaster {
  /// Whether the numbers are floating point.
  var isFractions: Bool {
    switch self {
    case .uint8, .uint16, .uint32: false
    case .float32, .float64: true
    }
  }
}
