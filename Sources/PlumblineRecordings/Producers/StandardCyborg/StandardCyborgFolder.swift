import PlumblineImages
import PlumblineIO
import PlumblineModel

/// A folder of PLY depth frames, in the order of their own clock.
struct StandardCyborgFolder {
  /// The names of the frames' files.
  private(set) var fileNames: [String] = []
  /// The device's clock at each of them, in seconds; `nil` where it cannot be read.
  private(set) var timestampsSeconds: [Double?] = []
  /// Each frame's color image as a file of its own, which newer apps write beside it.
  private(set) var colorFiles: [String: String] = [:]
  private(set) var findings: [Finding] = []

  /// Reads the beginning of each PLY file of the folder.
  ///
  /// - Returns: `nil` when none of them is a depth frame.
  init?(_ folder: any CaptureFolder, limits: ReadingLimits) throws(CaptureReadingError) {
    var times: [(name: String, seconds: Double?)] = []
    var others: [String] = []
    for name in folder.fileNames where name.lowercased().hasSuffix(".ply") {
      // The metadata follows the header at once and has 3 kB; a longer one costs the whole file.
      let start = try folder.firstBytes(of: name, count: 64 << 10)
      guard let header = try? PLYHeader(start[...], limits: limits),
        StandardCyborgFrame.recognizes(header)
      else {
        others.append(name)
        continue
      }
      let time = (try? StandardCyborgFrame(start[...], limits: limits))?.timestampSeconds
      times.append((name, time))
      try limits.require(times.count, atMost: limits.sequenceFrames, "frames")
    }
    guard !times.isEmpty else { return nil }
    if times.contains(where: { $0.seconds == nil }) {
      times.sort { NaturalOrder.precedes($0.name, $1.name) }
    } else {
      times.sort { ($0.seconds ?? 0, $0.name) < ($1.seconds ?? 0, $1.name) }
    }
    fileNames = times.map(\.name)
    timestampsSeconds = times.map(\.seconds)
    findings = Recording.findings(ofTimes: timestampsSeconds, names: fileNames)
    // A set, since a search through all names for each of 36,000 frames takes minutes.
    let present = Set(folder.fileNames)
    for name in fileNames {
      let stem = name.dropLast(4)
      colorFiles[name] = ["\(stem).jpeg", "\(stem).jpg"].first(where: present.contains)
    }
    if !others.isEmpty {
      findings.append(
        Finding(
          .sequenceOtherFiles, .note, "\(others.count) PLY files are no depth frames",
          evidence: Recording.list(others)))
    }
  }
}
