public import PlumblineIO
import PlumblineImages
public import PlumblineModel

/// All known data of a depth map's camera, for `calibration.json`.
///
/// Schema `plumbline.calibration/1`, described in `Documentation/formats/calibration-json.md`.
/// Unknown values are `null`; the file states its pixel grid, frame, directions and units in words.
public struct CalibrationDocument: Sendable {
  /// The version of the schema; it changes when the meaning of a member changes.
  public static let schema = "plumbline.calibration/1"

  /// The calibration at its own reference size, in the orientation of the map; `nil` if unknown.
  public var calibration: CameraCalibration?
  /// The size of the corresponding depth map.
  public var mapSize: RasterSize
  /// The orientation of the map: the rotation or mirroring that makes it upright.
  public var orientation: ImageOrientation
  /// Whether pixels are already at the positions of a pinhole camera; `nil` if unknown.
  public var isRectified: Bool?
  /// One standard deviation of depth; `nil` if unknown.
  public var sigma: SigmaCurve?
  /// One standard deviation of the camera's numbers; `nil` if unknown.
  public var uncertainty: CalibrationUncertainty?
  /// The program that wrote the file, and its source.
  public var origin: ExportOrigin

  /// Creates a document from its parts.
  package init(
    calibration: CameraCalibration?, mapSize: RasterSize, orientation: ImageOrientation = .up,
    isRectified: Bool? = nil, sigma: SigmaCurve? = nil,
    uncertainty: CalibrationUncertainty? = nil, origin: ExportOrigin
  ) {
    self.calibration = calibration
    self.mapSize = mapSize
    self.orientation = orientation
    self.isRectified = isRectified
    self.sigma = sigma
    self.uncertainty = uncertainty
    self.origin = origin
  }

  /// The document as JSON.
  public var json: JSONValue {
    [
      "schema": .string(Self.schema),
      "producer": .string(origin.producer),
      "sourceSha256": .string(origin.sourceSHA256),
      "conventions": [
        "pixelGrid": "integer coordinates are pixel centers, the first one is (0, 0)",
        "scaling": "c' = (c + 0.5) * s - 0.5, f' = f * s",
        "cameraFrame": "x right, y down, z forward, along the optical axis",
        "matrices": "column-major",
        "unknown": "null",
      ],
      "depthMap": .object(
        [("width", .integer(mapSize.width)), ("height", .integer(mapSize.height))]
          + Self.pinhole(mapIntrinsics)),
      "reference": reference,
      "distortion": calibration?.distortion.map { DistortionDocument($0).json } ?? .null,
      "rectified": .bool(isRectified),
      "extrinsics": calibration?.extrinsics.map(Self.extrinsics) ?? .null,
      "orientation": [
        "exif": .integer(Int(orientation.rawValue)),
        "name": .string("\(orientation)"),
        "meaning": "how the map is turned to be upright; not applied to any number here",
      ],
      "sigma": sigma.map(Self.sigma) ?? .null,
      "uncertainty": uncertainty.map(Self.uncertainty) ?? .null,
    ]
  }

  /// The camera at the size of the map; `nil` if the aspect ratios differ, since the crop is then
  /// unknown.
  private var mapIntrinsics: PinholeIntrinsics? {
    guard let intrinsics = calibration?.intrinsics, intrinsics.matchesAspect(of: mapSize) else {
      return nil
    }
    return intrinsics.scaled(to: mapSize)
  }

  private var reference: JSONValue {
    guard let calibration else { return .null }
    let size = calibration.intrinsics.size
    return .object(
      [("width", .integer(size.width)), ("height", .integer(size.height))]
        + Self.pinhole(calibration.intrinsics)
        + [("pixelSizeMillimeters", .number(calibration.pixelSizeMillimeters))])
  }

  private static func pinhole(_ camera: PinholeIntrinsics?) -> [(key: String, value: JSONValue)] {
    [
      ("fx", .number(camera?.focalLength.x)), ("fy", .number(camera?.focalLength.y)),
      ("cx", .number(camera?.principalPoint.x)), ("cy", .number(camera?.principalPoint.y)),
    ]
  }

  private static func extrinsics(_ extrinsics: CameraExtrinsics) -> JSONValue {
    let rotation = extrinsics.rotation
    let columns = [rotation.x, rotation.y, rotation.z, extrinsics.translationMillimeters]
    return [
      "matrix": .numbers(columns.flatMap { [$0.x, $0.y, $0.z] }),
      "layout": "four columns of three: the rotation's R, then the translation t",
      "meaning": "pointInReference = R * pointInCamera + t",
      "translationUnit": "millimeter",
      "isReference": .bool(extrinsics.isReference),
    ]
  }

  private static func uncertainty(_ sigma: CalibrationUncertainty) -> JSONValue {
    [
      "meaning": "half width that holds 68 % of truths each, pixels of the reference size",
      "focalLength": .numbers(sigma.focalLengthPixels.map { [$0.x, $0.y] }),
      "principalPoint": .numbers(sigma.principalPointPixels.map { [$0.x, $0.y] }),
      "radialTerms": .numbers(sigma.radialTerms),
      "projection": sigma.projection.map(projection) ?? .null,
      "basis": .string(sigma.basis),
    ]
  }

  private static func projection(_ map: ProjectionUncertainty) -> JSONValue {
    [
      "meaning":
        "68 % half width of where a ray's pixel is, a turn of the camera taken out, row after row",
      "columns": .integer(map.columns),
      "rows": .integer(map.rows),
      "sigmaPixels": .numbers(map.sigmaPixels),
      "corners": .numbers(map.cornerCounts.map(Double.init)),
    ]
  }

  private static func sigma(_ curve: SigmaCurve) -> JSONValue {
    [
      "meaning": "one standard deviation of z in meters, z in meters",
      "formula": "sqrt(constantMeters^2 + (perMeter * z)^2 + (perMeterSquared * z^2)^2)",
      "constantMeters": .number(curve.constantMeters),
      "perMeter": .number(curve.perMeter),
      "perMeterSquared": .number(curve.perMeterSquared),
    ]
  }
}

/// The part of ``CalibrationDocument`` for a lens, always with both directions.
struct DistortionDocument {
  /// The number of intervals in a computed table; with it a lens with 3 % distortion is exact to
  /// 0.01 pixels in a 12-megapixel image.
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

  /// One direction: as given by its source, and always as a table too.
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
