public import PlumblineModel

/// What the poses of a recording are worth: their path, its consistency with the depths, its scale, and
/// the world's up.
public struct PoseAssessment: Sendable {
  /// The path and its jumps.
  public var trajectory: TrajectoryAssessment
  /// The times of the frames and their gaps.
  public var clock: ClockAssessment
  /// The distance between the first and the last position, in meters.
  public var endMeters: Double
  /// How well overlapping frames agree; `nil` where none could be compared.
  public var consistency: PoseConsistency?
  /// The scale of the path against that of the depths; `nil` where too few pairs of frames tell.
  public var scale: PathScale?
  /// The tilt of the lowest level surface; `nil` where none is seen, or up is not known.
  public var floor: FloorTilt?
  /// The pairs of frames that were compared, which bounds the cost.
  public var comparedPairs: Int

  /// The findings: those of the path, and what the depths say against the poses.
  public var findings: [Finding] {
    var findings = trajectory.findings
    if let scale, scale.isDoubtful {
      let percent = abs(scale.ratio - 1) * 100
      let words = scale.ratio < 1 ? ("short", "long") : ("long", "short")
      findings.append(
        Finding(
          .sequencePosesScale, .caution,
          "the path is \(percent.fixed(1)) ± \((scale.sigma * 100).fixed(1)) % too \(words.0) for "
            + "the depths, or the depths are too \(words.1) for the path; frames that are joined do "
            + "not meet, and lengths across them are uncertain by as much",
          effect: Finding.Effect(lengthPercent: percent),
          evidence: scale.pairCount.counting("pair") + " of overlapping frames"))
    }
    if let worst = consistency?.worst, let sigmas = worst.medianSigmas,
      sigmas > Self.doubtfulSigmas
    {
      let apart = worst.seconds.map { "\($0.fixed(1)) s apart" } ?? "one after the other"
      findings.append(
        Finding(
          .sequencePosesDisagree, .caution,
          "frames \(apart) disagree by \((worst.medianMeters * 1000).fixed(0)) mm in the median, "
            + "\(sigmas.fixed(1)) times the ± of their depths; a surface that is joined "
            + "of them is that thick",
          evidence: worst.pairCount.counting("pair") + " of overlapping frames"))
    }
    if let floor, floor.isDoubtful {
      findings.append(
        Finding(
          .sequencePosesTilted, .caution,
          "the lowest level surface is tilted by \(floor.degrees.fixed(1)) ± "
            + "\(floor.sigmaDegrees.fixed(1))° against the up of the recording's world",
          evidence: "seen in \(floor.frameCount.counting("frame"))"))
    }
    return findings
  }

  /// Twice the 0.67 that independent errors of the stated ± give.
  static let doubtfulSigmas = 1.35
}

/// Compares overlapping frames of a recording.
package struct PoseAssessor: Sendable {
  /// The most threads; the result does not depend on it.
  package var threads: Int

  /// Creates an assessor; at least one thread.
  package init(threads: Int) { self.threads = max(1, threads) }

  /// One thing to look at.
  private enum Job: Sendable {
    case gap(Int, FramePairs.Pair)
    case revisit(FramePairs.Pair)
    case floor(Int)
  }

  /// What was seen.
  private struct Answer: Sendable {
    var statistics: FrameOverlap.Statistics?
    var pathFactor: FrameOverlap.PathFactor?
    var levelPoints: FloorFinder.LevelPoints = []
  }

  /// The gaps whose pairs tell the scale of the path, by their places in ``FramePairs/gaps``: 0.5 to
  /// 2 s, long enough for a path and short enough for an overlap.
  private static let scaleGaps = 1...3
  /// The shortest path between two frames that tells a scale, in meters.
  private static let leastPath = 0.05

  /// Assesses the poses of a recording.
  ///
  /// - Parameters:
  ///   - facts: All frames in their order.
  ///   - worldAxes: The axes of the world of the poses.
  ///   - depth: Reads the depths of the frame of an index with its pose; `nil` where it has none in
  ///     meters. Several threads call it at the same time.
  /// - Returns: `nil` where no frame has a pose.
  /// - Complexity: At most 144 pairs and 24 single frames are read, whatever the recording's length.
  package func assess(
    _ facts: [FrameFacts], worldAxes: WorldAxes, depth: (Int) -> PosedDepth?
  ) -> PoseAssessment? {
    let trajectory = TrajectoryAssessment(facts)
    let poses = facts.compactMap(\.worldFromCamera)
    guard let first = poses.first, let last = poses.last else { return nil }
    let end = last.translation - first.translation
    var assessment = PoseAssessment(
      trajectory: trajectory, clock: ClockAssessment(facts),
      endMeters: (end * end).sum().squareRoot(), comparedPairs: 0)
    // Poses that are all the same say nothing that could be compared.
    guard !trajectory.isStill else { return assessment }
    let pairs = FramePairs(facts)
    let axes = FloorFinder.axes(of: worldAxes)
    let jobs = jobs(pairs, seesUp: axes != nil)
    var answers = [Answer](repeating: Answer(), count: jobs.count)
    answers.withUnsafeMutableBufferPointer { answers in
      forEachConcurrently(jobs.count, threads: threads) { index in
        answers[index] = Self.answer(jobs[index], axes: axes, isTimed: pairs.isTimed, depth: depth)
      }
    }
    Self.join(Array(zip(jobs, answers)), pairs, facts, into: &assessment)
    return assessment
  }

  /// Everything to look at, in a fixed order.
  private func jobs(_ pairs: FramePairs, seesUp: Bool) -> [Job] {
    var jobs: [Job] = []
    if pairs.isTimed {
      for (place, gap) in FramePairs.gaps.enumerated() {
        jobs += pairs.pairs(apart: gap).map { .gap(place, $0) }
      }
      jobs += pairs.revisits.map { .revisit($0) }
    } else {
      jobs += pairs.successivePairs.map { .gap(0, $0) }
    }
    if seesUp { jobs += pairs.successivePairs.map { .floor($0.first) } }
    return jobs
  }

  private static func answer(
    _ job: Job, axes: Rotation?, isTimed: Bool, depth: (Int) -> PosedDepth?
  ) -> Answer {
    var answer = Answer()
    switch job {
    case .floor(let index):
      if let axes, let frame = depth(index) {
        answer.levelPoints = FloorFinder.levelPoints(of: frame, axes: axes)
      }
    case .gap(let place, let pair):
      guard let target = depth(pair.first), let source = depth(pair.second) else { break }
      let overlap = FrameOverlap(of: source, in: target)
      answer.statistics = overlap.statistics
      if !isTimed || scaleGaps.contains(place), overlap.pathMeters >= leastPath {
        answer.pathFactor = overlap.pathFactor()
      }
    case .revisit(let pair):
      guard let target = depth(pair.first), let source = depth(pair.second) else { break }
      answer.statistics = FrameOverlap(of: source, in: target).statistics
    }
    return answer
  }

  private static func join(
    _ results: [(job: Job, answer: Answer)], _ pairs: FramePairs, _ facts: [FrameFacts],
    into assessment: inout PoseAssessment
  ) {
    let jumpNames = Set(assessment.trajectory.jumps.map(\.frame))
    let jumps = facts.indices.filter { jumpNames.contains(facts[$0].name) }
    var factors: [(first: Int, factor: FrameOverlap.PathFactor)] = []
    for (job, answer) in results {
      // A path with a jump in it has no scale.
      guard case .gap(_, let pair) = job, let factor = answer.pathFactor,
        !jumps.contains(where: { pair.first < $0 && $0 <= pair.second })
      else { continue }
      factors.append((pair.first, factor))
    }
    let (consistency, count) = Self.consistency(results, pairs)
    assessment.consistency = consistency
    assessment.comparedPairs = count
    // Sorted by time; pairs that begin with the same frame stay in the order of their gaps.
    let order = factors.indices.sorted { (factors[$0].first, $0) < (factors[$1].first, $1) }
    assessment.scale = PathScale(order.map { factors[$0].factor })
    assessment.floor = FloorFinder.tilt(of: results.map(\.answer.levelPoints))
  }

  /// What all pairs say together, and how many of them were compared; `nil` for none.
  private static func consistency(
    _ results: [(job: Job, answer: Answer)], _ pairs: FramePairs
  ) -> (PoseConsistency?, pairCount: Int) {
    var gaps = [[(statistics: FrameOverlap.Statistics, pathMeters: Double)]](
      repeating: [], count: FramePairs.gaps.count)
    var revisits: [(statistics: FrameOverlap.Statistics, pathMeters: Double)] = []
    var revisitSeconds: [Double] = []
    for (job, answer) in results {
      guard let statistics = answer.statistics else { continue }
      switch job {
      case .floor: break
      case .gap(let place, let pair):
        gaps[place].append((statistics, pairs.pathMeters(of: pair)))
      case .revisit(let pair):
        revisits.append((statistics, pairs.pathMeters(of: pair)))
        if let seconds = pairs.seconds(of: pair) { revisitSeconds.append(seconds) }
      }
    }
    let found = gaps.enumerated().compactMap { place, gap in
      PoseConsistency.Gap(seconds: pairs.isTimed ? FramePairs.gaps[place] : nil, gap)
    }
    let again = PoseConsistency.Gap(seconds: revisitSeconds.lowerMedian, revisits)
    return (
      found.isEmpty && again == nil ? nil : PoseConsistency(gaps: found, revisits: again),
      gaps.reduce(revisits.count) { $0 + $1.count }
    )
  }

  /// Compares overlapping frames at other poses than those of their recording.
  ///
  /// - Parameters:
  ///   - frames: The time and the pose of each frame, `nil` where it is not known.
  ///   - depth: As in ``assess(_:worldAxes:depth:)``, with the pose that is given.
  /// - Returns: `nil` where no two frames could be compared. Cost: at most 144 pairs are read.
  package func consistency(
    _ frames: [(seconds: Double?, pose: RigidTransform?)],
    depth: (Int, RigidTransform) -> PosedDepth?
  ) -> PoseConsistency? {
    let pairs = FramePairs(frames)
    let jobs = jobs(pairs, seesUp: false)
    var answers = [Answer](repeating: Answer(), count: jobs.count)
    answers.withUnsafeMutableBufferPointer { answers in
      forEachConcurrently(jobs.count, threads: threads) { index in
        let pair: FramePairs.Pair
        switch jobs[index] {
        case .gap(_, let found), .revisit(let found): pair = found
        case .floor: return
        }
        guard let first = frames[pair.first].pose, let second = frames[pair.second].pose,
          let target = depth(pair.first, first), let source = depth(pair.second, second)
        else { return }
        answers[index].statistics = FrameOverlap(of: source, in: target).statistics
      }
    }
    return Self.consistency(Array(zip(jobs, answers)), pairs).0
  }
}
