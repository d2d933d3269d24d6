import PlumblineModel

extension Recording {
  /// What is odd about the times of frames in the order of their numbers.
  static func findings(ofTimes times: [Double?], names: [String]) -> [Finding] {
    let untimed = zip(times, names).filter { $0.0 == nil }.map(\.1)
    if !untimed.isEmpty {
      return [
        Finding(
          .sequenceTimeUnknown, .note,
          "\(untimed.count) of \(names.count) frames have no readable time; frames are in the order "
            + "of their names", evidence: AVFoundationDump.list(untimed))
      ]
    }
    var backwards: [String] = []
    var repeated: [String] = []
    for index in times.indices.dropFirst() {
      guard let before = times[index - 1], let time = times[index] else { continue }
      if time < before { backwards.append(names[index]) }
      if time == before { repeated.append(names[index]) }
    }
    var findings: [Finding] = []
    if !backwards.isEmpty {
      findings.append(
        Finding(
          .sequenceClockBackwards, .caution,
          "the clock goes backwards at \(backwards.count) of \(names.count) frames",
          evidence: AVFoundationDump.list(backwards)))
    }
    if !repeated.isEmpty {
      findings.append(
        Finding(
          .sequenceRepeatedFrames, .caution, "\(repeated.count) frames repeat a time",
          evidence: AVFoundationDump.list(repeated)))
    }
    return findings
  }

  /// A finding about frames that lack something; `nil` when there are none.
  static func finding(
    _ code: FindingCode, _ severity: Finding.Severity, _ names: [String], of count: Int,
    lack what: String
  ) -> Finding? {
    guard !names.isEmpty else { return nil }
    return Finding(
      code, severity, "\(names.count) of \(count) frames \(what)",
      evidence: AVFoundationDump.list(names))
  }

  /// Short unique names for frames by the paths of their files: the last part where no two are
  /// alike, else all parts with `_` between them.
  static func frameNames(ofPaths paths: [String]) -> [String] {
    let files = paths.map { path in
      path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }
    if Set(files.map { $0.lowercased() }).count == files.count { return frameNames(ofFiles: files) }
    let joined = paths.map { String($0.map { $0 == "/" ? "_" : $0 }) }
    if Set(joined.map { $0.lowercased() }).count == joined.count {
      return frameNames(ofFiles: joined)
    }
    return paths.indices.map { "frame\($0 + 1)" }
  }
}

extension PinholeIntrinsics {
  /// Reads focal lengths and principal point as they stand in a recording's text.
  ///
  /// It is `nil` for what ``init(columnMajor:size:grid:)`` refuses.
  init?(
    fx: Double, fy: Double, cx: Double, cy: Double, size: RasterSize,
    grid: PixelGrid = .indexCentered
  ) {
    self.init(columnMajor: [fx, 0, 0, 0, fy, 0, cx, cy, 1], size: size, grid: grid)
  }
}
