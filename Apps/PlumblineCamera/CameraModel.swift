import Foundation
import Observation
import Plumbline

/// What the screen shows, and what its buttons do.
@MainActor @Observable
final class CameraModel {
  /// All that, when it changes, makes the camera start anew.
  struct Stream: Hashable {
    var camera: CameraSelection
    var isFiltered: Bool
    var isWanted: Bool
    var attempt: Int
  }

  var camera = CameraSelection.trueDepth
  var isFiltered = false
  var isInForeground = true
  private(set) var isTakingPhoto = false
  private(set) var preview: CapturePreview?
  private(set) var status = CaptureStatus()
  private(set) var message: String?
  private(set) var recording: RunningRecording?
  private(set) var freeBytes: Int64?
  /// The stream to a computer, one more consumer of ``relay``.
  let streaming = StreamModel()
  /// The warning of what is too near.
  let proximity = ProximityModel()
  /// The running camera; who wants its frames takes `relay.events()` and disturbs nobody.
  private(set) var relay: DepthCameraRelay?
  private var attempt = 0

  var stream: Stream {
    Stream(
      camera: camera, isFiltered: isFiltered, isWanted: isInForeground && !isTakingPhoto,
      attempt: attempt)
  }

  var canRecord: Bool { relay != nil && recording == nil }
  var canTakePhoto: Bool { camera.takesPhotos && recording == nil && !isTakingPhoto }

  /// Runs the camera until the task is canceled or the camera ends.
  func run() async {
    let stream = stream
    guard stream.isWanted else { return }
    (preview, status, message) = (nil, CaptureStatus(), nil)
    // A recording that outlived the screen keeps its camera; a second one would take it away.
    let relay =
      recording?.relay
      ?? DepthCameraRelay(stream.camera.source(isFiltered: stream.isFiltered))
    self.relay = relay
    // A newer run may have begun by then.
    defer { if self.relay === relay { self.relay = nil } }
    do throws(DepthCameraError) {
      for try await event in relay.events() {
        status.take(event)
        if status.frames % 60 == 1 { freeBytes = CaptureLibrary.freeBytes }
        guard case .capture(let capture) = event else { continue }
        // Before the image is drawn: a warning is not kept waiting.
        proximity.take(capture)
        preview = await Self.drawn(capture, for: stream.camera)
        if streaming.isScanning, let code = await Self.code(in: capture) {
          streaming.start(code: code)
        }
      }
    } catch { message = error.description }
  }

  /// Starts the camera again after an error.
  func retry() { attempt += 1 }

  /// Records what the camera delivers from now on.
  func startRecording() {
    guard let relay, recording == nil else { return }
    let (name, stop) = (CaptureLibrary.newName(extension: "mcap"), RecordingStop())
    recording = RunningRecording(name: name, relay: relay, stop: stop)
    message = nil
    let (progress, continuation) = AsyncStream.makeStream(
      of: RecordingStatistics.self, bufferingPolicy: .bufferingNewest(1))
    Task {
      for await statistics in progress { recording?.statistics = statistics }
    }
    let header = RecordingHeader(worldAxes: camera.worldAxes, origin: "PlumblineCamera")
    Task {
      let text = await Self.record(
        MCAPFileRecorder(relay, header: header), name: name, stop: stop, progress: continuation)
      recording = nil
      message = text
    }
  }

  /// Ends the recording; its file is finished a moment later.
  func stopRecording() { recording?.stop.request() }

  /// Takes a photo; the stream pauses, since photos need a session of their own.
  func takePhoto() async {
    guard let device = camera.device, canTakePhoto else { return }
    isTakingPhoto = true
    defer { isTakingPhoto = false }
    // The camera has one user at a time; the stream ends as soon as the screen has noticed.
    while relay != nil { try? await Task.sleep(for: .milliseconds(20)) }
    let photographer = AVFoundationPhotoCamera(
      device, settings: isFiltered ? DepthPhotoSettings() : .metrology)
    do throws(DepthCameraError) {
      try await photographer.start()
      await photographer.run()
      let files = try await photographer.photo()
      message = CaptureLibrary.store(files, extension: "heic")
    } catch { message = error.description }
    await photographer.stop()
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
