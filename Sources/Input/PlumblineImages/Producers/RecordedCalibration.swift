public import PlumblineModel

/// The camera numbers that a recording app wrote beside a frame, before anything is believed.
///
/// Every field is as in `AVCameraCalibrationData`; apps differ only in how they print it.
package struct RecordedCalibration: Sendable {
  /// The intrinsic matrix, column after column.
  package var matrix: [Double]?
  /// The size that the matrix is said to belong to, and that center and tables do belong to.
  package var referenceSize: RasterSize?
  /// The size of the depth map.
  package var mapSize: RasterSize?
  /// `lensDistortionCenter`, in pixels of the reference size.
  package var distortionCenter: [Double]?
  /// `lensDistortionLookupTable`.
  package var distortingTable: [Double]?
  /// `inverseLensDistortionLookupTable`.
  package var undistortingTable: [Double]?
  /// The side of a pixel of the reference image, in millimeters.
  package var pixelSizeMillimeters: Double?
  /// The rotation's three columns, then the translation in millimeters.
  package var extrinsicColumns: [Double]?

  /// Creates a calibration of which nothing is known.
  package init() {}

  /// The calibration at the reference size, with what was odd and what was done about it.
  package func checked() -> CheckedCalibration {
    var checked = CheckedCalibration()
    guard var matrix else { return checked }
    // What is larger is no camera of any size, and would overflow when it is scaled.
    guard matrix.allSatisfy({ abs($0) <= 1e9 }) else {
      checked.findings.append(
        Self.damaged("the intrinsic matrix is not that of a camera: \(matrix)"))
      return checked
    }
    guard let size = referenceSize ?? mapSize else {
      checked.findings.append(Self.damaged("intrinsics without the size that they belong to"))
      return checked
    }
    if let mapSize, let ratio = prescalingRatio(of: matrix, size: size, mapSize: mapSize) {
      let written = matrix
      for (index, factor) in [(0, ratio.x), (6, ratio.x), (4, ratio.y), (7, ratio.y)] {
        matrix[index] *= factor
      }
      let focal = "f = \(written[0].fixed(3)) px became \(matrix[0].fixed(3)) px"
      checked.findings.append(
        Finding(
          .calibrationPrescaled, .note,
          "the intrinsic matrix was already scaled to \(mapSize) while its reference size is "
            + "\(size); it was brought back: \(focal)",
          effect: Finding.Effect(lengthPercent: 100 * (ratio.x - 1)),
          evidence: "principal point (\(written[6].fixed(2)), \(written[7].fixed(2))) is near the "
            + "middle of \(mapSize), not of \(size)", correction: .applied))
      checked.provenance.append(
        ProvenanceStep(
          .unscaledIntrinsics,
          "f and c times \(ratio.x.fixed(6)), \(ratio.y.fixed(6)): from \(mapSize) to \(size), the "
            + "inverse of the app's own division"))
    }
    guard let intrinsics = PinholeIntrinsics(columnMajor: matrix, size: size) else {
      checked.findings.append(
        Self.damaged("the intrinsic matrix is not that of a camera: \(matrix)"))
      return checked
    }
    var extrinsics: CameraExtrinsics?
    if let extrinsicColumns {
      extrinsics = CameraExtrinsics(columnMajor: extrinsicColumns)
      if extrinsics == nil {
        checked.findings.append(Self.damaged("the extrinsic matrix holds no rotation"))
      }
    }
    let (lens, lensFindings) = distortion(size)
    checked.findings += lensFindings
    checked.calibration = CameraCalibration(
      intrinsics: intrinsics, pixelSizeMillimeters: plausiblePixelSize, distortion: lens,
      extrinsics: extrinsics)
    return checked
  }

  /// How often the reference size holds the map, where the matrix was already divided by it.
  ///
  /// The principal point of a phone camera lies within a tenth of its image from the middle, so it
  /// shows to which of the two images it refers.
  private func prescalingRatio(
    of matrix: [Double], size: RasterSize, mapSize: RasterSize
  ) -> SIMD2<Double>? {
    guard matrix.count == 9, size != mapSize, mapSize.pixelCount > 0 else { return nil }
    let point = SIMD2(matrix[6], matrix[7])
    func distanceFromMiddle(_ size: RasterSize) -> Double {
      let share = point / SIMD2(Double(size.width), Double(size.height)) - 0.5
      return max(abs(share.x), abs(share.y))
    }
    let inMap = distanceFromMiddle(mapSize)
    guard inMap < 0.25, inMap < distanceFromMiddle(size) else { return nil }
    return SIMD2(
      Double(size.width) / Double(mapSize.width), Double(size.height) / Double(mapSize.height))
  }

  private var plausiblePixelSize: Double? {
    pixelSizeMillimeters.flatMap { $0 > 0 && $0 < 1 ? $0 : nil }
  }

  private func distortion(_ size: RasterSize) -> (lens: LensDistortion?, findings: [Finding]) {
    let (distorting, oddDistorting) = Self.table(distortingTable)
    let (undistorting, oddUndistorting) = Self.table(undistortingTable)
    let findings = oddDistorting + oddUndistorting
    guard distorting != nil || undistorting != nil, let center = distortionCenter else {
      return (nil, findings)
    }
    guard center.count == 2, center.allSatisfy({ abs($0) <= 1e9 }) else {
      return (nil, findings + [Self.damaged("the distortion center is not a point: \(center)")])
    }
    // Apple documents a center of zero as "not available", and then nothing may be rectified.
    if center == [0, 0] { return (nil, findings) }
    let lens = LensDistortion(
      center: SIMD2(center[0], center[1]), size: size,
      pixelSizeMillimeters: plausiblePixelSize ?? 0, distorting: distorting,
      undistorting: undistorting)
    guard lens.isFinite else {
      let message = "the distortion is not that of a lens: it moves points out of sight"
      return (nil, findings + [Self.damaged(message)])
    }
    return (lens, findings)
  }

  private static func table(
    _ numbers: [Double]?
  ) -> (magnification: RadialMagnification?, findings: [Finding]) {
    guard let numbers, !numbers.isEmpty else { return (nil, []) }
    // 42 in every dump; a lens needs a few, and none needs thousands.
    guard (2...4096).contains(numbers.count), numbers.allSatisfy({ abs($0) <= 1000 }) else {
      let message = "a distortion table of \(numbers.count) entries is not that of a lens"
      return (nil, [damaged(message)])
    }
    return (.table(numbers.map { Float($0) }), [])
  }

  private static func damaged(_ message: String) -> Finding {
    Finding(.calibrationDamaged, .caution, message, evidence: "recorded calibration")
  }
}

/// What became of a camera's recorded numbers.
package struct CheckedCalibration: Sendable {
  /// The camera; `nil` when no numbers are there, or when they are not those of a camera, which a
  /// finding then says.
  package var calibration: CameraCalibration?
  /// What is odd about the numbers.
  package var findings: [Finding] = []
  /// What was done to them.
  package var provenance: [ProvenanceStep] = []

  /// Nothing: no camera, and nothing to say about it.
  package init() {}
}

extension Capture {
  /// Takes over what was found about a camera's numbers and done to them, and returns the camera.
  package mutating func take(_ checked: CheckedCalibration) -> CameraCalibration? {
    findings += checked.findings
    provenance += checked.provenance
    return checked.calibration
  }
}

extension RecordedCalibration {
  /// Three lists of three numbers as one matrix, column after column, whether rows or columns were
  /// listed: the principal point is the only pair beside the diagonal that is not zero.
  package static func columnMajor(_ lists: [[Double]]) -> [Double]? {
    guard lists.count == 3, lists.allSatisfy({ $0.count == 3 }) else { return nil }
    let isRows = lists[2][0] == 0 && lists[2][1] == 0
    return isRows ? (0..<9).map { lists[$0 % 3][$0 / 3] } : lists.flatMap(\.self)
  }

  /// A size of two whole numbers; `nil` when they are none that an image has.
  package static func size(_ numbers: [Double]?) -> RasterSize? {
    guard let numbers, numbers.count == 2, numbers.allSatisfy({ (1...1e6).contains($0) }),
      let width = Int(exactly: numbers[0]), let height = Int(exactly: numbers[1])
    else { return nil }
    return RasterSize(width: width, height: height)
  }
}

extension PinholeIntrinsics {
  /// Reads focal lengths and principal point as they stand in a recording's text.
  ///
  /// It is `nil` for what ``init(columnMajor:size:grid:)`` refuses.
  public init?(
    fx: Double, fy: Double, cx: Double, cy: Double, size: RasterSize,
    grid: PixelGrid = .indexCentered
  ) {
    self.init(columnMajor: [fx, 0, 0, 0, fy, 0, cx, cy, 1], size: size, grid: grid)
  }
}
