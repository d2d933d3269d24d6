import PlumblineImages
import PlumblineIO
internal import PlumblineModel

/// The part of ``CalibrationDocument`` that describes a lens, both directions always.
struct DistortionDocument {
  /// Intervals of a table that is computed here; pieces this short keep a lens of 3 % within
  /// 0.01 pixels of a 12-megapixel image.
  private static let intervals = 256

  private let distortion: LensDistortion

  init(_ distortion: LensDistortion) { self.distortion = distortion }

  var json: JSONValue {
    [
      "unit": "pixels of the reference size",
      "center": .numbers([distortion.center.x, distortion.center.y]),
      "maximumRadius": .number(distortion.maximumRadius),
      "pixelSizeMillimeters": .number(
        distortion.pixelSizeMillimeters > 0 ? distortion.pixelSizeMillimeters : nil),
      "meaning": "p' = center + (p - center) * (1 + m(|p - center|))",
      "tableMeaning": "m at radii evenly from 0 to maximumRadius, linear in between",
      "coefficientsMeaning": "m = 0.01 * sum of c[k] * r^(2k), r in millimeters of pixelSize",
      "undistortedToDistorted": direction(
        distortion.distorting, distortion.distortingMagnification),
      "distortedToUndistorted": direction(
        distortion.undistorting, distortion.undistortingMagnification),
    ]
  }

  /// One direction: as the source gives it, and as a table in any case.
  private func direction(
    _ given: RadialMagnification?, _ magnification: (_ radius: Double) -> Double
  ) -> JSONValue {
    let sampled = (0...Self.intervals).map { index -> JSONValue in
      let radius = distortion.maximumRadius * Double(index) / Double(Self.intervals)
      return .number(magnification(radius))
    }
    switch given {
    case .table(let samples):
      return [
        "source": "table", "table": .array(samples.map { .number($0) }), "coefficients": nil,
      ]
    case .coefficients(let percents):
      return [
        "source": "coefficients", "table": .array(sampled), "coefficients": .numbers(percents),
      ]
    case nil:
      return [
        "source": "inverse of the other direction", "table": .array(sampled), "coefficients": nil,
      ]
    }
  }
}
