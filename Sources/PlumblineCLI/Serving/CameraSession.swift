import ArgumentParser
import Dispatch
import Plumbline
import PlumblineServer
import Synchronization

/// A camera on this machine, shown to a server's viewers and recorded where that is wanted.
final class CameraSession: Sendable {
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

  /// Starts the camera.
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
