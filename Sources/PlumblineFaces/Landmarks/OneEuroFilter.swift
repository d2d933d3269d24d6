/// Smooths points that arrive with times: much at rest, little in motion.
///
/// Each point is low-passed with a cutoff that grows with its speed, so that jitter at rest goes and motion
/// is not delayed. Speeds are measured in faces (their longer side) per second, so that near and far faces
/// are treated alike. On constant motion it lags by at most 1/(2π · ``speedCoefficient``) of a face.
///
/// - Source: G. Casiez et al., *1€ Filter*, CHI 2012, algorithms 1 and 2.
public struct OneEuroFilter: Sendable {
  /// The parameters of the filter.
  public struct Parameters: Sendable, Hashable {
    /// The cutoff at rest, in hertz.
    public var leastCutoffHertz: Float = 0.05
    /// How much the cutoff grows with the speed, in hertz per (face per second).
    public var speedCoefficient: Float = 80
    /// The cutoff of the speed itself, in hertz.
    public var speedCutoffHertz: Float = 1

    /// The parameters of MediaPipe's face landmarks.
    ///
    /// - Source: Google, MediaPipe, `face_landmarker_graph`: 0.05, 80 and 1.
    public init() {}
  }

  /// The parameters in use.
  public var parameters: Parameters
  private var points: [SIMD2<Float>] = []
  private var raw: [SIMD2<Float>] = []
  private var speeds: [SIMD2<Float>] = []
  private var seconds: Double?

  /// Creates a filter that has seen nothing.
  public init(_ parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// The points of a moment, smoothed with those before.
  ///
  /// - Parameters:
  ///   - points: As many as before; another count starts anew.
  ///   - seconds: When they were seen. A time that is not after the last one starts anew.
  ///   - sidePixels: The face's longer side, above 0.
  /// - Returns: As many points, in the same unit.
  public mutating func smoothed(
    _ points: [SIMD2<Float>], at seconds: Double, sidePixels: Float
  ) -> [SIMD2<Float>] {
    guard let last = self.seconds, seconds > last, points.count == self.points.count,
      sidePixels > 0
    else {
      (self.points, raw, self.seconds) = (points, points, seconds)
      speeds = Array(repeating: .zero, count: points.count)
      return points
    }
    let step = Float(seconds - last)
    let speedShare = Self.share(cutoffHertz: parameters.speedCutoffHertz, step)
    for index in points.indices {
      let speed = (points[index] - raw[index]) / step
      speeds[index] += speedShare * (speed - speeds[index])
      let facesPerSecond = length(speeds[index]) / sidePixels
      let cutoff = parameters.leastCutoffHertz + parameters.speedCoefficient * facesPerSecond
      self.points[index] +=
        Self.share(cutoffHertz: cutoff, step) * (points[index] - self.points[index])
    }
    raw = points
    self.seconds = seconds
    return self.points
  }

  /// How much of the new value a low-pass of a cutoff takes after a step in seconds.
  static func share(cutoffHertz: Float, _ step: Float) -> Float {
    let turn = 2 * .pi * cutoffHertz * step
    return turn / (turn + 1)
  }
}
