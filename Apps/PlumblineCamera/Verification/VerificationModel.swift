import Foundation
import Observation
import Plumbline
import PlumblineScreens

/// Runs the camera of the screen that verifies this device, and measures it.
@MainActor @Observable
final class VerificationModel {
  /// All that, when it changes, makes the camera start anew.
  struct Run: Hashable {
    var camera: CameraSelection
    var isWanted: Bool
  }

  /// Choices and states.
  var screen = VerificationScreen()
  var camera = CameraSelection.lidar
  var isActive = true
  /// The latest frame with the corners that were found; `nil` before the first.
  private(set) var preview: Raster<RGB8>?
  /// The files of the latest result.
  private(set) var files: [URL] = []

  var run: Run { Run(camera: camera, isWanted: isActive && screen.needsCamera) }

  /// Whether the camera is being measured.
  var isMeasuring: Bool {
    if case .measuring = screen.phase { return true }
    return false
  }

  /// Collects frames until the task is canceled, the camera ends or nothing is missing.
  func collect() async {
    guard run.isWanted, case .collecting(let capture) = screen.phase else { return }
    let (finder, camera) = (BoardFinder(capture.board), camera)
    var number = 0
    do throws(DepthCameraError) {
      for try await event in camera.source(isFiltered: false).events() {
        guard case .capture(let frame) = event else { continue }
        number += 1
        let (observation, image) = await Self.observed(frame, number: number, finder, camera)
        guard !Task.isCancelled else { return }
        screen.take(observation)
        preview = image
        guard screen.needsCamera else { return }
      }
    } catch { screen.fail(error.description) }
  }

  /// Measures the camera from the frames that were kept.
  func measure() async {
    guard case .measuring(let material) = screen.phase else { return }
    do {
      let (outcome, files) = try await Self.measured(material)
      self.files = files
      screen.show(outcome)
    } catch { screen.fail("\(error)") }
  }

  @concurrent private static func observed(
    _ frame: Capture, number: Int, _ finder: BoardFinder, _ camera: CameraSelection
  ) async -> (BoardObservation, Raster<RGB8>?) {
    let observation = finder.observation(of: frame, number: number, isMirror: camera.isAtFront)
    let preview = CapturePreview(frame, colors: camera.previewColors, isMirror: camera.isAtFront)
    return (observation, preview.color.map { observation.marked($0) })
  }

  @concurrent private static func measured(
    _ material: BoardMaterial
  ) async throws -> (VerificationOutcome, [URL]) {
    let outcome = try VerificationOutcome(material)
    let name = CaptureLibrary.time
    var files: [URL] = []
    for file in try outcome.files(named: name) {
      let url = CaptureLibrary.folder.appending(path: name + "-" + file.name)
      try Data(file.bytes).write(to: url, options: .atomic)
      files.append(url)
    }
    return (outcome, files)
  }
}
