public import PlumblineModel

/// A camera, the shape of the board and its poses, as fitted to views under one assumption about
/// the lens, with every uncertainty.
public struct BoardFit: Sendable {
  /// The camera, in pixels of the images; a spline is given as a table about the principal point.
  public let camera: CameraModel
  /// The functions that the lens is a sum of.
  public let basis: RadialBasis
  /// The lens's coefficients, one for each function.
  public let lensCoefficients: [Double]
  /// The pose of the board in each view, in meters.
  public let cameraFromBoard: [RigidTransform]
  /// How far each corner of the board is from its position on a flat one, in meters, by its number;
  /// empty where the board was taken as flat.
  public let boardOffsets: [SIMD3<Double>]
  /// Found minus projected of each corner of each view, in pixels.
  public let residuals: [[SIMD2<Double>]]
  /// Whether a corner was rejected: it misses as no neighbor in another view does.
  public let isRejected: [[Bool]]
  /// The root mean square distance of the corners that were not rejected, in pixels.
  public let rmsPixels: Double
  /// The root mean square distance of all corners, in pixels.
  public let rmsOfAllPixels: Double
  /// The robust spread of one coordinate of a corner, in pixels.
  public let scalePixels: Double

  let adjustment: BoardAdjustment
  let spread: AdjustmentSpread

  init(_ adjustment: BoardAdjustment, spread: AdjustmentSpread, scale: Double) {
    self.adjustment = adjustment
    self.spread = spread
    camera = adjustment.camera.model
    basis = adjustment.camera.basis
    lensCoefficients = adjustment.camera.coefficients
    cameraFromBoard = adjustment.poses
    boardOffsets = adjustment.hasShape ? adjustment.offsets : []
    residuals = adjustment.residuals
    isRejected = adjustment.views.map { $0.weights.map { $0 == 0 } }
    scalePixels = scale
    var counted = SquaredDistances()
    var all = SquaredDistances()
    for (misses, rejected) in zip(residuals, isRejected) {
      for (miss, isRejected) in zip(misses, rejected) {
        all.add(miss)
        if !isRejected { counted.add(miss) }
      }
    }
    rmsPixels = counted.root
    rmsOfAllPixels = all.root
  }

  /// The focal length along the columns, in pixels.
  public var focal: Double { camera.intrinsics.focalLength.x }

  /// The share of the focal length below which no ± goes: errors that all blocks share.
  ///
  /// - Source: `Documentation/decisions/0028-the-sigma-of-a-calibration.md`.
  static let focalFloorShare = 0.0005
  /// The same for the principal point, in pixels of 640 columns.
  static let centerFloorPixels = 0.35

  /// The ± of ``focal`` in pixels.
  public var focalSigma: BlockSigma {
    spread.sigma(along: slope(0), floor: Self.focalFloorShare * focal)
  }

  /// The ± of the principal point in pixels; `nil` where it was kept.
  public var centerSigma: SIMD2<Double>? {
    adjustment.free.centerIndex.map { index in
      let floor = Self.centerFloorPixels * Double(camera.intrinsics.size.width) / 640
      return SIMD2(
        spread.sigma(along: slope(index), floor: floor).plusMinus,
        spread.sigma(along: slope(index + 1), floor: floor).plusMinus)
    }
  }

  /// The ± of each coefficient of the lens.
  public var lensSigmas: [Double] {
    (0..<adjustment.free.lensCount).map {
      spread.sigma(along: slope(adjustment.free.lensStart + $0)).plusMinus
    }
  }

  /// The ± of the ratio of the focal lengths; `nil` where it was kept.
  public var aspectSigma: Double? {
    adjustment.free.aspectIndex.map { spread.sigma(along: slope($0)).plusMinus }
  }

  /// The root mean square height of the board's corners over a plane, in meters; 0 for a flat
  /// board.
  public var boardFlatnessMeters: Double {
    guard !boardOffsets.isEmpty else { return 0 }
    let seen = Set(adjustment.views.flatMap(\.ids)).sorted()
    let square = seen.reduce(0) { $0 + boardOffsets[$1].z * boardOffsets[$1].z }
    return (square / Double(max(1, seen.count))).squareRoot()
  }

  private func slope(_ index: Int) -> [Double] {
    (0..<adjustment.free.count).map { $0 == index ? 1 : 0 }
  }
}
