public import PlumblineModel

/// One kind of finding in all frames of a recording.
public struct MergedFinding: Sendable {
  /// The finding of the frame where it costs most.
  public var finding: Finding
  /// The names of the frames that have it; none for a finding about the whole.
  public var frameNames: [String]
  /// The frame where it costs most; `nil` for a finding about the whole.
  public var worstFrame: String?

  /// A finding about the whole recording.
  init(of finding: Finding) {
    self.finding = finding
    frameNames = []
  }

  /// Frames that cannot be read; there must be one or more.
  init(unreadable names: [String], of count: Int, firstReason: String) {
    finding = Finding(
      .sequenceUnreadableFrames, .caution,
      "\(names.count) of \(count.counting("frame")) cannot be read; \(firstReason)",
      evidence: names[0])
    frameNames = names
    worstFrame = names[0]
  }

  /// The frames whose depth map has another size than most; `nil` where there are none.
  init?(unequalSizes frames: [(name: String, size: RasterSize?)]) {
    let sized = frames.filter { $0.size != nil }
    let groups = Dictionary(grouping: sized) { $0.size }
    guard groups.count > 1,
      let most = groups.max(by: {
        ($0.value.count, $1.value[0].name) < ($1.value.count, $0.value[0].name)
      })
    else { return nil }
    let others = sized.filter { $0.size != most.key }
    let sizes = Set(others.compactMap { $0.size?.description }).sorted().joined(separator: ", ")
    finding = Finding(
      .fileUnequalSizes, .caution,
      "\(others.count) of \(frames.count) depth maps have another size than the others: \(sizes)",
      evidence: others[0].name)
    frameNames = others.map(\.name)
    worstFrame = others[0].name
  }

  /// The data of a frame that merging needs.
  struct Frame {
    var name: String
    /// The reason why it cannot be read; `nil` for a frame that can.
    var problem: String?
    var depthSize: RasterSize?
    var findings: [Finding]
  }

  /// The findings of a recording and of its frames, one entry for each code and severity of the
  /// latter, gravest first; frames that cannot be read, or differ in size, are among them.
  static func merged(_ whole: [Finding], frames: [Frame]) -> [MergedFinding] {
    var merged = whole.map { MergedFinding(of: $0) }
    let unreadable = frames.filter { $0.problem != nil }
    if let reason = unreadable.first?.problem {
      merged.append(
        MergedFinding(unreadable: unreadable.map(\.name), of: frames.count, firstReason: reason))
    }
    merged += MergedFinding(unequalSizes: frames.map { ($0.name, $0.depthSize) }).map { [$0] } ?? []
    var places: [String: Int] = [:]
    for frame in frames {
      for finding in frame.findings {
        let key = "\(finding.code.rawValue) \(finding.severity.rawValue)"
        guard let place = places[key] else {
          places[key] = merged.count
          var entry = MergedFinding(of: finding)
          entry.frameNames = [frame.name]
          entry.worstFrame = frame.name
          merged.append(entry)
          continue
        }
        if merged[place].frameNames.last != frame.name {
          merged[place].frameNames.append(frame.name)
        }
        if cost(finding) > cost(merged[place].finding) {
          merged[place].finding = finding
          merged[place].worstFrame = frame.name
        }
      }
    }
    let order: [Finding.Severity] = [.fault, .caution, .note]
    return order.flatMap { severity in merged.filter { $0.finding.severity == severity } }
  }

  /// The size of a finding's effect, for comparing two of one kind.
  private static func cost(_ finding: Finding) -> Double {
    abs(finding.effect.zMillimeters ?? 0) + abs(finding.effect.lengthPercent ?? 0)
  }
}
