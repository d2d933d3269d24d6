public import PlumblineModel
import PlumblineVision

/// Two cameras turned so that a point of the scene lies on one row of both images.
///
/// Frame: the rectified cameras look along one axis, x runs from the left camera's center to the
/// right one's. Where the cameras stand above one another, or the right one at the left, rectified
/// images therefore lie on their side or upside down; ``turn`` says how, and ``StereoDepth``
/// turns its result back.
public struct StereoRectification: Sendable {
  /// The focal length of rectified images.
  package enum FocalLength: Hashable, Sendable {
    /// That of the camera that shows more detail, so that none is lost; the other one is enlarged.
    case finer
    /// That of the camera that shows less detail; the other one is averaged down.
    case coarser
    /// A number of pixels.
    case pixels(Double)
  }

  /// Where the columns of the two images begin.
  package enum Columns: Hashable, Sendable {
    /// At the same angle: infinity has the pixel disparity 0.
    case alike
    /// Where each image shows what the other one does: smaller images for cameras that look
    /// toward each other, at the price of an offset; see ``principalOffsetPixels``.
    case separate
  }

  /// The calibration of the pair that is rectified.
  public internal(set) var calibration: StereoCalibration
  /// The rectified left camera, a pinhole.
  public let left: PinholeIntrinsics
  /// The rectified right camera; it differs in the principal point's column at most.
  public let right: PinholeIntrinsics
  /// The distance between the cameras; meters where the calibration is metric.
  public let baselineMeters: Double
  /// Turns a direction of the left camera's frame into the rectified frame.
  public let rectifiedFromLeft: Rotation
  /// Turns a direction of the right camera's frame into the rectified frame.
  public let rectifiedFromRight: Rotation
  /// How rectified images must be turned to stand as the left image does.
  public let turn: ImageOrientation
  let leftCamera: RectifiedCamera
  let rightCamera: RectifiedCamera

  /// The most pixels of a rectified image.
  package static let largestPixelCount = 1 << 27

  /// Lays out rectified images that keep what both cameras see.
  ///
  /// Rows are those that both see; columns those of the left image whose points can lie in the
  /// right one at `nearest` or farther, and those where they then lie.
  /// - Parameters:
  ///   - calibration: Both cameras, at the sizes of their images.
  ///   - focalLength: The focal length of the result.
  ///   - columns: Where columns begin.
  ///   - nearest: The nearest depth that matters, in the unit of the baseline; 8 baselines when
  ///     `nil`, which is 1/8 of the focal length in pixel disparity.
  /// - Throws: `.degenerate` for a baseline of 0, a camera moved forward and cameras that see nothing
  ///   in common; `.mismatch` for a clean aperture outside of its image; `.limitExceeded` beyond
  ///   ``largestPixelCount``.
  package init(
    _ calibration: StereoCalibration, focalLength: FocalLength = .finer,
    columns: Columns = .alike, nearest: Double? = nil
  ) throws(StereoError) {
    let turns = try RectifyingRotation(calibration)
    let left = try RectifiedCamera(
      calibration.left, turns.rectifiedFromLeft, aperture: calibration.leftCleanAperture)
    let right = try RectifiedCamera(
      calibration.right, turns.rectifiedFromRight, aperture: calibration.rightCleanAperture)
    let focal = try Self.pixels(of: focalLength, calibration)
    let baseline = calibration.baselineMeters
    let nearest = nearest ?? 8 * baseline
    guard nearest > 0, nearest.isFinite else {
      throw StereoError(
        .mismatch, expected: "a nearest depth above 0", found: "\(nearest)")
    }
    let layout = try RectifiedLayout(
      try RectifiedField(left, name: "left"), try RectifiedField(right, name: "right"),
      largestShift: baseline / nearest, focal: focal, columns: columns)
    self.calibration = calibration
    self.left = layout.left
    self.right = layout.right
    baselineMeters = baseline
    rectifiedFromLeft = turns.rectifiedFromLeft
    rectifiedFromRight = turns.rectifiedFromRight
    turn = turns.turn
    leftCamera = left
    rightCamera = right
  }

  /// The number of columns and rows of each rectified image.
  public var size: RasterSize { left.size }

  /// The focal length of rectified images in pixels, the same along columns and rows.
  public var focalLengthPixels: Double { left.focalLength.x }

  /// The right principal point's column minus the left one's, in pixels: `depth = f·B/(d + offset)`.
  package var principalOffsetPixels: Double { right.principalPoint.x - left.principalPoint.x }

  private static func pixels(
    of focalLength: FocalLength, _ calibration: StereoCalibration
  ) throws(StereoError) -> Double {
    let both = [calibration.left, calibration.right].map { camera in
      (camera.intrinsics.focalLength.x * camera.intrinsics.focalLength.y).squareRoot()
    }
    switch focalLength {
    case .finer: return max(both[0], both[1])
    case .coarser: return min(both[0], both[1])
    case .pixels(let pixels):
      guard pixels > 0, pixels.isFinite else {
        throw StereoError(
          .mismatch, expected: "a focal length above 0 px", found: "\(pixels) px")
      }
      return pixels
    }
  }
}

/// The turns that lay the rows of both images along the line between the cameras.
///
/// Both cameras turn as little as possible and by alike amounts: the new optical axis is the mean
/// of both, freed from its part along the baseline.
/// - Source: A. Fusiello, E. Trucco, A. Verri, *A compact algorithm for rectification of stereo
///   pairs*, Machine Vision and Applications 12 (2000) 16–22, with the mean of the axes in place of
///   the left one, which is what halving the relative rotation does (J.-Y. Bouguet).
struct RectifyingRotation {
  var rectifiedFromLeft: Rotation
  var rectifiedFromRight: Rotation
  /// How rectified images are turned to stand as the left one does.
  var turn: ImageOrientation

  init(_ calibration: StereoCalibration) throws(StereoError) {
    try calibration.requireBaseline()
    let baseline = calibration.rightCenterInLeft / calibration.baselineMeters
    try Self.refuseForwardMotion(calibration, baseline)
    let leftFromRight = calibration.rightFromLeft.rotation.inverse
    let axes = SIMD3(0.0, 0, 1) + leftFromRight.z
    let forward = axes - baseline * (axes * baseline).sum()
    let length = (forward * forward).sum().squareRoot()
    // Of a sum of two unit vectors; below it the cameras look away from each other.
    guard length > 0.1 else {
      throw StereoError(
        .degenerate, expected: "two cameras that look the same way",
        found: "optical axes that point away from each other or along the baseline")
    }
    let z = forward / length
    let y = SIMD3(
      z.y * baseline.z - z.z * baseline.y, z.z * baseline.x - z.x * baseline.z,
      z.x * baseline.y - z.y * baseline.x)
    let turned = Rotation(x: baseline, y: y, z: z).inverse
    rectifiedFromLeft = turned
    rectifiedFromRight = turned * leftFromRight
    let turns: [ImageOrientation] = [.up, .right, .down, .left]
    let likeness = turns.map { turn in
      let rest = Rotation(turning: turn) * turned
      return rest.x.x + rest.y.y
    }
    let best = turns.indices.max { likeness[$0] < likeness[$1] } ?? 0
    turn = turns[best]
  }

  /// Refuses a camera that sees the other one: lines of one row would run together in its image.
  private static func refuseForwardMotion(
    _ calibration: StereoCalibration, _ baselineInLeft: SIMD3<Double>
  ) throws(StereoError) {
    let cameras = [
      ("left", calibration.left, baselineInLeft),
      ("right", calibration.right, calibration.rightFromLeft.rotation * baselineInLeft),
    ]
    for (name, camera, direction) in cameras where direction.z != 0 {
      let epipole = camera.intrinsics.project(direction)
      let size = camera.intrinsics.size
      guard epipole.x > -1, epipole.y > -1, epipole.x < Double(size.width),
        epipole.y < Double(size.height)
      else { continue }
      throw StereoError(
        .degenerate, expected: "cameras side by side",
        found: "a camera moved forward: the other one stands inside the \(name) image")
    }
  }
}

extension StereoRectification {
  /// The same rectification with another ± of its calibration, which moves no pixel.
  package func stating(_ uncertainty: StereoUncertainty?) -> StereoRectification {
    var result = self
    result.calibration.uncertainty = uncertainty
    return result
  }
}
