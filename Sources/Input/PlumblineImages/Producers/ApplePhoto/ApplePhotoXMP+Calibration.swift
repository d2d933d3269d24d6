package import PlumblineModel

extension ApplePhotoXMP {
  /// The properties of a camera; tables become coefficients, the only form that photos have.
  ///
  /// What is not finite is left out, and so is a distortion whose coefficients would need a pixel
  /// size that is not known.
  package static func properties(of calibration: CameraCalibration) -> [XMPWriter.Property] {
    let calibration = calibration.withCoefficients
    let intrinsics = calibration.intrinsics
    func array(_ name: String, _ values: [Double]) -> XMPWriter.Property? {
      guard values.allSatisfy({ Float($0).isFinite }) else { return nil }
      return .array(depthData, "depthData", name, values.map(XMPNumber.single))
    }
    func simple(_ name: String, _ value: String) -> XMPWriter.Property {
      .simple(depthData, "depthData", name, value)
    }
    var result: [XMPWriter.Property?] = [
      array(
        "IntrinsicMatrix",
        [
          intrinsics.focalLength.x, 0, 0, 0, intrinsics.focalLength.y, 0,
          intrinsics.principalPoint.x, intrinsics.principalPoint.y, 1,
        ]),
      simple("IntrinsicMatrixReferenceWidth", String(intrinsics.size.width)),
      simple("IntrinsicMatrixReferenceHeight", String(intrinsics.size.height)),
    ]
    if let size = calibration.pixelSizeMillimeters, size.isFinite {
      result.append(simple("PixelSize", XMPNumber.exact(size)))
    }
    if let pose = calibration.extrinsics {
      let columns = [
        pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.translationMillimeters,
      ]
      result.append(array("ExtrinsicMatrix", columns.flatMap { [$0.x, $0.y, $0.z] }))
    }
    if let distortion = calibration.distortion, Float(distortion.center.x).isFinite,
      Float(distortion.center.y).isFinite
    {
      result += [
        simple("LensDistortionCenterOffsetX", XMPNumber.single(distortion.center.x)),
        simple("LensDistortionCenterOffsetY", XMPNumber.single(distortion.center.y)),
      ]
      // Apple's names are swapped against what the coefficients do.
      if case .coefficients(let values)? = distortion.distorting {
        result.append(array("InverseLensDistortionCoefficients", values))
      }
      if case .coefficients(let values)? = distortion.undistorting {
        result.append(array("LensDistortionCoefficients", values))
      }
    }
    return result.compactMap(\.self)
  }
}

extension CameraCalibration {
  /// The same with tables turned into the coefficients that photos hold.
  ///
  /// Coefficients count radii in millimeters. Where no pixel size is known, 0.001 mm is taken, the
  /// nominal size that most of Apple's files have, and then stands in the calibration.
  package var withCoefficients: CameraCalibration {
    guard var lens = distortion else { return self }
    var pixelSizeMillimeters = pixelSizeMillimeters
    if !lens.isZero {
      let known = [lens.pixelSizeMillimeters, pixelSizeMillimeters ?? 0].first { $0 > 0 }
      lens.pixelSizeMillimeters = known ?? 0.001
      pixelSizeMillimeters = lens.pixelSizeMillimeters
    }
    lens.distorting = lens.distorting.map { lens.coefficients(for: $0) }
    lens.undistorting = lens.undistorting.map { lens.coefficients(for: $0) }
    var copy = self
    copy.distortion = lens
    copy.pixelSizeMillimeters = pixelSizeMillimeters
    return copy
  }
}

extension LensDistortion {
  /// Eight coefficients that come nearest to a table at its entries, by least squares.
  ///
  /// - Source: `Documentation/formats/xmp-apple-depth.md`: percent by even powers of millimeters.
  ///   The powers of the relative radius are made orthogonal first (modified Gram–Schmidt), since
  ///   their normal equations would lose all digits.
  package func coefficients(for magnification: RadialMagnification) -> RadialMagnification {
    guard case .table(let samples) = magnification else { return magnification }
    guard !magnification.isZero else {
      return .coefficients([Double](repeating: 0, count: 8))
    }
    // A table of few entries is drawn out along its own straight lines.
    let entries =
      samples.count > 8
      ? samples
      : (0...41).map { step in
        Float(
          magnification.offset(
            atRadius: Double(step), maximumRadius: 41, pixelSizeMillimeters: 0))
      }
    let shares = entries.indices.map { Double($0) / Double(entries.count - 1) }
    var columns: [[Double]] = []
    var row = [Double](repeating: 1, count: shares.count)
    for _ in 0..<8 {
      columns.append(row)
      row = zip(row, shares).map { $0 * $1 * $1 }
    }
    var triangle = [[Double]](repeating: [Double](repeating: 0, count: 8), count: 8)
    var rest = entries.map { Double($0) }
    var projections = [Double](repeating: 0, count: 8)
    func product(_ a: [Double], _ b: [Double]) -> Double {
      zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
    }
    for k in 0..<8 {
      triangle[k][k] = product(columns[k], columns[k]).squareRoot()
      columns[k] = columns[k].map { $0 / triangle[k][k] }
      for next in (k + 1)..<max(8, k + 1) {
        triangle[k][next] = product(columns[k], columns[next])
        columns[next] = zip(columns[next], columns[k]).map { $0 - triangle[k][next] * $1 }
      }
      projections[k] = product(columns[k], rest)
      rest = zip(rest, columns[k]).map { $0 - projections[k] * $1 }
    }
    var solution = projections
    for k in (0..<8).reversed() {
      for next in (k + 1)..<max(8, k + 1) { solution[k] -= triangle[k][next] * solution[next] }
      solution[k] /= triangle[k][k]
    }
    let millimeters = maximumRadius * pixelSizeMillimeters
    var power = 1.0
    for k in 0..<8 {
      solution[k] *= 100 / power
      power *= millimeters * millimeters
    }
    return .coefficients(solution)
  }
}
