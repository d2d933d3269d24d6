import PlumblineModel
import PlumblineNumerics
import PlumblineVision

/// The sensor's depth and the lengths measured with it, against the board, through one camera.
public struct DepthAgainstBoard: Sendable {
  /// The scale of the sensor's own depth, one standard deviation as a share.
  ///
  /// No camera calibration explains it away; without it a single frame would seem far too sure.
  /// - Source: lengths through self-calibrated cameras on the public data of three devices are off
  ///   by −0.64 %, −0.43 % and at most 0.7 %; `Documentation/decisions/0014-…`.
  static let sensorScaleSigma = 0.006
  /// How far a board may lean back to count as frontal: 30°, in radians.
  static let frontalTilt = Double.pi / 6

  /// The frames compared: the frontal ones where there are three, else all.
  public var frames: [BoardDepthCheck]
  /// Whether only frontal frames were compared.
  public var isFrontal: Bool
  /// Sensor depth minus board depth at all corners, in meters.
  public var differences: SampleSpread
  /// One standard deviation of the median of `differences`, in meters.
  ///
  /// It holds how much poses disagree, how well the side of the squares is known, and where the ±
  /// of the camera's focal length puts the board; not the sensor's own scale, which the median
  /// shows.
  public var differenceSigmaMeters: Double
  /// The median distance of the corners, in meters.
  public var distanceMeters: Double
  /// How the sensor's depth slopes against the board; `nil` for too few frames or a board that
  /// hardly leans.
  var slopes: DepthSlopes?
  /// The lengths between corners against the board's; `nil` where too few were measured.
  public var length: BoardDepthCheck.LengthError?
  /// The root mean square distance of the sensor's points from their plane, the median of the
  /// frames, in meters; `nil` where too few were measured.
  public var planeRMSMeters: Double?

  /// Sums frames up; `nil` for none.
  ///
  /// - Parameters:
  ///   - all: The frames.
  ///   - focalSigmaShare: One standard deviation of the camera's focal length as a share of it; 0
  ///     for a camera that is taken as it is.
  init?(_ all: [BoardDepthCheck], focalSigmaShare: Double = 0) {
    let frontal = all.filter { $0.tiltRadians <= Self.frontalTilt }
    isFrontal = frontal.count >= 3
    frames = isFrontal ? frontal : all
    guard let differences = SampleSpread(frames.flatMap { $0.sortedDifferences }),
      let distance = frames.map(\.distanceMeters).median
    else { return nil }
    self.differences = differences
    distanceMeters = distance
    planeRMSMeters = all.compactMap(\.planeRMSMeters).median
    differenceSigmaMeters = Self.medianSigma(
      of: frames, distance: distance, focalSigmaShare: focalSigmaShare)
    slopes = DepthSlopes(all.compactMap(\.slopes))
    let lengths = frames.compactMap(\.length)
    guard let spread = SampleSpread(lengths.map(\.share)),
      let noise = lengths.map(\.sigmaShare).median
    else { return }
    // Between frames, or within one, whichever says less for itself.
    let between = max(spread.sigma, noise) * (Double.pi / 2 / Double(lengths.count)).squareRoot()
    // A length is the smaller the longer the focal length is taken.
    let square =
      between * between + Self.sensorScaleSigma * Self.sensorScaleSigma
      + focalSigmaShare * focalSigmaShare
    length = BoardDepthCheck.LengthError(share: spread.median, sigmaShare: square.squareRoot())
  }

  /// How much sensor minus board changes from one pose to another, one standard deviation as a
  /// share of the distance: taken where frames of fewer than three poses do not show it
  /// themselves.
  ///
  /// - Source: 0.5 mm at 200 mm between poses of two iPads, `Documentation/verify.md`.
  static let poseSigma = 0.0025
  /// How well the side of a square is known, one standard deviation as a share: ten squares of 20
  /// mm measured with a ruler to 0.2 mm.
  static let squareSigma = 0.001

  /// The ± of a median over frames: frames of one pose share their errors and count as one; the
  /// side of the squares and the focal length move the board in all of them.
  private static func medianSigma(
    of frames: [BoardDepthCheck], distance: Double, focalSigmaShare: Double
  ) -> Double {
    let medians = poses(of: frames).compactMap { group in
      group.compactMap { $0.sortedDifferences.median }.median
    }
    let count = Double(max(medians.count, 1))
    let mean = medians.reduce(0, +) / count
    var between = poseSigma * distance
    var width = 1.0
    if medians.count >= 3 {
      let variance = medians.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
      between = variance.squareRoot()
      width = StudentQuantile.width(normal: 1, freedom: count - 1)
    }
    // The efficiency of a median is 2/π of a mean's.
    let scatter = width * between * (Double.pi / 2 / count).squareRoot()
    let scale =
      distance * (squareSigma * squareSigma + focalSigmaShare * focalSigmaShare).squareRoot()
    return (scatter * scatter + scale * scale).squareRoot()
  }

  /// Frames by pose: those within 3° and 5 % of the distance of a group's first frame are its own.
  static func poses(of frames: [BoardDepthCheck]) -> [[BoardDepthCheck]] {
    var groups: [[BoardDepthCheck]] = []
    for frame in frames {
      let place = groups.firstIndex { group in
        let first = group[0].cameraFromBoard
        let apart = (frame.cameraFromBoard.translation - first.translation).length
        return frame.cameraFromBoard.rotation.angle(to: first.rotation)
          < CameraCalibrator.alikeAngle
          && apart < CameraCalibrator.alikeShare * first.translation.length
      }
      if let place { groups[place].append(frame) } else { groups.append([frame]) }
    }
    return groups
  }
}

extension DepthAgainstBoard {
  /// How far half of the corners of the middle frame miss once its depth is scaled to fit the
  /// board, in meters: what neither a wrong scale nor a wrong side of the squares makes.
  var missInFrameMeters: Double { frames.map(\.missMeters).median ?? 0 }
}

extension BoardDepthCheck {
  /// The differences in the order of their corners.
  package var sortedDifferences: [Double] {
    differencesMeters.sorted { $0.key < $1.key }.map(\.value)
  }
}

/// How much the sensor's depth changes from frame to frame while nothing moves.
struct TemporalNoise: Hashable, Sendable {
  /// How far corners may move between two frames of one pose, in pixels, root mean square.
  static let maximumMovementPixels = 2.0

  /// One standard deviation of a corner's depth, in meters.
  var sigmaMeters: Double
  /// The number of pairs of frames.
  var pairCount: Int

  /// Compares each frame with the next; `nil` when no two show the board at one position.
  ///
  /// What is compared is sensor minus board, so that the little that the hand moved does not
  /// count; the difference of two frames has twice the variance of one.
  init?(_ frames: [(view: BoardView, check: BoardDepthCheck)]) {
    var samples: [Double] = []
    pairCount = 0
    for (first, second) in zip(frames, frames.dropFirst()) {
      let places = Dictionary(
        uniqueKeysWithValues: first.view.corners.map { ($0.id, $0.pixel) })
      let moves = second.view.corners.compactMap { corner in
        places[corner.id].map { corner.pixel - $0 }
      }
      let square = moves.reduce(0) { $0 + ($1 * $1).sum() } / Double(max(moves.count, 1))
      guard moves.count >= 6, square.squareRoot() <= Self.maximumMovementPixels else { continue }
      pairCount += 1
      for (id, difference) in second.check.differencesMeters {
        if let before = first.check.differencesMeters[id] { samples.append(difference - before) }
      }
    }
    guard let spread = SampleSpread(samples), samples.count >= 10 else { return nil }
    sigmaMeters = spread.sigma / 2.0.squareRoot()
  }
}

/// The middle of samples and how far they spread, unmoved by a few wild ones.
public struct SampleSpread: Hashable, Sendable {
  /// The median, in the unit of the samples.
  public var median: Double
  /// The median absolute deviation from the median, in the unit of the samples.
  public var medianAbsoluteDeviation: Double
  /// The number of samples.
  public var count: Int

  /// Summarizes samples; `nil` for none, O(*n* log *n*).
  ///
  /// - Precondition: No sample is NaN.
  package init?(_ samples: [Double]) {
    guard let median = samples.median,
      let deviation = samples.map({ abs($0 - median) }).median
    else { return nil }
    self.median = median
    self.medianAbsoluteDeviation = deviation
    self.count = samples.count
  }

  /// One standard deviation of a single sample, were the samples normal.
  package var sigma: Double { Self.sigmaOverDeviation * medianAbsoluteDeviation }

  /// The standard deviation of a normal distribution in median absolute deviations.
  ///
  /// - Source: P. J. Rousseeuw, C. Croux, Alternatives to the Median Absolute Deviation, 1993:
  ///   1.4826 = 1/Φ⁻¹(3/4).
  static let sigmaOverDeviation = 1.4826
}
