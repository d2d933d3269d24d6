import PlumblineImages
import PlumblineIO
import PlumblineModel

/// Recordings of the app Record3D, unpacked or as `.r3d`; see `Documentation/formats/record3d.md`.
enum Record3DLayout: RecordingLayout {
  static let name = "Record3D"
  static let signs = "metadata and rgbd/0.depth"
  static let metadataName = "metadata"

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    // Without its metadata a recording is treated as one still, so that the error says what is
    // missing.
    if Record3DFiles.folder(of: names) != nil { return true }
    return names.contains(metadataName)
      && names.contains { $0.hasPrefix("rgbd/") && $0.hasSuffix(".jpg") }
  }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    let files = Record3DFiles(folder.fileNames)
    let metadata: Record3DMetadata
    if folder.fileNames.contains(metadataName) {
      do throws(CaptureReadingError) {
        metadata = try Record3DMetadata(folder.bytes(of: metadataName)[...], limits: limits)
      } catch {
        throw error.inside(metadataName)
      }
    } else {
      metadata = Record3DMetadata(colorSize: firstColorSize(folder, files, limits))
    }
    try limits.require(files.numbers.count, atMost: limits.sequenceFrames, "frames")
    let timing = metadata.timing(of: files.numbers)
    let frames = zip(files.numbers, timing.seconds).map {
      RecordedFrame(name: String($0), timestampSeconds: $1)
    }
    let poses = metadata.poses(of: files.numbers)
    let coefficientPlaces = Record3DMetadata.places(
      of: files.numbers, count: metadata.coefficients.count)
    return Recording(
      layout: name, frames: frames,
      findings: metadata.findings + files.findings + timing.findings + poses.findings
    ) { index, color throws(CaptureReadingError) in
      let number = files.numbers[index]
      var capture = try Record3DFrame(
        number: number, coefficientPlace: coefficientPlaces[index], files: files,
        metadata: metadata, folder: folder, limits: limits
      ).capture(color: color)
      capture.timestampSeconds = timing.seconds[index]
      capture.worldFromCamera = poses.worldFromCamera[index]
      return capture
    }
  }
}

extension Record3DLayout {
  /// The size of the first color image whose header states it.
  private static func firstColorSize(
    _ folder: any CaptureFolder, _ files: Record3DFiles, _ limits: ReadingLimits
  ) -> RasterSize? {
    for number in files.numbers.prefix(8) {
      guard let name = files.name(number, "jpg") else { continue }
      var capture = Capture(source: CaptureSource())
      let file = ColorFile(name: name, folder: folder, limits: limits, request: .none)
      if (try? file.add(to: &capture)) != nil, let size = capture.colorSize { return size }
    }
    return nil
  }
}

/// The files of each frame: `rgbd/12.jpg`, `rgbd/12.depth`, `rgbd/12.conf`.
struct Record3DFiles: Sendable {
  /// The frame numbers, in ascending numeric order.
  let numbers: [Int]
  let findings: [Finding]
  private let present: Set<String>
  /// `rgbd/`; empty if that folder itself was opened.
  private let folder: String

  /// The folder with depth maps: `rgbd/`; empty if the names are already relative to it, as in an
  /// archive with no other files; `nil` for none.
  static func folder(of names: some Sequence<String>) -> String? {
    var isInside = false
    for name in names where name.hasSuffix(".depth") {
      if name.hasPrefix("rgbd/") { return "rgbd/" }
      isInside = isInside || number(of: name[...])?.ending == "depth"
    }
    return isInside ? "" : nil
  }

  /// The parts of a name such as `12.depth`; `nil` for other names.
  private static func number(of file: Substring) -> (number: Int, ending: Substring)? {
    let parts = file.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, ["jpg", "depth", "conf"].contains(parts[1]),
      let number = Int(parts[0]), String(number) == parts[0], number >= 0
    else { return nil }
    return (number, parts[1])
  }

  /// Groups names by frame; those without a valid number are ignored.
  init(_ names: [String]) {
    let folder = Self.folder(of: names) ?? "rgbd/"
    self.folder = folder
    var numbers: Set<Int> = []
    var present: Set<String> = []
    var others: [String] = []
    for name in names where name.hasPrefix(folder) {
      guard let (number, ending) = Self.number(of: name.dropFirst(folder.count)) else {
        others.append(name)
        continue
      }
      present.insert(name)
      // A confidence map alone is not a frame.
      if ending != "conf" { numbers.insert(number) }
    }
    let sorted = numbers.sorted()
    var findings: [Finding] = []
    func report(_ ending: String, _ what: String) {
      let missing = sorted.filter { !present.contains("\(folder)\($0).\(ending)") }
      findings += [
        Recording.finding(
          .sequenceIncompleteFrames, .note, missing.map { "\(folder)\($0).\(ending)" },
          of: sorted.count, lack: "have no \(what)")
      ].compactMap(\.self)
    }
    report("depth", "depth map")
    report("jpg", "color image")
    if let last = sorted.last, last - sorted[0] >= sorted.count {
      findings.append(
        Finding(
          .sequenceIncompleteFrames, .note,
          "\(last - sorted[0] - (sorted.count - 1)) numbers are missing between \(sorted[0]) and "
            + "\(last)", evidence: "rgbd"))
    }
    if !others.isEmpty {
      findings.append(
        Finding(
          .sequenceOtherFiles, .note, "\(others.count) files of rgbd belong to no frame",
          evidence: Recording.list(others)))
    }
    self.numbers = sorted
    self.present = present
    self.findings = findings
  }

  /// The name of a frame's file; `nil` if it does not exist.
  func name(_ number: Int, _ ending: String) -> String? {
    let name = "\(folder)\(number).\(ending)"
    return present.contains(name) ? name : nil
  }
}
