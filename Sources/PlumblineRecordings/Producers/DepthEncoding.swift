package import PlumblineModel

/// The rule from the numbers of a depth file to meters.
package enum DepthEncoding: Hashable, Sendable {
  /// Whole numbers, so many to a meter; 0 is not measured.
  case codes(perMeter: Double)
  /// Meters in whole numbers or fractions; not finite or not above 0 is not measured.
  case meters
  /// Millimeters whose bits were turned left by three positions, as in SUN RGB-D and SUN3D.
  ///
  /// - Source: PrincetonVision/SUN3Dsfm, `depthRead.m`: `(v >> 3) | (v << 13)`, then / 1000.
  case rotatedMillimeters
  /// Disparities of the first Kinect, 11 bits, their two bytes exchanged, as in NYU's raw frames.
  ///
  /// - Source: N. Silberman, NYU Depth Dataset V2 toolbox, `project_depth_map.m` and
  ///   `camera_params.m`: `swapbytes`, then `351.3 / (1092.5 − d)` meters.
  case kinectDisparity

  /// Millimeters, the custom of RGB-D data sets for 16-bit images.
  package static let millimeters = DepthEncoding.codes(perMeter: 1000)

  /// Meters of a code of 16 bits; NaN for none.
  package func meters(_ code: UInt16) -> Float {
    switch self {
    case .codes(let perMeter): return code == 0 ? DepthMap.missing : Float(Double(code) / perMeter)
    case .meters: return code == 0 ? DepthMap.missing : Float(code)
    case .rotatedMillimeters:
      let turned = code >> 3 | code << 13
      return turned == 0 ? DepthMap.missing : Float(turned) / 1000
    case .kinectDisparity:
      let meters = 351.3 / (1092.5 - Double(code.byteSwapped))
      return meters > 0 ? Float(meters) : DepthMap.missing
    }
  }

  /// The step for `provenance`.
  package var step: ProvenanceStep {
    switch self {
    case .codes(let perMeter):
      ProvenanceStep(
        "dequantized", "meters = code / \(perMeter.fixed(0)); code 0 is not measured")
    case .meters: ProvenanceStep("read", "meters as stored; what is not above 0 is not measured")
    case .rotatedMillimeters:
      ProvenanceStep(
        "turned-bits", "millimeters = code >> 3 | code << 13, as SUN RGB-D packs them")
    case .kinectDisparity:
      ProvenanceStep(
        "converted-disparity",
        "bytes exchanged, then meters = 351.3 / (1092.5 − d), as NYU's toolbox does; d of 1093 and "
          + "more is not measured")
    }
  }
}

extension DepthEncoding {
  /// Whether codes can be millimeters turned by three positions: none of them above 16.383 m.
  ///
  /// Their lowest three bits are then 0 or 1, where those of other maps take all eight values.
  static func looksRotated(_ codes: Raster<UInt16>) -> Bool {
    var seen: UInt16 = 0
    for y in 0..<codes.height {
      for code in codes.row(y) {
        if code & 7 > 1 { return false }
        seen |= code
      }
    }
    // A map of small numbers alone proves nothing.
    return seen >> 3 != 0
  }

  /// Whether codes can be disparities of 11 bits with exchanged bytes.
  static func looksLikeSwappedDisparity(_ codes: Raster<UInt16>) -> Bool {
    var largest: UInt16 = 0
    for y in 0..<codes.height {
      for code in codes.row(y) { largest = max(largest, code.byteSwapped) }
    }
    return largest <= 2047 && largest > 255
  }
}
