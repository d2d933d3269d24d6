import ArgumentParser
import Dispatch
import Plumbline
import PlumblineServer
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A camera on this machine, shown to a server's viewers and recorded where that is wanted.
final class LocalCamera: Sendable {
  private let camera: any DepthCameraSource
  private let header: RecordingHeader
  private let name: String
  private let hub: LiveHub
  private let place: LiveRecordingPlace?
  private let limits: ReadingLimits
  private let stop = RecordingStop()
  private let end = DispatchSemaphore(value: 0)
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(
    _ camera: any DepthCameraSource, header: RecordingHeader, name: String, hub: LiveHub,
    recordedAt place: LiveRecordingPlace?, limits: ReadingLimits
  ) {
    self.limits = limits
    self.camera = camera
    self.header = header
    self.name = name
    self.hub = hub
    self.place = place
  }

  /// Starts the camera, which viewers then see as a live feed.
  ///
  /// - Parameter failed: Called where nothing can be recorded.
  func start(_ failed: @escaping @Sendable (ExitCode) -> Void) {
    let feed = hub.begin(printable(text: name))
    let watched = WatchedCamera(
      camera, shownTo: HubSink(feed: feed), recordedColor: place?.options.color,
      limits: limits)
    task.withLock { task in
      task = Task.detached { [self] in
        feed.end(reason: await run(watched, feed, failed))
        end.signal()
      }
    }
  }

  /// Ends the camera and waits until its recording is finished.
  func finish() {
    stop.request()
    guard let task = task.withLock({ $0 }) else { return }
    if place == nil { task.cancel() }
    end.wait()
  }

  private func run(
    _ camera: WatchedCamera, _ feed: LiveFeed, _ failed: @Sendable (ExitCode) -> Void
  ) async -> String {
    guard let place else {
      do throws(DepthCameraError) {
        try await camera.show()
        return "the camera ended"
      } catch {
        return error.description
      }
    }
    do throws(RecordingWritingError) {
      let (outcome, path) = try await place.record(camera, header: header, feed: feed, stop: stop)
      StandardError.print(RecordText(outcome: outcome, output: path).text)
      if case .writingFailed(let error) = outcome.ending { failed(CommandExit.code(of: error)) }
      return "the camera ended"
    } catch {
      StandardError.print(
        "plumbline: \(printable(text: "\(error)"))\(CommandExit.help(for: error))")
      failed(CommandExit.code(of: error))
      return "it cannot be recorded"
    }
  }
}

/// Shows what a camera delivers to a server's viewers.
struct HubSink: LiveSink {
  let feed: LiveFeed

  func show(scene: [UInt8]) { feed.show(scene: scene) }

  func show(frame: [UInt8], sequence: Int, takenAt: ContinuousClock.Instant) {
    feed.show(frame: frame, sequence: sequence, moment: LiveMoment(takenAt))
  }

  func set(thermal: ThermalState) { feed.set(thermal: thermal) }

  func add(_ frames: DroppedFrame) { feed.add(frames) }
}

/// The sessions of remote cameras, such as phones: their frames are assessed here, and they are recorded
/// where that is wanted.
final class RemoteCameraSessions: Sendable {
  /// The time between two assessments of a camera's frames, in seconds.
  private static let assessmentSeconds = 0.5

  private let place: LiveRecordingPlace?
  private let recordings = DispatchGroup()

  init(recordedAt place: LiveRecordingPlace?) { self.place = place }

  /// Begins to assess the frames of a camera, and to record them where that is wanted.
  func begin(_ camera: RemoteCamera) {
    StandardError.print("plumbline: \(camera.name) is here")
    Task.detached { await Self.assess(camera) }
    guard let place else { return }
    recordings.enter()
    Task.detached { [recordings] in
      await Self.record(camera, at: place)
      recordings.leave()
    }
  }

  /// Records a camera from its first frame on; one that sends none leaves no file.
  private static func record(_ camera: RemoteCamera, at place: LiveRecordingPlace) async {
    let header = RecordingHeader(
      worldAxes: .unknown, origin: "\(PlumblineVersion.text) serve, \(camera.name)")
    do {
      guard let awaited = try await AwaitedCamera(camera) else {
        return StandardError.print("plumbline: \(camera.name) left without a frame")
      }
      let (outcome, path) = try await place.record(
        awaited, header: header, feed: camera.feed, stop: RecordingStop()
      ) { camera.report(storedFrames: $0) }
      StandardError.print(RecordText(outcome: outcome, output: path).text)
    } catch {
      StandardError.print(
        "plumbline: \(printable(text: "\(error)"))\(CommandExit.help(for: error))")
    }
  }

  /// Waits until all recordings are finished; the cameras have ended.
  func finish() { recordings.wait() }

  private static func assess(_ camera: RemoteCamera) async {
    var scenes = LiveSceneFinder()
    for await frame in camera.latestFrames() {
      if let scene = (try? frame.decoded()).flatMap({ scenes.next($0.capture) }) {
        camera.feed.show(scene: scene)
      }
      try? await Task.sleep(for: .seconds(assessmentSeconds))
    }
  }
}

/// Where live cameras are recorded: the first one in the file that was named, each other one beside it
/// with the next number that is free.
final class LiveRecordingPlace: Sendable {
  private let path: String
  private let existing: OutputTransaction.ExistingFiles
  /// The options of the recordings, such as the encoding of color.
  let options: MCAPRecordingOptions
  private let count = Mutex(0)
  /// The files of the command, which tasks of cameras do not inherit.
  private let filesRead = FilesRead.current

  init(path: String, existing: OutputTransaction.ExistingFiles, options: MCAPRecordingOptions) {
    self.path = path
    self.existing = existing
    self.options = options
  }

  /// Finds out whether a recording could be begun now; cameras come later.
  ///
  /// - Throws: `.output` where it could not.
  func tryOut() throws(RecordingWritingError) {
    try DiskRecordingFile.tryOut(path: path, existing: existing)
  }

  /// Records one camera and reports its progress to viewers, and `stored` how many frames a power cut
  /// would leave.
  func record(
    _ camera: any DepthCameraSource, header: RecordingHeader, feed: LiveFeed, stop: RecordingStop,
    stored: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(RecordingWritingError) -> (outcome: RecordingOutcome, path: String) {
    let path = nextPath()
    let recorder = MCAPFileRecorder(camera, header: header, options: options)
    let existing = existing
    let result: Result<RecordingOutcome, RecordingWritingError> =
      await FilesRead.$current.withValue(filesRead) {
        do throws(RecordingWritingError) {
          return .success(
            try await recorder.record(into: path, existing: existing, stop: stop) { statistics in
              feed.set(
                recording: StreamStatus.Recording(
                  path: path, frames: statistics.writtenFrames, stored: statistics.storedFrames,
                  bytes: statistics.byteCount))
              stored(statistics.storedFrames)
            })
        } catch { return .failure(error) }
      }
    return (try result.get(), path)
  }

  private func nextPath() -> String {
    count.withLock { count in
      count += 1
      // What an earlier run recorded of its second camera must not keep this one from being recorded.
      while count > 1, existing == .keep, isTaken(path(number: count)) { count += 1 }
      return path(number: count)
    }
  }

  private func path(number: Int) -> String {
    guard number > 1 else { return path }
    let ending = ".mcap"
    guard path.hasSuffix(ending) else { return "\(path)-\(number)" }
    return "\(path.dropLast(ending.count))-\(number)\(ending)"
  }

  private func isTaken(_ path: String) -> Bool {
    [path, path + ".partial"].contains { (name: String) in access(name, F_OK) == 0 }
  }
}
