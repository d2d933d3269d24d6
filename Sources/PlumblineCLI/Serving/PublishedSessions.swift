import Dispatch
import Plumbline
import PlumblineServer
import Synchronization

/// Cameras elsewhere, such as phones: what their frames are worth is found out here, and they are
/// recorded where that is wanted.
final class PublishedSessions: Sendable {
  /// The time between two looks at a camera's numbers, in seconds.
  private static let lookSeconds = 0.5

  private let place: LiveRecordingPlace?
  private let recordings = DispatchGroup()

  init(recordedAt place: LiveRecordingPlace?) { self.place = place }

  /// Takes a camera in.
  func begin(_ camera: PublishedCamera) {
    StandardError.print("plumbline: \(camera.name) is here")
    Task.detached { await Self.judge(camera) }
    guard let place else { return }
    recordings.enter()
    Task.detached { [recordings] in
      await Self.record(camera, at: place)
      recordings.leave()
    }
  }

  /// Records a camera from its first frame on; one that sends none leaves no file.
  private static func record(_ camera: PublishedCamera, at place: LiveRecordingPlace) async {
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

  private static func judge(_ camera: PublishedCamera) async {
    var scenes = LiveSceneFinder()
    for await frame in camera.newestFrames() {
      if let scene = (try? frame.decoded()).flatMap({ scenes.next($0.capture) }) {
        camera.feed.show(scene: scene)
      }
      try? await Task.sleep(for: .seconds(lookSeconds))
    }
  }
}
