package import PlumblineModel

/// What differs between two captures, field by field and bit by bit; NaN equals NaN.
package struct CaptureDifference: Sendable {
  /// The names of the fields that differ, color pixels ignored; empty for equal captures.
  package private(set) var fields: [String] = []

  /// Compares all but the pixels of color, mattes, gain map and stereo pair.
  package init(_ a: Capture, _ b: Capture) {
    check("source", a.source == b.source)
    check("colorSize", a.colorSize == b.colorSize)
    check("colorOrientation", a.colorOrientation == b.colorOrientation)
    check("timestamp", a.timestampSeconds?.bitPattern == b.timestampSeconds?.bitPattern)
    check("pose", a.worldFromCamera == b.worldFromCamera)
    check("colorCalibration", a.colorCalibration == b.colorCalibration)
    check("provenance", a.provenance == b.provenance)
    check("findings", a.findings == b.findings)
    check("depth", (a.depth == nil) == (b.depth == nil))
    if let a = a.depth, let b = b.depth { compare(a, b) }
  }

  private mutating func check(_ field: String, _ isEqual: Bool) {
    if !isEqual { fields.append(field) }
  }

  private mutating func compare(_ a: DepthRecord, _ b: DepthRecord) {
    switch (a.values, b.values) {
    case (.depth(let a), .depth(let b)): check("meters", same(a.meters, b.meters))
    case (.disparity(let a), .disparity(let b)):
      check("disparity", same(a.inverseMeters, b.inverseMeters))
    case (.range(let a), .range(let b)): check("range", same(a.meters, b.meters))
    default: check("kind", false)
    }
    check("storedSamples", a.storedSamples == b.storedSamples)
    check("quantization", a.quantization == b.quantization)
    check("storedType", a.storedType == b.storedType)
    check("nativeType", a.nativeType == b.nativeType)
    check("accuracy", a.accuracy == b.accuracy)
    check("hasUnit", a.hasUnit == b.hasUnit)
    check("isFiltered", a.isFiltered == b.isFiltered)
    check("quality", a.quality == b.quality)
    check("calibration", a.calibration == b.calibration)
    check("uncertainty", a.calibrationUncertainty == b.calibrationUncertainty)
    check("isRectified", a.isRectified == b.isRectified)
    check("cleanAperture", a.cleanAperture == b.cleanAperture)
    check("orientation", a.orientation == b.orientation)
    check("confidence", a.confidence?.levels == b.confidence?.levels)
    check("maximumLevel", a.confidence?.maximumLevel == b.confidence?.maximumLevel)
    check("sigma", same(a.sigmaMeters, b.sigmaMeters))
    check("invented", a.inventedPixels == b.inventedPixels)
    check("residual", a.residual == b.residual)
  }

  private func same(_ a: Raster<Float>?, _ b: Raster<Float>?) -> Bool {
    guard let a, let b else { return (a == nil) == (b == nil) }
    // Every NaN is one missing value.
    let bits = { (sample: Float) in sample.isNaN ? 0 : sample.bitPattern }
    return a.size == b.size
      && a.packed.samples.lazy.map(bits).elementsEqual(b.packed.samples.lazy.map(bits))
  }
}
