import PlumblineModel

/// A capture's depth as disparity, lying as the image's stored pixels lie.
struct StoredDisparity {
  /// 1/m where metric; NaN where not measured.
  var values: Raster<Float>
  /// One standard deviation of the middle one, in the values' unit; NaN where not known.
  var sigma: Float
  /// The distance of two neighboring codes at the middle, in the values' unit; NaN without codes.
  var step: Float
  /// The camera of the map.
  var intrinsics: PinholeIntrinsics?

  /// Reads the depth of a capture; O(cells).
  ///
  /// - Throws: `.missing` for ranges without a camera.
  static func read(
    _ record: DepthRecord, for capture: Capture, effect: String
  ) throws(EffectError) -> StoredDisparity {
    var values: Raster<Float>
    let size = record.size
    let calibration = record.calibration
    let camera = calibration.flatMap {
      $0.intrinsics.matchesAspect(of: size) ? $0.intrinsics.scaled(to: size) : nil
    }
    switch record.values {
    case .disparity(let map): values = map.inverseMeters
    case .depth(let map): values = map.disparityMap.inverseMeters
    case .range(let map):
      guard let camera else {
        throw EffectError(
          .missing, effect: effect, expected: "the camera of a map of ranges", found: "none")
      }
      values = map.depthMap(intrinsics: camera).disparityMap.inverseMeters
    }
    // A sigma at the median disparity, from what the map says of itself; codes are the least it has.
    let middle = median(of: values)
    var step = Float.nan
    if let quantization = record.quantization, record.storedSamples != nil {
      step = Float(abs(quantization.step))
      // |dd| = dz·d².
      if case .disparity = record.values {} else { step *= middle * middle }
    }
    // Source: the variance of a uniform error of one step is step²/12.
    var sigma = step / Float(12).squareRoot()
    if let meters = record.sigmaMeters {
      let known = median(of: meters) * middle * middle
      if known > 0 { sigma = sigma > 0 ? (sigma * sigma + known * known).squareRoot() : known }
    }
    var intrinsics = camera
    if let aperture = record.cleanAperture, aperture.isInside(size),
      aperture.size != size, aperture.size.pixelCount > 0
    {
      values = values.cropped(to: aperture)
      intrinsics = camera?.cropped(to: aperture)
    }
    let turn = record.orientation.followed(by: capture.colorOrientation.inverse)
    values = values.oriented(by: turn)
    return StoredDisparity(
      values: values, sigma: sigma, step: step,
      intrinsics: capture.colorCalibration?.intrinsics ?? intrinsics?.oriented(by: turn))
  }

  /// The median of about 10,000 finite values on a lattice; NaN when there is none.
  static func median(of raster: Raster<Float>) -> Float { raster.percentiles([0.5])[0] }
}

extension Raster<Float> {
  /// The map without holes: each missing pixel gets the least of the nearest values to its left,
  /// right, top and bottom, so that what lies behind grows into holes and what lies before does not.
  ///
  /// What is not finite and above 0 counts as a hole. It is `nil` when nothing was measured. O(*n*).
  func holesFilledFromBehind() -> Raster<Float>? {
    var map = self.map { $0 > 0 && $0 < .infinity ? $0 : Float.nan }
    guard map.samples.contains(where: { !$0.isNaN }) else { return nil }
    // A hole that meets nothing in four directions does once its neighbors are filled.
    while map.samples.contains(where: \.isNaN) {
      var filled = map.samples
      let (width, height) = (map.width, map.height)
      map.samples.withUnsafeBufferPointer { source in
        filled.withUnsafeMutableBufferPointer { result in
          func scan(_ start: Int, _ step: Int, _ count: Int) {
            var last = Float.nan
            var place = start
            for _ in 0..<count {
              if source[place].isNaN {
                // A comparison with NaN is false: the first value found is taken.
                if !(result[place] <= last) && !last.isNaN { result[place] = last }
              } else {
                last = source[place]
              }
              place += step
            }
          }
          for y in 0..<height {
            scan(y * width, 1, width)
            scan(y * width + width - 1, -1, width)
          }
          for x in 0..<width {
            scan(x, width, height)
            scan((height - 1) * width + x, -width, height)
          }
        }
      }
      map.samples = filled
    }
    return map
  }
}
