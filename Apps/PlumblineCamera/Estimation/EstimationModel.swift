import Foundation
import Observation
import Plumbline
import PlumblineScreens

/// Loads the model and runs the camera of the screen with depth from one image.
@MainActor @Observable
final class EstimationModel {
  /// All that, when it changes, makes the estimation start anew.
  struct Run: Hashable {
    var request: EstimationScreen.RunRequest?
    var camera: CameraSelection
    var isWanted: Bool
  }

  /// Choices and states.
  var screen = EstimationScreen()
  var camera = CameraSelection.lidar
  var isActive = true
  private(set) var models = ModelLibrary.models
  private var network: (any NeuralNetwork)?
  private let signal = NearnessSignal()

  var run: Run { Run(request: screen.runRequest, camera: camera, isWanted: isActive) }

  /// Takes a file that the user chose.
  func take(_ file: Result<URL, any Error>) async {
    do {
      let model = try await ModelLibrary.take(from: file.get())
      models = ModelLibrary.models
      if let model { screen.choose(model) }
    } catch { screen.stopped("\(error)") }
  }

  /// Loads the chosen model.
  func load() async {
    guard let request = screen.loadRequest else { return }
    network = nil
    do {
      let (network, card) = try await Self.loaded(request)
      guard !Task.isCancelled else { return }
      self.network = network
      screen.loaded(request, card: card)
    } catch { screen.failed(request, "\(error)") }
  }

  /// Estimates until the task is canceled or the camera ends.
  func estimate() async {
    guard let network, let request = screen.runRequest, isActive,
      case .ready(_, let card) = screen.model
    else { return }
    if request.nearMeters != nil { signal.prepare() }
    let (frames, continuation) = AsyncStream.makeStream(
      of: EstimationFrame.self, bufferingPolicy: .bufferingNewest(1))
    let (stop, source) = (RecordingStop(), camera.source(isFiltered: false))
    do {
      let run = try EstimationRun(
        network, card: card, usesSensor: request.usesSensor, alert: screen.alert)
      let task = Task {
        defer { continuation.finish() }
        _ = try await run.run(source, stop: stop) { continuation.yield($0) }
      }
      await withTaskCancellationHandler {
        for await frame in frames {
          screen.show(frame)
          if frame.isSignal { signal.warn() }
        }
      } onCancel: {
        stop.request()
        continuation.finish()
      }
      try await task.value
    } catch {
      if !Task.isCancelled { screen.stopped("\(error)") }
    }
  }

  @concurrent private static func loaded(
    _ request: EstimationScreen.LoadRequest
  ) async throws -> (any NeuralNetwork, ModelCard?) {
    let runtime = CoreMLRuntime(computeUnits: request.computeUnits, scaling: request.scaling)
    let (network, interface) = try runtime.loaded(at: ModelLibrary.path(request.model.compiledName))
    let card = try request.model.card(
      for: interface, written: ModelLibrary.bytes(request.model.cardName), meaning: request.meaning)
    return (network, card)
  }
}
