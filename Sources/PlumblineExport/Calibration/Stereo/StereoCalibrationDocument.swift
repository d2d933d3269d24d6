public import PlumblineIO
internal import PlumblineModel
public import PlumblineStereo
internal import PlumblineVision

/// Two cameras and where they stand to each other, for `stereo.json`.
///
/// Schema `plumbline.stereo-calibration/1`, described in `Documentation/stereo.md`. Numbers come back
/// bit for bit.
public struct StereoCalibrationDocument: Sendable {
  /// The version of the layout; a changed meaning changes the number.
  public static let schema = "plumbline.stereo-calibration/1"

  /// What no term of a lens's polynomial reaches, in any file: real ones stay below a hundred.
  static let lensTermLimit = 1e9
  /// What no distance between two cameras reaches, in meters or in the unit of a file.
  static let translationLimit = 1e6

  /// The cameras, at the sizes of their images.
  public var calibration: StereoCalibration
  /// The program that made the file, and its source.
  public var origin: ExportOrigin

  /// Creates a document from its parts.
  public init(_ calibration: StereoCalibration, origin: ExportOrigin) {
    self.calibration = calibration
    self.origin = origin
  }

  /// The document.
  public var json: JSONValue {
    let (rotation, t) = (
      calibration.rightFromLeft.rotation, calibration.rightFromLeft.translation
    )
    return [
      "schema": .string(Self.schema),
      "producer": .string(origin.producer),
      "conventions": [
        "pixelGrid": "integer coordinates are pixel centers, the first one is (0, 0)",
        "cameraFrame": "x right, y down, z forward, along the optical axis",
        "rightFromLeft": "pointInRight = rotation * pointInLeft + translation",
        "matrices": "column-major",
        "polynomial": "x' = x*(1 + k1*r^2 + k2*r^4 + k3*r^6) + 2*p1*x*y + p2*(r^2 + 2*x^2)",
        "unknown": "null",
      ],
      "left": Self.camera(calibration.left, calibration.leftCleanAperture),
      "right": Self.camera(calibration.right, calibration.rightCleanAperture),
      "rightFromLeft": [
        "rotation": .numbers(
          [rotation.x, rotation.y, rotation.z].flatMap { [$0.x, $0.y, $0.z] }),
        "translation": .numbers([t.x, t.y, t.z]),
        "unit": calibration.isMetric ? "meter" : "unknown",
      ],
      "baseline": .number(calibration.baselineMeters),
      "uncertainty": calibration.uncertainty.map(Self.uncertainty) ?? .null,
    ]
  }

  private static func camera(_ camera: CameraModel, _ aperture: PixelRectangle?) -> JSONValue {
    let (f, c) = (camera.intrinsics.focalLength, camera.intrinsics.principalPoint)
    var polynomial = JSONValue.null
    var distortion = JSONValue.null
    switch camera.lens {
    case .none: break
    case .polynomial(let k, let p):
      polynomial = ["radial": .numbers([k.x, k.y, k.z]), "tangential": .numbers([p.x, p.y])]
    case .radial(let lens): distortion = DistortionDocument(lens).json
    }
    return [
      "width": .integer(camera.intrinsics.size.width),
      "height": .integer(camera.intrinsics.size.height),
      "fx": .number(f.x), "fy": .number(f.y), "cx": .number(c.x), "cy": .number(c.y),
      "polynomial": polynomial, "distortion": distortion,
      "cleanAperture": .numbers(
        aperture.map { [$0.x, $0.y, $0.size.width, $0.size.height].map { Double($0) } }),
    ]
  }

  private static func uncertainty(_ sigma: StereoUncertainty) -> JSONValue {
    [
      "meaning": "one standard deviation each",
      "baseline": .number(sigma.baselineMeters),
      "focalLengthShare": .number(sigma.focalLengthShare),
      "offsetPixels": .number(sigma.offsetPixels),
      "rotationRadians": .numbers(sigma.rotationRadians.map { [$0.x, $0.y, $0.z] }),
      "translation": .numbers(sigma.translationMeters.map { [$0.x, $0.y, $0.z] }),
      "epipolarRMSPixels": .number(sigma.epipolarPixels),
      "basis": .string(sigma.basis),
    ]
  }
}
