import Foundation
import Observation
import Plumbline
import PlumblineScreens

/// Runs the TrueDepth camera of the screen with faces, and fits heads to its frames.
@MainActor @Observable
final class FacesModel {
  /// All that, when it changes, makes the camera start anew.
  struct Run: Hashable {
    var isWanted: Bool
    var attempt: Int
  }

  /// States.
  private(set) var screen = FacesScreen()
  var isActive = true
  /// The head that is shown in space; `nil` for none.
  var shown: URL?
  private(set) var preview: CapturePreview?
  private(set) var files: [URL] = []
  private var morphable: MorphableModel?
  private var latest: Capture?
  private var attempt = 0

  var run: Run { Run(isWanted: isActive && screen.needsCamera, attempt: attempt) }

  /// Reads the morphable model, where one was imported before.
  func load() async {
    guard morphable == nil, ModelLibrary.bytes(Self.modelName) != nil else { return }
    do {
      let model = try await Self.read()
      morphable = model
      screen.loaded(modelName: model.name)
    } catch { screen.fail("\(error)") }
  }

  /// Takes a file that the user chose.
  func take(_ file: Result<URL, any Error>) async {
    do {
      _ = try await ModelLibrary.take(from: file.get())
      await load()
    } catch { screen.fail("\(error)") }
  }

  /// Runs the camera until the task is canceled or the camera ends.
  func runCamera() async {
    guard run.isWanted else { return }
    let camera = CameraSelection.trueDepth
    do throws(DepthCameraError) {
      for try await event in camera.source(isFiltered: false).events() {
        guard case .capture(let capture) = event else { continue }
        latest = capture
        preview = await Self.drawn(capture, for: camera)
        guard !Task.isCancelled else { return }
      }
    } catch { screen.fail(error.description) }
  }

  /// Starts the camera again after an error.
  func retry() { attempt += 1 }

  /// Fits the latest frame.
  func fit() async {
    guard let latest, let morphable, screen.beginFitting() else { return }
    do {
      let (summary, files) = try await Self.fitted(latest, morphable)
      self.files = files
      screen.show(summary)
    } catch { screen.fail("\(error)") }
  }

  /// Goes back to the camera.
  func again() { screen.again() }

  nonisolated private static let modelName = "model." + FacesScreen.modelExtension

  @concurrent private static func read() async throws -> MorphableModel {
    try MorphableModel(path: ModelLibrary.path(modelName))
  }

  @concurrent private static func drawn(
    _ capture: Capture, for camera: CameraSelection
  ) async -> CapturePreview {
    CapturePreview(capture, colors: camera.previewColors, isMirror: camera.isAtFront)
  }

  @concurrent private static func fitted(
    _ capture: Capture, _ model: MorphableModel
  ) async throws -> (FaceSummary, [URL]) {
    let (name, finder) = (CaptureLibrary.time, VisionFaceFinder())
    let summary = try HeadFitter(model, landmarkerName: VisionFaceFinder.name)
      .fit(capture, named: name) { try finder.faces(in: $0) }
    guard !summary.faces.faces.isEmpty else { return (summary, []) }
    // A folder of their own: the files of a mesh name each other.
    let folder = CaptureLibrary.folder.appending(
      path: name + "-face", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var files: [URL] = []
    for file in try summary.files {
      let url = folder.appending(path: file.name)
      try Data(file.bytes).write(to: url, options: .atomic)
      files.append(url)
    }
    return (summary, files)
  }
}
