public import Plumbline
public import PlumblineCapture
public import PlumblineGeometry
public import PlumblineInference
import Synchronization

/// A live camera's frames estimated one after the other, as the screen shows them.
public struct EstimationRun: Sendable {
  private let estimator: CaptureEstimator
  private let timer: NetworkTimer
  private let alert: ProximityAlert?

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - network: The network.
  ///   - card: What is known of it.
  ///   - usesSensor: Whether estimates are fitted to the frames' own depth where it is in meters.
  ///   - alert: When something is too near; `nil` for no warning.
  /// - Throws: `InferenceError` where the network is not what its card says.
  public init(
    _ network: any NeuralNetwork, card: ModelCard, usesSensor: Bool = true,
    alert: ProximityAlert? = nil
  ) throws(InferenceError) {
    timer = NetworkTimer()
    var request = EstimateRequest()
    request.sensorUse = usesSensor ? .auto : .none
    estimator = CaptureEstimator(
      try DepthEstimator(timer.timed(network), card: card), request: request)
    self.alert = alert
  }

  /// Estimates until the camera's end or `stop`, each time the latest frame.
  ///
  /// - Parameters:
  ///   - source: The camera.
  ///   - stop: Ends it from elsewhere.
  ///   - show: Takes each frame.
  /// - Returns: How many frames came, were estimated and were left out.
  /// - Throws: `EstimationError` and `InferenceError` of a frame, `DepthCameraError` of the camera.
  @concurrent public func run(
    _ source: any DepthCameraSource, stop: RecordingStop,
    show: @escaping @Sendable (EstimationFrame) -> Void
  ) async throws -> LiveEstimation.Counts {
    let frames = Mutex((EstimationFrames(alert: alert), ContinuousClock.now))
    return try await LiveEstimation(source, by: estimator).run(stop: stop) { result, _ in
      let frame = frames.withLock { state in
        let now = ContinuousClock.now
        // From the result before to this one: a frame that waited for the camera is counted with its wait.
        let whole = now - state.1
        state.1 = now
        return state.0.next(result, network: timer.latest, whole: whole, end: now)
      }
      show(frame)
    }
  }
}
