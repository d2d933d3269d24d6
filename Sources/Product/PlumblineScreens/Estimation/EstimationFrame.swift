public import Plumbline
public import PlumblineGeometry
import PlumblineInference
public import PlumblineModel

/// What the screen shows of one estimated frame.
public struct EstimationFrame: Sendable {
  /// The estimate as gray levels.
  public let map: GrayMap
  /// The image that was estimated, upright, at most 320 pixels a side; `nil` without one.
  public let image: Raster<RGB8>?
  /// How long frames took lately.
  public let times: FrameTimes
  /// What the meters are worth, in a sentence.
  public let worth: String
  /// The distance of the nearest thing with its ±, or why there is none; `nil` where no warning is wanted.
  public let nearness: String?
  /// Whether something is too near.
  public let isNear: Bool
  /// Whether to sound and to vibrate now.
  public let isSignal: Bool
  /// The number of frames that were estimated, this one included.
  public let number: Int
}

/// Makes what the screen shows of one estimate after the other.
public struct EstimationFrames: Sendable {
  private var range = GrayRange()
  private var times = FrameTimes()
  private var watch: ProximityWatch?
  private var number = 0

  /// Starts.
  ///
  /// - Parameter alert: When something is too near; `nil` for no warning.
  public init(alert: ProximityAlert?) { watch = alert.map { ProximityWatch($0) } }

  /// Takes the next estimate; O(*n*) of its map.
  ///
  /// - Parameters:
  ///   - result: The estimate.
  ///   - network: How long the network ran.
  ///   - whole: How long all of the frame took.
  ///   - end: When it was done.
  /// - Returns: What the screen shows.
  public mutating func next(
    _ result: EstimateResult, network: Duration?, whole: Duration,
    end: ContinuousClock.Instant = .now
  ) -> EstimationFrame {
    number += 1
    times.add(network: network, whole: whole, end: end)
    var (nearness, isNear, isSignal): (String?, Bool, Bool) = (nil, false, false)
    if var current = watch {
      do throws(ProximityError) {
        isSignal = try current.next(result)?.isSignal ?? false
        isNear = current.alert.state == .near
        nearness = Self.words(current)
        watch = current
      } catch { nearness = error.description }
    }
    let orientation = result.estimated.estimate.grid.placement.orientation
    return EstimationFrame(
      map: range.map(result.estimated),
      image: result.before.colorInDepthFrame?.reduced(toMaximumSide: GrayMap.maximumSide)
        .oriented(by: orientation),
      times: times, worth: result.worth, nearness: nearness, isNear: isNear, isSignal: isSignal,
      number: number)
  }

  private static func words(_ watch: ProximityWatch) -> String {
    guard let nearest = watch.latest?.nearestMeters else { return "Nearest: nothing estimated" }
    let sigma =
      watch.latest?.sigmaMeters.map { "± \($0.fixed(2)) m" } ?? "± not known"
    let source =
      switch watch.sigmaSource {
      case .fit: " (1 sigma, by the fit)"
      case .published: " (the model's error on test data, not of this image)"
      case .measured, nil: ""
      }
    return "Nearest: \(nearest.fixed(2)) m \(sigma)\(source)"
  }
}

extension EstimateResult {
  /// What the meters of an estimate are worth, in a sentence.
  package var worth: String {
    if let fit = estimated.fit, fit.refusal == nil {
      let depth = after.assessment.statistics?.medianMeters ?? 1
      return
        "Fitted to \(fit.target.words): ± \((1000 * fit.sigmaMeters(atDepth: depth)).fixed(0)) mm "
        + "(1 sigma) at \(depth.fixed(2)) m, by \(fit.sampleCount) places, of which "
        + "\((100 * fit.outlierShare).fixed(0)) % were left out"
    }
    let refused = estimated.fit?.refusal.map { "The fit is not believed: \($0). " } ?? ""
    guard estimated.estimate.isMetric else {
      return refused + "Near and far only: the model gives no meters"
    }
    let error = estimator.card.publishedError
    return refused + "Fitted to nothing: meters as the model estimates them, "
      + (error.map { "\($0.summary) as published; the ± of this image is not known" }
        ?? "± not known")
  }
}
