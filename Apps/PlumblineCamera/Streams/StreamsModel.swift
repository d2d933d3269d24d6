import Foundation
import Observation
import Plumbline
import PlumblineScreens

/// Runs the camera of the screen with streams: for its preview, its recording and its server, which do
/// not disturb each other.
@MainActor @Observable
final class StreamsModel {
  /// A server and the camera that it gets; another value makes the stream start anew.
  struct ServerRun: Hashable {
    var link: StreamLink?
    var relay: ObjectIdentifier?
  }

  /// Choices and states.
  var screen = StreamsScreen()
  /// The latest frame; `nil` before the first.
  private(set) var preview: CapturePreview?
  /// The running camera; a further consumer takes `relay.events()` and disturbs no other.
  private(set) var relay: DepthCameraRelay?
  private var recording: (relay: DepthCameraRelay, stop: RecordingStop)?

  /// What the server gets now.
  var serverRun: ServerRun {
    ServerRun(link: screen.server.link, relay: relay.map { ObjectIdentifier($0) })
  }

  /// Runs the camera until the task is canceled or the camera ends.
  func run() async {
    let request = screen.request
    guard request.isWanted else { return }
    screen.start()
    preview = nil
    // A recording that outlived the screen keeps its camera; a second one would take it away.
    let relay =
      recording?.relay
      ?? DepthCameraRelay(
        request.camera.source(isFiltered: request.isFiltered, color: .recording))
    self.relay = relay
    // A newer run may have begun by then.
    defer { if self.relay === relay { self.relay = nil } }
    var failure: DepthCameraError?
    do throws(DepthCameraError) {
      for try await event in relay.events() {
        screen.take(event)
        if screen.figures.status.frames % 60 == 1 { screen.freeBytes = CaptureLibrary.freeBytes }
        guard case .capture(let capture) = event else { continue }
        preview = await Self.drawn(capture, for: request.camera)
        if screen.server.isScanning, let code = await Self.code(in: capture) {
          screen.server.start(code: code)
        }
      }
    } catch { failure = error }
    if !Task.isCancelled { screen.end(failure) }
  }

  /// Records what the camera delivers from now on, or ends the recording.
  func toggleRecording() {
    if screen.recording.isOpen {
      if screen.recording.requestEnd() { recording?.stop.request() }
      return
    }
    let name = CaptureLibrary.newName(extension: "mcap")
    guard let relay, screen.recording.begin(name: name) else { return }
    let stop = RecordingStop()
    recording = (relay, stop)
    let (progress, continuation) = AsyncStream.makeStream(
      of: RecordingStatistics.self, bufferingPolicy: .bufferingNewest(1))
    Task {
      for await statistics in progress { screen.recording.take(statistics) }
    }
    let header = RecordingHeader(worldAxes: screen.camera.worldAxes, origin: "PlumblineCamera")
    let background = BackgroundWork(name: "Finish the recording")
    Task {
      let result = await Self.record(
        MCAPFileRecorder(relay, header: header), name: name, stop: stop, progress: continuation)
      recording = nil
      screen.recording.finish(result)
      background.end()
    }
  }

  /// Sends what the camera delivers until it ends; while a server is wanted, the next camera goes on.
  func send() async {
    guard let link = screen.server.link, let relay else { return }
    let (stop, publisher) = (RecordingStop(), ServerPublisher.publisher(to: link))
    let (progress, continuation) = AsyncStream.makeStream(
      of: PublishingStatus.self, bufferingPolicy: .bufferingNewest(1))
    Task {
      for await status in progress { screen.server.take(status) }
    }
    // A canceled stream would end without good-bye; this one is asked to end.
    let task = Task.detached {
      await publisher.run(relay, stop: stop) { continuation.yield($0) }
    }
    let outcome = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      stop.request()
    }
    continuation.finish()
    screen.server.finish(outcome.ending, summary: outcome.summary, of: link)
  }

  @concurrent private static func drawn(
    _ capture: Capture, for camera: CameraSelection
  ) async -> CapturePreview {
    CapturePreview(capture, colors: camera.previewColors, isMirror: camera.isAtFront)
  }

  @concurrent private static func code(in capture: Capture) async -> String? {
    LinkScanner.text(in: capture)
  }

  @concurrent private static func record(
    _ recorder: MCAPFileRecorder, name: String, stop: RecordingStop,
    progress: AsyncStream<RecordingStatistics>.Continuation
  ) async -> String {
    defer { progress.finish() }
    do throws(RecordingWritingError) {
      let outcome = try await recorder.record(
        into: CaptureLibrary.folder.appending(path: name).path(percentEncoded: false), stop: stop
      ) { progress.yield($0) }
      return outcome.summary(of: name)
    } catch { return error.description }
  }
}
