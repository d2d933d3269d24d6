import PlumblineGeometry
import PlumblineModel
import PlumblineReconstruction
import PlumblineRecordings

extension SurfaceVolume: FusedModel {}

/// A scan on its way: frames in their order, and the surfaces so far.
struct ScanRun {
  private let reader: ScanFrameReader
  private let settings: ScanSettings
  private let voxels: ScanVoxels
  private var fuser: ScanFuser<SurfaceVolume>
  private var names: [String] = []
  private var leftOut: [Scan.LeftOutFrame] = []
  private var doneCount = 0
  /// Whether the work was ended before the last frame.
  var wasStopped = false

  init(reader: ScanFrameReader, settings: ScanSettings, voxels: ScanVoxels) {
    self.reader = reader
    self.settings = settings
    self.voxels = voxels
    let volume = voxels.volume
    var limits = FusionLimits()
    limits.viewFrames = 4
    fuser = ScanFuser(limits: limits) { SurfaceVolume(volume) }
  }

  /// Takes the next frame.
  mutating func add(
    _ frame: Result<ScanFrame, ScanFrameReader.Unusable>, named name: String
  ) throws {
    doneCount += 1
    switch frame {
    case .failure(let reason):
      leftOut.append(Scan.LeftOutFrame(name: name, reason: reason.text))
    case .success(let frame):
      names.append(name)
      let tracked = try fuse(frame)
      if !tracked.isFused {
        leftOut.append(Scan.LeftOutFrame(name: name, reason: tracked.state.reason))
      }
    }
  }

  private mutating func fuse(_ frame: ScanFrame) throws -> TrackedFrame {
    do {
      return try settings.refinesPoses
        ? fuser.add(frame, threads: settings.threads)
        : fuser.addAtRecordedPose(frame, threads: settings.threads)
    } catch let error as VolumeLimitError {
      throw voxels.error(error)
    }
  }

  /// How far the work is.
  func progress(of frameCount: Int) -> ScanProgress {
    ScanProgress(
      doneCount: doneCount, frameCount: frameCount, fusedCount: doneCount - leftOut.count,
      lostCount: leftOut.count, medianSigmas: fuser.trajectory.frames.last?.quality?.medianSigmas)
  }

  /// Makes the surfaces.
  func finish(_ recording: Recording) throws -> Scan {
    let (path, volumes) = (fuser.trajectory, fuser.fragments)
    guard path.frames.contains(where: \.isFused) else {
      throw ScanError.noFrame(
        frameCount: doneCount, firstReason: leftOut.first?.reason ?? "there are none")
    }
    var fragments: [Scan.Fragment] = []
    for (number, volume) in volumes.enumerated() {
      guard let mesh = try surface(of: volume) else { continue }
      fragments.append(
        Scan.Fragment(
          mesh: mesh, frameCount: path.frames.count { $0.isFused && $0.fragment == number }))
    }
    guard !fragments.isEmpty else {
      throw ScanError.noSurface(fusedCount: path.frames.count { $0.isFused })
    }
    fragments.sort { $0.frameCount > $1.frameCount }
    return Scan(
      fragments: fragments, frameNames: names, trajectory: path, leftOut: leftOut,
      givenCount: doneCount, voxelMeters: voxels.volume.voxelMeters, voxelReason: voxels.reason,
      volumeBytes: volumes.reduce(0) { $0 + $1.memoryBytes }, wasStopped: wasStopped,
      scaleSigma: reader.law.shared.perMeter, noiseBasis: reader.law.basis,
      axes: recording.worldAxes, assessment: reader.law.assessment)
  }

  /// The surface of a volume; `nil` without triangles.
  private func surface(of volume: SurfaceVolume) throws -> TriangleMesh? {
    let mesh = try volume.surface(threads: settings.threads).mesh
    return mesh.triangles.isEmpty ? nil : mesh
  }
}

/// The voxels of a scan, and why they have their size.
struct ScanVoxels {
  var volume: VolumeSettings
  var reason: String

  /// Takes the size that is set, else the one that follows from some frames, which are read only then.
  ///
  /// - Throws: ``ScanError`` where no frame has a pixel.
  static func choose(
    _ settings: ScanSettings, samples: () -> [ScanFrame]
  ) throws(ScanError) -> ScanVoxels {
    let limit = settings.maximumBytes / bytesOfBlock
    if let side = settings.voxelMeters {
      var volume = VolumeSettings(voxelMeters: side)
      volume.blockLimit = limit
      return ScanVoxels(volume: volume, reason: "as requested")
    }
    let samples = samples()
    guard let choice = VoxelSizeChoice.choose(samples) else {
      throw .noFrame(frameCount: samples.count, firstReason: "no pixel is measured and reliable")
    }
    var volume = VolumeSettings(voxelMeters: choice.voxelMeters)
    volume.blockLimit = limit
    let reason =
      switch choice.reason {
      case .pixelDistance:
        "pixels are \((1000 * choice.pixelMeters).fixed(1)) mm apart on the surface in the middle"
      case .noise:
        "twice the noise of a pixel, \((1000 * choice.noiseMeters).fixed(1)) mm in the middle"
      }
    return ScanVoxels(volume: volume, reason: reason)
  }

  /// A block of 8 × 8 × 8 voxels with color, at most.
  private static let bytesOfBlock = 7 << 10

  /// The error of a volume in this module's terms.
  func error(_ error: VolumeLimitError) -> ScanError {
    .memory(
      neededBytes: error.neededBlocks * Self.bytesOfBlock,
      limitBytes: error.blockLimit * Self.bytesOfBlock, voxelMeters: volume.voxelMeters)
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
