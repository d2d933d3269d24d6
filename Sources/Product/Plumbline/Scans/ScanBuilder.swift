import PlumblineGeometry
import PlumblineIO
import PlumblineModel
import PlumblineReconstruction
public import PlumblineRecordings

/// Makes a recording one surface, with the ± of each vertex and the pose of each frame.
///
/// ```swift
/// let (recording, _) = try CaptureInput.recording(path: "scan.r3d")
/// let scan = try ScanBuilder().build(recording)
/// ```
///
/// Frames are corrected and rectified, registered to what is fused so far, and fused; those that do not fit are
/// left out and named. Where the path comes back to a place, its loop is closed: if that moves the surface by more
/// than a voxel, all frames are read and fused once more at corrected poses. A few frames are in memory at a time.
public struct ScanBuilder: Sendable {
  /// What is scanned, and how finely.
  public var settings: ScanSettings
  /// By what the scale is checked; `nil` for nothing.
  public var scaleCheck: ScanScaleCheck?

  /// Creates a builder.
  public init(_ settings: ScanSettings = ScanSettings(), scaleCheck: ScanScaleCheck? = nil) {
    self.settings = settings
    self.scaleCheck = scaleCheck
  }

  /// Fuses the frames.
  ///
  /// - Parameters:
  ///   - recording: The frames.
  ///   - journal: Where the poses are kept, so that a run that was killed goes on; `nil` for nowhere.
  ///   - view: What shows the scan while it runs; `nil` for nowhere.
  ///   - progress: Called before anything is read, before the first frame with the memory that is foreseen, after each
  ///     frame of either pass, before places seen again are looked for and before the surface is made; `false` ends the work with what is fused by then, at
  ///     least the first frame. What it throws ends it without a result.
  /// - Returns: The surface and how it came about.
  /// - Throws: ``WorldCloudError`` where no frame has depths in meters with a calibration, ``ScanError``, the
  ///   ``CaptureReadingError`` of the first frame where none can be read, ``ScanJournalError`` and
  ///   ``OutputError`` of the journal. Cost: O(pixels) for each frame.
  public func build(
    _ recording: Recording, journal: ScanJournal? = nil, view: ScanView? = nil,
    progress: (ScanProgress) throws -> Bool = { _ in true }
  ) throws -> Scan {
    let indices = Array(stride(from: 0, to: recording.frames.count, by: settings.step))
    _ = try progress(ScanProgress(frameCount: indices.count))
    let (posed, poseFindings) = usingPoses(of: recording, indices: indices)
    let reader = try ScanFrameReader(posed, indices: indices, settings: settings)
    let scale = try scaleCheck?.measure(reader, threads: settings.threads)
    let voxels = try ScanVoxels.choose(settings) {
      reader.samples(of: indices, maximumDepth: settings.depthLimit)
    }
    let memory = try voxels.foreseen(of: indices, reader: reader, settings: settings)
    _ = try progress(ScanProgress(memory: memory, frameCount: indices.count))
    try journal?.begin(recording, indices: indices, settings: settings)
    let (sensed, motionFindings) = sensedRotations(of: posed, indices: indices)
    var run = ScanRun(
      reader: reader, settings: settings, voxels: voxels, sensed: sensed, journal: journal)
    let depthLimit = settings.depthLimit
    do {
      try OrderedWork(count: indices.count, threads: settings.threads).run { position in
        reader.result(at: indices[position], maximumDepth: depthLimit)
      } take: { position, frame in
        let place = indices[position]
        try run.add(frame, at: place, named: recording.frames[place].name)
        let state = run.progress(of: indices.count)
        view?.show(run, state, axes: posed.worldAxes, threads: settings.threads)
        guard try progress(state) else { throw Stopped() }
      }
      try closeLoops(&run, reader) { state in
        view?.show(state)
        guard try progress(state) else { throw Stopped() }
      }
    } catch is Stopped {
      run.wasStopped = true
      // A second pass that was not finished leaves the surfaces of the first one.
      run.corrected = nil
    }
    let state = run.progress(of: indices.count, stage: .surface)
    view?.show(state)
    _ = try progress(state)
    var scan = try run.finish(posed.worldAxes).finished(settings).textured(settings, by: reader)
    scan.scale = scale
    scan.foreseenBytes = memory.foreseenBytes
    scan.recordingFindings = posed.findings + poseFindings + motionFindings
    scan.checkedFrames = checkedFrames(of: recording, indices: indices)
    return scan
  }

  /// Closes loops, and fuses all frames again at corrected poses where that moves the surface.
  ///
  /// Both passes' volumes are in memory then: twice that of one.
  private func closeLoops(
    _ run: inout ScanRun, _ reader: ScanFrameReader, show: (ScanProgress) throws -> Void
  ) throws {
    guard settings.closesLoops, settings.refinesPoses else { return }
    try show(run.progress(of: nil, stage: .loops))
    let again = run.closeLoops()
    let (places, depthLimit) = (again.map { run.places[$0] }, settings.depthLimit)
    try OrderedWork(count: again.count, threads: settings.threads).run { position in
      reader.result(at: places[position], maximumDepth: depthLimit)
    } take: { position, frame in
      try run.fuseAgain(
        again[position], frame, named: reader.recording.frames[places[position]].name)
      try show(run.progress(ofSecondPass: position + 1, of: again.count))
    }
  }

  /// Ends the work early.
  struct Stopped: Error {}
}
