package import PlumblineIO
import PlumblineModel
package import PlumblineStereo
import PlumblineVision

/// Two cameras and their relative pose, for `stereo.json`.
///
/// The schema is `plumbline.stereo-calibration/1`, described in `Documentation/stereo.md`. Numbers
/// are read back bit for bit.
package struct StereoCalibrationDocument: Sendable {
  /// The version of the schema; it changes when the meaning of a member changes.
  package static let schema = "plumbline.stereo-calibration/1"

  /// The upper bound for the terms of a lens polynomial in any file; real terms are below 100.
  static let lensTermLimit = 1e9
  /// The upper bound for the distance between two cameras, in meters or in the unit of a file.
  static let translationLimit = 1e6

  /// The cameras, at the sizes of their images.
  package var calibration: StereoCalibration
  /// The program that wrote the file, and its source.
  package var origin: ExportOrigin

  /// Creates a document from its parts.
  package init(_ calibration: StereoCalibration, origin: ExportOrigin) {
    self.calibration = calibration
    self.origin = origin
  }

  /// The document as JSON.
  package var json: JSONValue {
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

extension StereoCalibrationDocument {
  /// Reads a document of the schema `plumbline.stereo-calibration/1`.
  ///
  /// Numbers that this package wrote are read back bit for bit.
  /// - Throws: `.malformed`, `.missing` or `.unsupported` with the path of the member.
  package init(_ json: JSONValue) throws(CalibrationReadingError) {
    do throws(JSONReadingError) {
      try self.init(JSONFields(json))
    } catch {
      throw CalibrationReadingError(error)
    }
  }

  private init(_ fields: JSONFields) throws(JSONReadingError) {
    let schema = try fields.text("schema") ?? "none"
    guard schema == Self.schema else {
      throw JSONReadingError(
        .unsupported, path: ["schema"], expected: Self.schema,
        found: CalibrationDocument.printable(schema))
    }
    let left = try fields.required("left", fields.fields)
    let right = try fields.required("right", fields.fields)
    let pose = try fields.required("rightFromLeft", fields.fields)
    let (r, t) = (
      try Self.numbers(pose, "rotation", 9), try Self.numbers(pose, "translation", 3)
    )
    guard
      let rotation = Rotation(
        columns: [r[0], r[1], r[2]], [r[3], r[4], r[5]], [r[6], r[7], r[8]])
    else { throw pose.failure(at: "rotation", expected: "a rotation", found: "another matrix") }
    guard t.allSatisfy({ abs($0) < Self.translationLimit }) else {
      throw pose.failure(at: "translation", expected: "below 1e6", found: "more")
    }
    var calibration = StereoCalibration(
      left: try Self.camera(left), right: try Self.camera(right),
      rightFromLeft: RigidTransform(rotation: rotation, translation: SIMD3(t[0], t[1], t[2])),
      isMetric: try pose.text("unit") == "meter", uncertainty: try Self.uncertainty(fields))
    calibration.leftCleanAperture = try Self.aperture(left, calibration.left.intrinsics.size)
    calibration.rightCleanAperture = try Self.aperture(right, calibration.right.intrinsics.size)
    self.init(
      calibration, origin: ExportOrigin(producer: try fields.text("producer") ?? "unknown"))
  }

  private static func numbers(
    _ fields: JSONFields, _ key: String, _ count: Int
  ) throws(JSONReadingError) -> [Double] {
    guard let numbers = try fields.numbers(key, count: count...count) else {
      throw fields.failure(at: key, expected: "\(count) numbers", found: "null or nothing")
    }
    return numbers
  }

  private static func camera(_ fields: JSONFields) throws(JSONReadingError) -> CameraModel {
    let size = try fields.size()
    let f = [try fields.required("fx", fields.number), try fields.required("fy", fields.number)]
    let c = [try fields.required("cx", fields.number), try fields.required("cy", fields.number)]
    guard
      let intrinsics = PinholeIntrinsics(
        columnMajor: [f[0], 0, 0, 0, f[1], 0, c[0], c[1], 1], size: size)
    else {
      throw fields.failure(
        at: "fx", expected: "a camera of \(size)",
        found: "f = (\(f[0]), \(f[1])), c = (\(c[0]), \(c[1]))")
    }
    if let polynomial = try fields.fields("polynomial") {
      let k = try numbers(polynomial, "radial", 3)
      let p = try numbers(polynomial, "tangential", 2)
      guard (k + p).allSatisfy({ abs($0) < Self.lensTermLimit }) else {
        throw polynomial.failure(at: "radial", expected: "below 1e9", found: "more")
      }
      return CameraModel(
        intrinsics: intrinsics,
        lens: .polynomial(radial: SIMD3(k[0], k[1], k[2]), tangential: SIMD2(p[0], p[1])))
    }
    guard let distortion = try CalibrationDocument.distortion(fields, size) else {
      return CameraModel(intrinsics: intrinsics)
    }
    return CameraModel(intrinsics: intrinsics, lens: .radial(distortion))
  }

  private static func aperture(
    _ fields: JSONFields, _ size: RasterSize
  ) throws(JSONReadingError) -> PixelRectangle? {
    guard let numbers = try fields.numbers("cleanAperture", count: 4...4) else { return nil }
    let legal = 0.0...65536.0
    guard numbers.allSatisfy({ legal.contains($0) && $0 == $0.rounded() }) else {
      throw fields.failure(
        at: "cleanAperture", expected: "whole pixels from 0 to 65536", found: "other numbers")
    }
    let whole = numbers.map { Int($0) }
    let area = PixelRectangle(x: whole[0], y: whole[1], width: whole[2], height: whole[3])
    guard area.isInside(size) else {
      throw fields.failure(
        at: "cleanAperture", expected: "a part of \(size)", found: "a rectangle outside")
    }
    return area
  }

  private static func uncertainty(
    _ fields: JSONFields
  ) throws(JSONReadingError) -> StereoUncertainty? {
    guard let sigma = try fields.fields("uncertainty") else { return nil }
    let singles = ["baseline", "focalLengthShare", "offsetPixels", "epipolarRMSPixels"]
    var values: [Double?] = []
    for key in singles { values.append(try sigma.number(key)) }
    let turn = try sigma.numbers("rotationRadians", count: 3...3)
    let shift = try sigma.numbers("translation", count: 3...3)
    let all = values.compactMap(\.self) + (turn ?? []) + (shift ?? [])
    guard all.allSatisfy({ (0...1e9).contains($0) }) else {
      throw sigma.failure(expected: "standard deviations from 0 to 1e9", found: "another number")
    }
    return StereoUncertainty(
      baselineMeters: values[0], focalLengthShare: values[1], offsetPixels: values[2],
      rotationRadians: turn.map { SIMD3($0[0], $0[1], $0[2]) },
      translationMeters: shift.map { SIMD3($0[0], $0[1], $0[2]) }, epipolarPixels: values[3],
      basis: try sigma.text("basis") ?? "as the file states")
  }
}
