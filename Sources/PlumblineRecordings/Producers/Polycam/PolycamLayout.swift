import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The raw data that Polycam exports; see `Documentation/formats/polycam.md`.
enum PolycamLayout: RecordingLayout {
  static let name = "Polycam raw data"
  static let signs = "keyframes/cameras/T.json and keyframes/depth/T.png"

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    path(folder) != nil
  }

  /// The path to the folder `keyframes`, or to the folder that was passed for it.
  private static func path(_ folder: any CaptureFolder) -> String? {
    if let path = folder.pathOfFolder(
      withFileAtDepth: 2, where: { $0.hasPrefix("keyframes/") && isCamera($0.dropFirst(10)) })
    {
      return path + "keyframes/"
    }
    // Without that name, cameras alone could be anything.
    guard let path = folder.pathOfFolder(withFileAtDepth: 1, where: isCamera),
      folder.fileNames.contains(where: { $0.hasPrefix(path + "depth/") && $0.hasSuffix(".png") })
    else { return nil }
    return path
  }

  private static func isCamera(_ path: Substring) -> Bool {
    let parts = pathParts(String(path))
    return parts.count == 2 && ["cameras", "corrected_cameras"].contains(parts[0])
      && parts[1].hasSuffix(".json") && microseconds(parts[1]) != nil
  }

  /// The clock in a file's name; `nil` when it is none.
  static func microseconds(_ fileName: Substring) -> Int? {
    Int(digits: fileName.prefix { $0 != "." })
  }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    guard let path = path(folder) else {
      throw CaptureReadingError(.missing, path: [name], expected: signs, found: "none")
    }
    let keyframes = Subfolder(folder, path: path)
    let files = PolycamFiles(keyframes.fileNames)
    let times = files.times
    try limits.require(times.count, atMost: limits.sequenceFrames, "frames")
    let names = times.map { "\($0)" }
    var findings = files.findings
    let above = Subfolder(folder, path: String(path.dropLast("keyframes/".count)))
    if path.hasSuffix("keyframes/"), let note = meshNote(above, limits: limits) {
      findings.append(note)
    }
    return Recording(
      layout: name,
      frames: zip(names, times).map {
        RecordedFrame(name: $0, timestampSeconds: Double($1) / 1_000_000)
      },
      worldAxes: .yUp, findings: findings
    ) { index, color throws(CaptureReadingError) in
      try files.frame(times[index], in: keyframes, limits: limits)
        .capture(from: keyframes, limits: limits, color: color)
    }
  }

  /// What to know about the mesh beside the frames; its transform is not applied to them.
  private static func meshNote(_ folder: any CaptureFolder, limits: ReadingLimits) -> Finding? {
    guard let bytes = try? folder.bytes(of: "mesh_info.json"),
      let json = try? RecordedJSON(parsing: bytes[...], limits: limits),
      let columns = json["alignmentTransform"]?.numbers
        ?? json["alignmentTransform"]?.elements?.compactMap(\.numbers).flatMap(\.self),
      columns.count == 16
    else { return nil }
    let rows = (0..<16).map { columns[$0 % 4 * 4 + $0 / 4] }
    guard let meshFromWorld = RigidTransform(rowMajor: rows), meshFromWorld != .identity else {
      return nil
    }
    let t = meshFromWorld.translation
    return Finding(
      .sequenceOtherFiles, .note,
      "raw.glb lies in another world than the frames: its points are alignmentTransform (column "
        + "after column; moves by \(t.x.fixed(3)), \(t.y.fixed(3)), \(t.z.fixed(3)) m) times theirs",
      evidence: "mesh_info.json, alignmentTransform")
  }
}
