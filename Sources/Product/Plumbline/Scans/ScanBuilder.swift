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
/// left out and named. A few frames are in memory at a time.
public struct ScanBuilder: Sendable {
  /// What is scanned, and how finely.
  public var settings: ScanSettings

  /// Creates a builder.
  public init(_ settings: ScanSettings = ScanSettings()) { self.settings = settings }

  /// Fuses the frames.
  ///
  /// - Parameters:
  ///   - recording: The frames.
  ///   - journal: Where the poses are kept, so that a run that was killed goes on; `nil` for nowhere.
  ///   - view: What shows the scan while it runs; `nil` for nowhere.
  ///   - progress: Called before the first frame, after each one and before the surface is made; `false` ends
  ///     the work with what is fused by then, at least the first frame. What it throws ends it without a result.
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
    let reader = try ScanFrameReader(recording, indices: indices, hasColor: settings.hasColor)
    let voxels = try ScanVoxels.choose(settings) {
      reader.samples(of: indices, maximumDepth: settings.depthLimit)
    }
    try journal?.begin(recording, indices: indices, settings: settings)
    var run = ScanRun(reader: reader, settings: settings, voxels: voxels, journal: journal)
    let depthLimit = settings.depthLimit
    do {
      try OrderedWork(count: indices.count, threads: settings.threads).run { position in
        reader.result(at: indices[position], maximumDepth: depthLimit)
      } take: { position, frame in
        try run.add(frame, named: recording.frames[indices[position]].name)
        let state = run.progress(of: indices.count)
        view?.show(run, state, axes: recording.worldAxes, threads: settings.threads)
        guard try progress(state) else { throw Stopped() }
      }
    } catch is Stopped {
      run.wasStopped = true
    }
    let state = run.progress(of: indices.count, stage: .surface)
    view?.show(state)
    _ = try progress(state)
    return try run.finish(recording.worldAxes)
  }

  /// Ends the work early.
  struct Stopped: Error {}
}
