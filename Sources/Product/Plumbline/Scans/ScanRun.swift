import PlumblineGeometry
import PlumblineModel
import PlumblineReconstruction
import PlumblineRecordings

extension SurfaceVolume: FusedModel {}

/// A scan on its way: frames in their order, and the surfaces so far.
struct ScanRun {
  let reader: ScanFrameReader
  let settings: ScanSettings
  let voxels: ScanVoxels
  private(set) var fuser: ScanFuser<SurfaceVolume>
  /// What an earlier run knows of the frames, and where this one keeps it; `nil` where nothing is kept.
  private let journal: ScanJournal?
  private(set) var names: [String] = []
  /// The place in the recording of each frame of the trajectory.
  private(set) var places: [Int] = []
  var leftOut: [Scan.LeftOutFrame] = []
  private(set) var doneCount = 0
  /// What the loops of the path say; `nil` before they are looked for.
  var closure: LoopClosure?
  /// The frames at corrected poses, and the surfaces that they are fused into; `nil` where none were corrected.
  var corrected: CorrectedScan?
  private(set) var extents: [FrameExtent] = []
  private var knownCount = 0
  private var rate = ScanRate()
  /// Whether the work was ended before the last frame.
  var wasStopped = false

  init(
    reader: ScanFrameReader, settings: ScanSettings, voxels: ScanVoxels,
    sensed: SensedRotations = SensedRotations([]), journal: ScanJournal? = nil
  ) {
    self.journal = journal
    self.reader = reader
    self.settings = settings
    self.voxels = voxels
    let volume = voxels.volume
    let limits = Self.limits
    fuser = ScanFuser(limits: limits, sensed: sensed) { SurfaceVolume(volume) }
  }

  /// When frames count as tracked, and which of them are fused.
  static var limits: FusionLimits {
    var limits = FusionLimits()
    limits.viewFrames = 8
    // Of 60 frames a second every second one.
    limits.fusionSeconds = 0.03
    return limits
  }

  /// Takes the next frame, which has a place in the recording.
  mutating func add(
    _ frame: Result<ScanFrame, ScanFrameReader.Unusable>, at place: Int, named name: String
  ) throws {
    var entry = ScanJournalEntry(name: name, checksum: nil, unusable: nil, tracked: nil)
    switch frame {
    case .failure(let reason): entry.unusable = reason.text
    case .success(let frame) where journal != nil: entry.checksum = frame.checksum
    case .success: break
    }
    let known = journal?.known(at: doneCount)
    if let known {
      guard known.name == name, known.checksum == entry.checksum else {
        throw ScanJournalError.otherFrame(name: name)
      }
      knownCount += 1
    }
    if case .success(let frame) = frame {
      entry.tracked = try fuse(frame, known: known)
      names.append(name)
      places.append(place)
      if let extent = FrameExtent.of(frame) { extents.append(extent) }
    }
    try journal?.append(entry, at: doneCount)
    doneCount += 1
    rate.add()
    let lost = entry.tracked.flatMap { $0.isFused ? nil : $0.state.reason }
    if let reason = entry.unusable ?? lost {
      leftOut.append(Scan.LeftOutFrame(name: name, reason: reason))
    }
  }

  private mutating func fuse(
    _ frame: ScanFrame, known: ScanJournalEntry?
  ) throws -> TrackedFrame {
    do {
      guard settings.refinesPoses else {
        return try fuser.addAtRecordedPose(frame, threads: settings.threads)
      }
      guard let known = known?.tracked else {
        return try fuser.add(frame, threads: settings.threads)
      }
      guard fuser.isNext(known) else {
        throw ScanJournalError.otherFrame(name: "\(known.index)")
      }
      try fuser.add(frame, known: known, threads: settings.threads)
      return known
    } catch let error as VolumeLimitError {
      throw voxels.error(error)
    }
  }

  /// How far the second pass is, after so many of its frames.
  mutating func progress(ofSecondPass doneCount: Int, of frameCount: Int) -> ScanProgress {
    if doneCount == 1 { rate = ScanRate() }
    rate.add()
    var progress = progress(of: frameCount, stage: .fusingAgain)
    progress.doneCount = doneCount
    return progress
  }

  /// How far the work is.
  func progress(of frameCount: Int?, stage: ScanProgress.Stage = .fusing) -> ScanProgress {
    let last = fuser.trajectory.frames.last
    var progress = ScanProgress(stage: stage, frameCount: frameCount)
    progress.doneCount = doneCount
    progress.fusedCount = doneCount - leftOut.count
    progress.lostCount = leftOut.count
    progress.knownCount = knownCount
    progress.isTracked = last?.isFused ?? true
    progress.medianMeters = last?.quality?.medianMeters.finite
    progress.medianSigmas = last?.quality?.medianSigmas.finite
    progress.framesPerSecond = rate.framesPerSecond
    return progress
  }
}

extension ScanFrameReader.Unusable {
  /// The reason as a sentence.
  var text: String {
    switch self {
    case .noMetricDepth: "it has no depth map in meters with a calibration that fits"
    case .unreadable(let reason): reason
    }
  }
}

extension TrackingState {
  /// Why a frame is not part of a surface.
  var reason: String {
    switch self {
    case .started, .tracked, .followed, .relocalized: "it is part of the surface"
    case .skipped: "too few of its pixels are measured and reliable"
    case .lost(.noOverlap): "it does not overlap what was fused, and no recorded motion leads there"
    case .lost(.disagreement):
      "it does not fit what was fused: something moved, or the camera moved too fast"
    case .lost(.jump): "the pose that fits lies too far from the expected one"
    case .lost(.undetermined): "what it sees does not fix its pose, and no motion was recorded"
    }
  }
}

extension Double {
  /// The number, or `nil` where it is not finite.
  fileprivate var finite: Double? { isFinite ? self : nil }
}
