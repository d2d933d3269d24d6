import PlumblineImages
package import PlumblineIO
package import PlumblineModel

extension CDRWriter {
  /// Appends an optional calibration as a sequence of 0 or 1 items.
  package mutating func write(optional calibration: CameraCalibration?) {
    write(UInt32(calibration == nil ? 0 : 1))
    guard let calibration else { return }
    let camera = calibration.intrinsics
    write(camera.size)
    write(array: [camera.focalLength.x, camera.focalLength.y])
    write(array: [camera.principalPoint.x, camera.principalPoint.y])
    write(optional: calibration.pixelSizeMillimeters)
    write(optional: calibration.distortion)
    guard let place = calibration.extrinsics else { return write([Double]()) }
    let columns = [
      place.rotation.x, place.rotation.y, place.rotation.z, place.translationMillimeters,
    ]
    write(columns.flatMap { [$0.x, $0.y, $0.z] })
  }

  private mutating func write(optional lens: LensDistortion?) {
    write(UInt32(lens == nil ? 0 : 1))
    guard let lens else { return }
    write(array: [lens.center.x, lens.center.y])
    write(lens.maximumRadius)
    write(lens.pixelSizeMillimeters)
    write(optional: lens.distorting)
    write(optional: lens.undistorting)
  }

  private mutating func write(optional magnification: RadialMagnification?) {
    write(UInt32(magnification == nil ? 0 : 1))
    switch magnification {
    case .table(let samples):
      write(true)
      write(samples)
      write([Double]())
    case .coefficients(let percents):
      write(false)
      write([Float]())
      write(percents)
    case nil: break
    }
  }

  /// Appends an optional uncertainty as a sequence of 0 or 1 items.
  package mutating func write(optional uncertainty: CalibrationUncertainty?) {
    write(UInt32(uncertainty == nil ? 0 : 1))
    guard let uncertainty else { return }
    write(uncertainty.focalLengthPixels.map { [$0.x, $0.y] } ?? [])
    write(uncertainty.principalPointPixels.map { [$0.x, $0.y] } ?? [])
    write(uncertainty.radialTerms != nil)
    write(uncertainty.radialTerms ?? [])
    write(uncertainty.basis)
  }
}

extension CDRReader {
  /// Reads an optional calibration.
  ///
  /// - Throws: `.malformed` for an invalid camera or lens.
  package mutating func readCalibration() throws(CaptureReadingError) -> CameraCalibration? {
    guard try readCount("calibrations", minimumBytes: 40, atMost: 1) == 1 else { return nil }
    let size = try readSize("the calibrated image")
    let focal = try readDoubles(count: 2, "the focal length")
    let point = try readDoubles(count: 2, "the principal point")
    let pitch = try readOptionalDouble("the pixel size")
    let distortion = try readDistortion(size)
    let columns = try readDoubles("the extrinsics", atMost: 12)
    let matrix = [focal[0], 0, 0, 0, focal[1], 0, point[0], point[1], 1]
    guard let intrinsics = PinholeIntrinsics(columnMajor: matrix, size: size),
      pitch?.isFinite != false
    else {
      throw malformed(
        expected: "the numbers of a pinhole camera of \(size)", found: "\(focal), \(point)")
    }
    let extrinsics = CameraExtrinsics(columnMajor: columns)
    guard columns.isEmpty || extrinsics != nil else {
      throw malformed(expected: "extrinsics of 12 numbers with a rotation", found: "\(columns)")
    }
    return CameraCalibration(
      intrinsics: intrinsics, pixelSizeMillimeters: pitch, distortion: distortion,
      extrinsics: extrinsics)
  }

  private mutating func readDistortion(
    _ size: RasterSize
  ) throws(CaptureReadingError) -> LensDistortion? {
    guard try readCount("distortions", minimumBytes: 40, atMost: 1) == 1 else { return nil }
    let center = try readDoubles(count: 2, "the distortion's center")
    let radius = try readDouble("the largest radius")
    let pitch = try readDouble("the pixel size")
    let distorting = try readMagnification()
    let undistorting = try readMagnification()
    guard distorting != nil || undistorting != nil, center.allSatisfy({ abs($0) <= 1e9 }),
      (0...1e9).contains(radius), (0...1e9).contains(pitch)
    else {
      throw malformed(
        expected: "a center, a radius and a direction of the lens",
        found: "\(center), \(radius), \(pitch)")
    }
    var lens = LensDistortion(
      center: [center[0], center[1]], size: size, pixelSizeMillimeters: pitch,
      distorting: distorting, undistorting: undistorting)
    lens.maximumRadius = radius
    guard lens.isFinite else {
      throw malformed(expected: "a lens", found: "one that moves points out of sight")
    }
    return lens
  }

  private mutating func readMagnification() throws(CaptureReadingError) -> RadialMagnification? {
    guard try readCount("magnifications", minimumBytes: 9, atMost: 1) == 1 else { return nil }
    let isTable = try readBool("is_table")
    let table = try readFloats("the lens table")
    let coefficients = try readDoubles("the lens coefficients", atMost: 64)
    guard table.count <= 1 << 16, table.allSatisfy(\.isFinite),
      coefficients.allSatisfy(\.isFinite)
    else {
      throw malformed(
        expected: "a lens table of up to 65,536 finite numbers", found: "\(table.count) numbers")
    }
    return isTable ? .table(table) : .coefficients(coefficients)
  }

  /// Reads an optional uncertainty.
  package mutating func readUncertainty() throws(CaptureReadingError) -> CalibrationUncertainty? {
    guard try readCount("uncertainties", minimumBytes: 17, atMost: 1) == 1 else { return nil }
    let focal = try readDoubles("sigma of the focal length", atMost: 2)
    let point = try readDoubles("sigma of the principal point", atMost: 2)
    let hasTerms = try readBool("has_radial_terms")
    let terms = try readDoubles("sigma of radial terms", atMost: 64)
    let basis = try readText("the basis")
    guard focal.count != 1, point.count != 1,
      (focal + point + terms).allSatisfy({ $0 >= 0 && $0.isFinite })
    else {
      throw malformed(expected: "sigmas of 0 or more, in pairs", found: "\(focal), \(point)")
    }
    return CalibrationUncertainty(
      focalLengthPixels: focal.isEmpty ? nil : [focal[0], focal[1]],
      principalPointPixels: point.isEmpty ? nil : [point[0], point[1]],
      radialTerms: hasTerms ? terms : nil, basis: basis)
  }
}
