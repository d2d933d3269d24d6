public import PlumblineCapture
public import PlumblineModel
import PlumblineRecordings

extension ScanBuilder {
  /// Fuses what a live camera sees, until it ends, a limit or `stop`.
  ///
  /// There is no queue: a frame that comes while another one is fused replaces the one that waits, and is counted.
  /// What is known of the depths, and the size of the voxels, follow from the first frame that can be used;
  /// ``ScanSettings/step`` has no effect. A camera that fails after a frame was fused ends the scan, which says so.
  ///
  /// - Parameters:
  ///   - camera: The camera.
  ///   - axes: Those of the world of its poses.
  ///   - secondsLimit: After how many seconds of the frames' own clock it ends; `nil` for no bound.
  ///   - stop: Ends it from elsewhere, such as a signal.
  ///   - view: What shows the scan while it runs; `nil` for nowhere.
  ///   - progress: Called before the first frame, after each one and before the surface is made.
  /// - Returns: The surface of the frames that were fused.
  /// - Throws: ``ScanError``; why no frame could be used; ``DepthCameraError`` of a camera that failed before;
  ///   what `progress` throws. Cost: O(pixels) for each frame.
  public func build(
    _ camera: any DepthCameraSource, axes: WorldAxes = .unknown, secondsLimit: Double? = nil,
    stop: RecordingStop, view: ScanView? = nil,
    progress: (ScanProgress) throws -> Void = { _ in }
  ) async throws -> Scan {
    try progress(ScanProgress())
    var live = LiveScan(settings: settings)
    do {
      let frames = LatestFrames(source: camera, secondsLimit: secondsLimit)
      live.droppedCount = try await frames.run(stop: stop) { entry, counts in
        try live.take(entry.capture, named: "\(entry.sequence)")
        live.droppedCount = counts.dropped
        guard let run = live.run, let state = live.progress(.fusing) else { return true }
        view?.show(run, state, axes: axes, threads: settings.threads)
        try progress(state)
        return true
      }.dropped
    } catch let error as DepthCameraError where live.run != nil {
      live.failure = "\(error)"
    }
    if let state = live.progress(.surface) {
      view?.show(state)
      try progress(state)
    }
    return try live.finish(axes)
  }
}

/// A scan of a live camera on its way: it begins with the first frame that can be used.
private struct LiveScan {
  let settings: ScanSettings
  var droppedCount = 0
  /// Why the camera ended before it was to.
  var failure: String?
  private(set) var run: ScanRun?
  private var reader: ScanFrameReader?
  /// Why the last frame could not begin the scan, and how many could not.
  private var refusal: (any Error)?
  private var refusedCount = 0

  /// What a camera saw cannot be read a second time.
  init(settings: ScanSettings) {
    var settings = settings
    settings.closesLoops = false
    settings.measuresConsistency = false
    settings.surface.textureSide = 0
    self.settings = settings
  }

  /// Takes the next frame.
  mutating func take(_ capture: Capture, named name: String) throws {
    let reader: ScanFrameReader
    if let known = self.reader {
      reader = known
    } else {
      do {
        reader = try ScanFrameReader(
          Recording(layout: "live", frames: [RecordedFrame(name: name)]) { _, _ in capture },
          indices: [0], settings: settings)
      } catch {
        refusal = error
        refusedCount += 1
        return
      }
    }
    let frame = Result { () throws(ScanFrameReader.Unusable) in
      try reader.frame(of: capture).upTo(depth: settings.depthLimit)
    }
    if run == nil {
      guard let first = try? frame.get() else {
        refusedCount += 1
        return
      }
      run = ScanRun(
        reader: reader, settings: settings, voxels: try ScanVoxels.choose(settings) { [first] })
      self.reader = reader
    }
    try run?.add(frame, at: 0, named: name)
  }

  /// How far it is; `nil` before it has begun.
  func progress(_ stage: ScanProgress.Stage) -> ScanProgress? {
    guard var state = run?.progress(of: nil, stage: stage) else { return nil }
    state.droppedCount = droppedCount
    return state
  }

  func finish(_ axes: WorldAxes) throws -> Scan {
    guard let run else {
      if let refusal { throw refusal }
      throw ScanError.noFrame(
        frameCount: refusedCount,
        firstReason: refusedCount == 0 ? "the camera gave none" : "none has depths in meters")
    }
    var scan = try run.finish(axes).finished(settings)
    scan.live = Scan.LiveSource(droppedCount: droppedCount, failure: failure)
    return scan
  }
}
