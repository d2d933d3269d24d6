public import PlumblineFormats
public import PlumblineModel
public import PlumblineVerification

/// A folder of frames, judged frame by frame; one frame is in memory at a time.
public struct SequenceCheck: Sendable {
  /// What is kept of one frame.
  public struct Frame: Sendable {
    /// Its name.
    public var name: String
    /// Its verdict; a frame that cannot be read is `untrusted`.
    public var verdict: Verdict
    /// The verdict in a sentence, or why the frame cannot be read.
    public var reason: String
    /// Whether it could be read.
    public var isReadable: Bool
    /// The size of its depth map; `nil` without one.
    public var depthSize: RasterSize?
    /// The statistics of its corrected depths; `nil` without any.
    public var statistics: DepthStatistics?
    /// One standard deviation of its depths at their median, in millimeters; `nil` when unknown.
    public var sigmaMillimeters: Double?
    /// How far lengths across the image may be off, in percent; `nil` when unknown.
    public var lengthPercent: Double?
    /// Its findings.
    public var findings: [Finding]
  }

  /// One kind of finding in all frames.
  public struct MergedFinding: Sendable {
    /// The finding of the frame where it costs most.
    public var finding: Finding
    /// The names of the frames that have it; none for a finding about the folder.
    public var frameNames: [String]
    /// The frame where it costs most; `nil` for a finding about the folder.
    public var worstFrame: String?
  }

  /// The name that outputs carry.
  public var folderName: String
  /// What made the folder.
  public var layout: String
  /// The side of the board's squares in meters, where the folder says it.
  public var boardSquareMeters: Double?
  /// The frames in the order of their time.
  public var frames: [Frame]
  /// The findings of all frames, gravest first.
  public var findings: [MergedFinding]

  /// Reads, corrects and judges every frame.
  ///
  /// - Parameters:
  ///   - sequence: The frames.
  ///   - folderName: The name that outputs carry.
  ///   - progress: Called before each frame with its index.
  /// - Precondition: The sequence has a frame. Cost: that of a ``CaptureCheck`` for each frame.
  public init(
    _ sequence: Recording, folderName: String, progress: (Int) -> Void = { _ in }
  ) {
    precondition(!sequence.frameNames.isEmpty, "a sequence without frames cannot be judged")
    self.folderName = folderName
    layout = sequence.layout
    boardSquareMeters = sequence.boardSquareMeters
    frames = []
    for index in sequence.frameNames.indices {
      progress(index)
      frames.append(Frame(index, of: sequence))
    }
    findings = Self.merged(sequence.findings, frames)
  }

  /// The verdict of the middle frame when frames are ordered from best to worst, of two middles
  /// the worse: what the larger part of the recording is good for.
  public var verdict: Verdict { frames[chosenIndex].verdict }

  /// The frame that stands for all: the first in time that has the overall verdict.
  public var chosenIndex: Int {
    let order: [Verdict] = [.measurable, .corrected, .relative, .untrusted]
    let ranks = frames.map { order.firstIndex(of: $0.verdict) ?? order.count }
    let middle = ranks.sorted()[ranks.count / 2]
    return ranks.firstIndex(of: middle) ?? 0
  }

  /// The names of the frames whose verdict is another than the overall one.
  public var differingFrameNames: [String] {
    frames.filter { $0.verdict != verdict }.map(\.name)
  }

  /// The middle of a number over the frames that have it, of two middles the lower; `nil` where
  /// none has it.
  public func median(_ number: (Frame) -> Double?) -> Double? {
    let sorted = frames.compactMap(number).sorted()
    return sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
  }

  private static func merged(_ folder: [Finding], _ frames: [Frame]) -> [MergedFinding] {
    var merged = folder.map { MergedFinding(finding: $0, frameNames: []) }
    let unreadable = frames.filter { !$0.isReadable }
    if let first = unreadable.first {
      merged.append(
        MergedFinding(
          finding: Finding(
            .sequenceUnreadableFrames, .caution,
            "\(unreadable.count) of \(frames.count) frames cannot be read; \(first.reason)",
            evidence: first.name), frameNames: unreadable.map(\.name), worstFrame: first.name))
    }
    if let unequal = unequalSizes(frames) { merged.append(unequal) }
    var places: [String: Int] = [:]
    for frame in frames {
      for finding in frame.findings {
        let key = "\(finding.code.rawValue) \(finding.severity.rawValue)"
        guard let place = places[key] else {
          places[key] = merged.count
          merged.append(
            MergedFinding(finding: finding, frameNames: [frame.name], worstFrame: frame.name))
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

  /// The frames whose depth map has another size than most, if any.
  private static func unequalSizes(_ frames: [Frame]) -> MergedFinding? {
    let sized = frames.filter { $0.depthSize != nil }
    let groups = Dictionary(grouping: sized) { $0.depthSize }
    guard groups.count > 1,
      let most = groups.max(by: {
        ($0.value.count, $1.value[0].name) < ($1.value.count, $0.value[0].name)
      })
    else { return nil }
    let others = sized.filter { $0.depthSize != most.key }
    let sizes = Set(others.compactMap { $0.depthSize?.description }).sorted().joined(
      separator: ", ")
    return MergedFinding(
      finding: Finding(
        .fileUnequalSizes, .caution,
        "\(others.count) of \(frames.count) depth maps have another size than the others: \(sizes)",
        evidence: others[0].name), frameNames: others.map(\.name), worstFrame: others[0].name)
  }

  /// What a finding costs, for comparing two of one kind.
  private static func cost(_ finding: Finding) -> Double {
    abs(finding.effect.zMillimeters ?? 0) + abs(finding.effect.lengthPercent ?? 0)
  }
}

extension SequenceCheck.Frame {
  /// Reads and judges one frame; its color is not needed.
  init(_ index: Int, of sequence: Recording) {
    name = sequence.frameNames[index]
    do {
      let check = try CaptureCheck(sequence.capture(at: index, color: .none), fileName: name)
      let assessment = check.assessment
      verdict = assessment.verdict
      reason = assessment.reason
      isReadable = true
      depthSize = check.capture.depth?.size
      statistics = assessment.statistics
      lengthPercent = assessment.uncertainty?.lengthPercent
      let isMetric = check.corrected?.isMetric == true
      sigmaMillimeters = assessment.statistics?.medianMeters.flatMap { median in
        isMetric ? assessment.uncertainty.map { $0.total.sigmaMeters(atDepth: median) * 1000 } : nil
      }
      findings = assessment.findings
    } catch {
      verdict = .untrusted
      reason = "\(error)"
      isReadable = false
      findings = []
    }
  }
}
