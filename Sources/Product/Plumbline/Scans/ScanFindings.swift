import PlumblineIO
import PlumblineModel
import PlumblineReconstruction
import PlumblineVerification

/// What tracking found against a scan, or against the recorded poses of its frames.
struct ScanFindings {
  let scan: Scan

  private var frames: [TrackedFrame] { scan.trajectory.frames }

  /// All of them; none for a recording whose frames fit.
  var all: [Finding] {
    let found = [
      unusable, lost, open, refused, pieces, moved, overlap, skipped, single, poorFit,
      openDirection, scale, bend,
    ]
    return found.compactMap(\.self) + recordedPoses
  }

  /// What the recorded poses say against each other: frames without one, jumps, no motion at all.
  private var recordedPoses: [Finding] {
    TrajectoryAssessment(
      frames.map {
        FrameFacts(
          name: scan.frameNames[$0.index], timestampSeconds: $0.timestampSeconds,
          worldFromCamera: $0.recordedWorldFromCamera)
      }
    ).findings
  }

  /// Frames that never came to tracking.
  private var unusable: Finding? {
    let tracked = Set(scan.frameNames)
    let left = scan.leftOut.filter { !tracked.contains($0.name) }
    guard let first = left.first else { return nil }
    return Finding(
      .sequenceUnreadableFrames, .caution,
      "\(left.count) of \(scan.frameCount.counting("frame")) cannot be used; the first: \(first.reason)",
      evidence: "frame \(printable(text: first.name))")
  }

  private var lost: Finding? {
    finding(.scanTrackingLost, .caution, "do not fit the surface so far and are left out") {
      if case .lost(let reason) = $0.state {
        reason != .undetermined && (reason != .jump || $0.recordedWorldFromCamera == nil)
      } else {
        false
      }
    }
  }

  /// Frames that no motion, depth or color places along what they see.
  private var open: Finding? {
    finding(
      .scanPoseOpen, .caution,
      "see nothing that fixes their pose, such as one flat wall, and no recorded motion does: they are "
        + "left out"
    ) { $0.state == .lost(.undetermined) }
  }

  /// Frames whose motion the recording contradicts, with how far they moved against what it says.
  private var refused: Finding? {
    let ratios = refusedRatios
    let ratio = ratios.isEmpty ? nil : ratios[ratios.count / 2]
    let measured = ratio.map {
      ": in the middle the camera moved \($0.fixed(2)) times as far as recorded"
    }
    return finding(
      .scanMotionRefused, .caution,
      "fit only where the recorded motion does not lead, and are left out\(measured ?? "")",
      effect: Finding.Effect(lengthPercent: ratio.map { abs($0 - 1) * 100 })
    ) { $0.state == .lost(.jump) && $0.recordedWorldFromCamera != nil }
  }

  /// How far the refused frames moved since the last fused one, over how far they are recorded to; sorted.
  private var refusedRatios: [Double] {
    var ratios: [Double] = []
    var before: TrackedFrame?
    for frame in frames {
      if frame.isFused { before = frame }
      guard let refused = frame.refusedWorldFromCamera, let last = before,
        let pose = last.estimate?.aFromB, let recordedBefore = last.recordedWorldFromCamera,
        let recorded = frame.recordedWorldFromCamera
      else { continue }
      let told = Self.length((recordedBefore.inverse * recorded).translation)
      // A shorter motion is that of a hand that stands still.
      guard told > Self.leastMotionMeters else { continue }
      ratios.append(Self.length((pose.inverse * refused).translation) / told)
    }
    return ratios.sorted()
  }

  private static let leastMotionMeters = 0.005

  private var pieces: Finding? {
    guard scan.fragments.count > 1 else { return nil }
    return Finding(
      .scanInPieces, .caution,
      "there are \(scan.fragments.count) surfaces, whose places to each other are not known",
      evidence: scan.fragments.map { $0.frameCount.counting("frame") }.joined(separator: ", "))
  }

  /// Frames of which much lies in front of the surface or behind it.
  private var moved: Finding? {
    let registered = frames.filter { $0.isFused && $0.quality != nil }
    let count = registered.count { $0.quality?.inlierShare ?? 1 < Self.movedInlierShare }
    guard Double(count) > Self.movedFrameShare * Double(registered.count) else { return nil }
    return finding(
      .scanMoved, .caution,
      "have more than \((100 * (1 - Self.movedInlierShare)).fixed(0)) % of what they share with the "
        + "surface in another place than it: something moved"
    ) { $0.isFused && $0.quality?.inlierShare ?? 1 < Self.movedInlierShare }
  }

  /// See `Documentation/scan/report.md` for where real and simulated recordings lie.
  private static let movedInlierShare = 0.7
  private static let movedFrameShare = 0.1

  private var overlap: Finding? {
    // A few frames at a turn do not touch the whole.
    let count = frames.count { $0.state == .followed && $0.quality != nil }
    guard count > 0 else { return nil }
    return finding(
      .scanLowOverlap, Double(count) > 0.05 * Double(frames.count) ? .caution : .note,
      "share too little with the surface so far; their recorded motion alone places them"
    ) { $0.state == .followed && $0.quality != nil }
  }

  private var skipped: Finding? {
    finding(
      .scanFewPixels, .caution, "have hardly a measured, reliable pixel and are left out"
    ) { $0.state == .skipped }
  }

  private var single: Finding? {
    guard scan.fusedCount == 1 else { return nil }
    return Finding(
      .scanSingleFrame, .caution,
      "the surface is that of one frame of \(scan.frameCount): no second view confirms it")
  }

  private var poorFit: Finding? {
    let tracking = scan.tracking
    guard let sigmas = tracking.medianSigmas, sigmas > Self.doubtfulSigmas else { return nil }
    return Finding(
      .scanPoorFit, .caution,
      "frames miss the surface by \(sigmas.fixed(1)) times the noise of their pixels in the median, where "
        + "0.7 is expected; the ± of vertices is too small by about "
        + "\((sigmas / Self.expectedSigmas).fixed(1))",
      effect: Finding.Effect(zMillimeters: tracking.medianResidualMeters.map { 1000 * $0 }),
      evidence: "residuals along the normal of \(scan.fusedCount.counting("frame"))")
  }

  /// The median of |x|/σ of a normal distribution, and twice that, as for overlaps of recorded poses.
  private static let expectedSigmas = 0.67
  private static let doubtfulSigmas = 1.35

  private var openDirection: Finding? {
    let isOpen = { (frame: TrackedFrame) in
      frame.isFused
        && (frame.quality?.weakestShare ?? 1 < Self.openShare
          || frame.quality?.colorDirections ?? 0 > 0
          || frame.quality?.sensedDirections ?? 0 > 0)
    }
    guard 10 * frames.count(where: isOpen) > frames.count else { return nil }
    let byColor = frames.contains { isOpen($0) && $0.quality?.colorDirections ?? 0 > 0 }
    let byMotion = frames.contains { isOpen($0) && $0.recordedWorldFromCamera != nil }
    let bySensors = frames.contains { $0.quality?.sensedDirections ?? 0 > 0 }
    let words = [
      byMotion ? "the recorded motion" : nil, byColor ? "color" : nil,
      bySensors ? "the motion sensors" : nil,
    ].compactMap(\.self).joined(separator: " with ")
    return finding(
      .scanOpenDirection, .note,
      "see one wall or a corridor: along it only \(words) fixes the pose", where: isOpen)
  }

  /// One wall has 0.1 % of the information along it that it has across, measured on a LiDAR recording
  /// (`Documentation/scan.md`); a corner has some tens of percent.
  private static let openShare = 0.003

  private var scale: Finding? {
    let tracking = scan.tracking
    // Less than a percent, or of a path of a few hands, no registration tells.
    guard let ratio = tracking.pathRatio, abs(ratio - 1) > 0.01, tracking.pathMeters > 0.3 else {
      return nil
    }
    let percent = 100 * abs(ratio - 1)
    let words = ratio > 1 ? ("longer", "short", "long") : ("shorter", "long", "short")
    let shift = tracking.endShiftMeters.map {
      "; its end moved by \((1000 * $0).fixed(0)) mm"
    }
    return Finding(
      .sequencePosesScale, .caution,
      "the path that fits is \(percent.fixed(1)) % \(words.0) than the recorded one: that one is too "
        + "\(words.1) for the depths, or the depths are too \(words.2) for it",
      effect: Finding.Effect(lengthPercent: percent),
      evidence: "\(tracking.pathMeters.fixed(2)) m of path\(shift ?? "")")
  }

  /// How the depths bend against the recorded path, where that is more than chance.
  private var bend: Finding? {
    guard let bend = scan.depthBend, bend.isSure else { return nil }
    let (value, sigma) = (100 * abs(bend.perMeter), 100 * bend.sigmaPerMeter)
    let all = bend.perMeter + scan.takenBendPerMeter
    return Finding(
      .sequencePosesScale, .caution,
      "depths are too \(bend.perMeter > 0 ? "long" : "short") by \(value.fixed(1)) ± "
        + "\(sigma.fixed(1)) % more with each meter, which no scale of the path explains",
      evidence: "a bend of \(all.fixed(4)) per meter", remedies: [.takeOutBend])
  }

  /// A finding about the frames that a condition holds for; `nil` where it holds for none.
  private func finding(
    _ code: FindingCode, _ severity: Finding.Severity, _ words: String,
    effect: Finding.Effect = Finding.Effect(), where isMeant: (TrackedFrame) -> Bool
  ) -> Finding? {
    let meant = frames.filter(isMeant)
    guard !meant.isEmpty else { return nil }
    return Finding(
      code, severity, "\(meant.count) of \(frames.count.counting("frame")) \(words)",
      effect: effect, evidence: runs(of: meant))
  }

  /// Frames that follow each other as first–last, five at most.
  private func runs(of meant: [TrackedFrame]) -> String {
    var runs: [(first: Int, last: Int)] = []
    for frame in meant {
      if let last = runs.last, last.last + 1 == frame.index {
        runs[runs.count - 1].last = frame.index
      } else {
        runs.append((frame.index, frame.index))
      }
    }
    let texts = runs.prefix(5).map { run in
      let first = printable(text: scan.frameNames[run.first])
      let last = printable(text: scan.frameNames[run.last])
      return run.first == run.last ? "frame \(first)" : "frames \(first) to \(last)"
    }
    return texts.joined(separator: ", ") + (runs.count > 5 ? ", …" : "")
  }

  private static func length(_ vector: SIMD3<Double>) -> Double {
    (vector * vector).sum().squareRoot()
  }
}

extension Scan {
  /// What speaks against the scan, its recorded poses or its frames, gravest first; frames are judged by some
  /// of them, evenly chosen.
  public var findings: [MergedFinding] {
    var whole = recordingFindings
    // What a reader has said is not said again.
    let told = Set(whole.map(\.code))
    whole += ScanFindings(scan: self).all.filter { !told.contains($0.code) }
    if let scale { whole.append(scale.finding) }
    return MergedFinding.merged(whole, frames: checkedFrames)
  }
}
