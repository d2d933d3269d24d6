import Observation
import Plumbline
import PlumblineScreens

/// Runs the camera of the screen with live depth and draws its frames.
@MainActor @Observable
final class StreamerModel {
  /// Choices and states.
  var screen = StreamerScreen()
  /// The latest frame as drawn; `nil` before the first.
  private(set) var drawing: FrameDrawing?

  /// Runs the camera until the task is canceled or the camera ends.
  func run() async {
    let request = screen.request
    guard request.isWanted else { return }
    screen.start()
    drawing = nil
    let camera = request.camera.source(isFiltered: request.isFiltered)
    var failure: DepthCameraError?
    do throws(DepthCameraError) {
      for try await event in camera.events() {
        guard let frame = screen.take(event) else { continue }
        let drawn = await Self.drawn(frame, on: screen)
        guard !Task.isCancelled else { return }
        screen.take(drawn)
        drawing = drawn
      }
    } catch { failure = error }
    // A canceled run was replaced by another one, whose state this is by now.
    if !Task.isCancelled { screen.end(failure) }
  }

  @concurrent private static func drawn(
    _ frame: Capture, on screen: StreamerScreen
  ) async -> FrameDrawing {
    screen.drawing(of: frame)
  }
}
