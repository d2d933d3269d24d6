import Foundation
import Observation
import Plumbline
import PlumblineScreens

/// Runs the preview of the screen with photos, takes photos, keeps them and has them checked.
@MainActor @Observable
final class PhotosModel {
  /// Choices and states.
  var screen = PhotosScreen()
  /// The preview's latest image; `nil` before the first.
  private(set) var preview: Raster<RGB8>?
  private var isPreviewing = false

  /// Runs the preview until the task is canceled or its camera ends.
  func runPreview() async {
    let request = screen.previewRequest
    guard request.isWanted, let selection = request.camera else { return }
    screen.startPreview()
    preview = nil
    isPreviewing = true
    defer { isPreviewing = false }
    var failure: DepthCameraError?
    do throws(DepthCameraError) {
      for try await event in selection.source(isFiltered: true).events() {
        screen.take(event)
        guard case .capture(let capture) = event else { continue }
        let drawn = await Self.drawn(capture, screen.effect, isMirror: selection.isAtFront)
        guard !Task.isCancelled else { return }
        show(drawn)
      }
    } catch { failure = error }
    if !Task.isCancelled { screen.endPreview(failure) }
  }

  /// Takes a photo; the preview pauses, since photos need a session of their own.
  func takePhoto() async {
    guard screen.shoot() != nil else { return }
    let (device, names) = (screen.device, PhotoFileNames(time: CaptureLibrary.time))
    // The camera has one user at a time; the preview ends as soon as the screen has noticed.
    while isPreviewing { try? await Task.sleep(for: .milliseconds(20)) }
    screen.advance(to: .preparing)
    let camera = AVFoundationPhotoCamera(device, settings: screen.choices.settings)
    let work = BackgroundWork(name: "Store the photo")
    do throws(DepthCameraError) {
      try await camera.start()
      // Only now it is known what the camera can.
      if let capabilities = await camera.capabilities { screen.take(capabilities) }
      let settings = screen.choices.effective.settings
      screen.advance(to: .taking)
      let shot = try await camera.shot(settings)
      await camera.stop()
      screen.advance(to: .storing)
      let remarks = shot.remarks + (await keep(shot, settings.container, names))
      screen.advance(to: .checking)
      let verdicts = await Self.checked(shot, settings.container, names)
      screen.finish(verdicts, remarks: remarks)
    } catch {
      await camera.stop()
      screen.fail(error)
    }
    work.end()
  }

  /// Keeps the files of a shot where a person wants them.
  ///
  /// - Returns: What could not be kept, in sentences.
  private func keep(
    _ shot: PhotoShot, _ container: DepthPhotoSettings.Container, _ names: PhotoFileNames
  ) async -> [String] {
    let made = await Self.files(of: shot, container, names)
    let movie = shot.moviePath.map { URL(fileURLWithPath: $0) }
    // The library first: the app's folder takes the movie away.
    if screen.storage.usesPhotos { screen.storage.takePhotos(await Self.add(made.photos, movie)) }
    if screen.storage.usesFiles {
      var refusals = made.files.compactMap { CaptureLibrary.store($0.bytes, name: $0.name) }
      if let path = shot.moviePath,
        let refusal = CaptureLibrary.move(from: path, name: names.name(fileExtension: "mov"))
      {
        refusals.append(refusal)
      }
      screen.storage.takeFiles(refusals.first.map { .refused($0) } ?? .stored)
    }
    return made.messages
  }

  private static func add(
    _ photos: [ShotFiles.File], _ movie: URL?
  ) async -> PhotoStorage.Result {
    if let refusal = await PhotoLibrary.access().refusal { return .refused(refusal) }
    for (index, photo) in photos.enumerated() {
      let own = index == 0 ? movie : nil
      if let refusal = await PhotoLibrary.add(photo.bytes, name: photo.name, movie: own) {
        return .refused(refusal)
      }
    }
    return .stored
  }

  private func show(_ drawn: DrawnPreview) {
    // A person may have chosen another effect meanwhile.
    guard drawn.effect.effect == screen.effect.effect else { return }
    screen.take(drawn)
    if let image = drawn.image { preview = image }
  }

  @concurrent private static func drawn(
    _ capture: Capture, _ effect: PreviewEffectRenderer, isMirror: Bool
  ) async -> DrawnPreview {
    effect.drawing(of: capture, isMirror: isMirror, at: ProcessInfo.processInfo.systemUptime)
  }

  @concurrent private static func files(
    of shot: PhotoShot, _ container: DepthPhotoSettings.Container, _ names: PhotoFileNames
  ) async -> ShotFiles {
    PhotoChecker().files(of: shot, container: container, names: names)
  }

  @concurrent private static func checked(
    _ shot: PhotoShot, _ container: DepthPhotoSettings.Container, _ names: PhotoFileNames
  ) async -> [PhotoVerdict] {
    PhotoChecker().verdicts(on: shot, container: container, names: names)
  }
}
