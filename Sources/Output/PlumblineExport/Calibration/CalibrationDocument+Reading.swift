import PlumblineImages
package import PlumblineIO
internal import PlumblineModel

extension CalibrationDocument {
  /// The allowed numbers of entries in a lens table.
  private static let tableCounts = 1...65536

  /// Reads a document of the schema `plumbline.calibration/1`.
  ///
  /// Numbers that this package wrote are read back bit for bit.
  /// - Throws: `.malformed` or `.missing` with the path of the member.
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
        .unsupported, path: ["schema"], expected: Self.schema, found: Self.printable(schema))
    }
    guard let map = try fields.fields("depthMap") else {
      throw JSONReadingError(
        .missing, path: ["depthMap"], expected: "width and height", found: "null or nothing")
    }
    let calibration = try Self.calibration(fields)
    self.init(
      calibration: calibration, mapSize: try map.size(),
      orientation: try Self.orientation(fields), isRectified: try fields.flag("rectified"),
      sigma: try Self.sigma(fields),
      uncertainty: try Self.uncertainty(fields, width: calibration?.intrinsics.size.width),
      origin: ExportOrigin(
        producer: try fields.text("producer") ?? "unknown",
        sourceSHA256: try fields.text("sourceSha256")))
  }

  private static func calibration(
    _ fields: JSONFields
  ) throws(JSONReadingError) -> CameraCalibration? {
    guard let reference = try fields.fields("reference") else { return nil }
    let size = try reference.size()
    let f = [
      try reference.required("fx", reference.number),
      try reference.required("fy", reference.number),
    ]
    let c = [
      try reference.required("cx", reference.number),
      try reference.required("cy", reference.number),
    ]
    guard
      let intrinsics = PinholeIntrinsics(
        columnMajor: [f[0], 0, 0, 0, f[1], 0, c[0], c[1], 1], size: size)
    else {
      throw reference.failure(
        at: "fx", expected: "a camera of \(size)",
        found: "f = (\(f[0]), \(f[1])), c = (\(c[0]), \(c[1]))")
    }
    var extrinsics: CameraExtrinsics?
    if let pose = try fields.fields("extrinsics"),
      let matrix = try pose.numbers("matrix", count: 12...12)
    {
      extrinsics = CameraExtrinsics(columnMajor: matrix)
      guard extrinsics != nil else {
        throw pose.failure(at: "matrix", expected: "a rotation and a translation")
      }
    }
    let pixelSize = try reference.number("pixelSizeMillimeters")
    if let pixelSize, !(pixelSize > 0 && pixelSize < 1e6) {
      throw reference.failure(
        at: "pixelSizeMillimeters", expected: "the pixel size of a camera", found: "\(pixelSize)")
    }
    return CameraCalibration(
      intrinsics: intrinsics, pixelSizeMillimeters: pixelSize,
      distortion: try distortion(fields, size), extrinsics: extrinsics)
  }

  static func distortion(
    _ fields: JSONFields, _ size: RasterSize
  ) throws(JSONReadingError) -> LensDistortion? {
    guard let lens = try fields.fields("distortion") else { return nil }
    guard let center = try lens.numbers("center", count: 2...2) else {
      throw lens.failure(at: "center", expected: "2 numbers", found: "nothing")
    }
    let distorting = try direction(lens, "undistortedToDistorted")
    let undistorting = try direction(lens, "distortedToUndistorted")
    guard distorting != nil || undistorting != nil else {
      throw lens.failure(expected: "one direction with a table or coefficients", found: "none")
    }
    let pitch = try lens.number("pixelSizeMillimeters") ?? 0
    guard pitch >= 0, pitch < 1e6, center.allSatisfy({ abs($0) < 1e9 }) else {
      throw lens.failure(at: "center", expected: "a center and a pixel size of a camera")
    }
    var distortion = LensDistortion(
      center: [center[0], center[1]], size: size, pixelSizeMillimeters: pitch,
      distorting: distorting, undistorting: undistorting)
    if let radius = try lens.number("maximumRadius") {
      guard radius > 0, radius < 1e9 else {
        throw lens.failure(at: "maximumRadius", expected: "pixels above 0", found: "\(radius)")
      }
      distortion.maximumRadius = radius
    }
    guard distortion.isFinite else {
      throw lens.failure(expected: "a lens that moves points at most a thousandfold")
    }
    return distortion
  }

  /// One direction as given by its source; `nil` if it was computed from the other direction.
  private static func direction(
    _ lens: JSONFields, _ key: String
  ) throws(JSONReadingError) -> RadialMagnification? {
    guard let fields = try lens.fields(key) else { return nil }
    switch try fields.text("source") {
    case "coefficients":
      guard let terms = try fields.numbers("coefficients", count: 1...64) else {
        throw fields.failure(at: "coefficients", expected: "numbers", found: "null or nothing")
      }
      return .coefficients(terms)
    case "table":
      guard let samples = try fields.numbers("table", count: Self.tableCounts) else {
        throw fields.failure(at: "table", expected: "numbers", found: "null or nothing")
      }
      return .table(samples.map { Float($0) })
    case "inverse of the other direction": return nil
    default:
      throw fields.failure(
        at: "source", expected: "table, coefficients or inverse of the other direction")
    }
  }

  private static func orientation(
    _ fields: JSONFields
  ) throws(JSONReadingError) -> ImageOrientation {
    guard let turn = try fields.fields("orientation"), let value = try turn.number("exif") else {
      return .up
    }
    guard let orientation = ImageOrientation.allCases.first(where: { Double($0.rawValue) == value })
    else { throw turn.failure(at: "exif", expected: "1 to 8", found: "\(value)") }
    return orientation
  }

  private static func sigma(
    _ fields: JSONFields
  ) throws(JSONReadingError) -> SigmaCurve? {
    guard let curve = try fields.fields("sigma") else { return nil }
    return SigmaCurve(
      constantMeters: try curve.required("constantMeters", curve.number),
      perMeter: try curve.required("perMeter", curve.number),
      perMeterSquared: try curve.required("perMeterSquared", curve.number))
  }

  private static func uncertainty(
    _ fields: JSONFields, width: Int?
  ) throws(JSONReadingError) -> CalibrationUncertainty? {
    guard let sigma = try fields.fields("uncertainty") else { return nil }
    let focal = try sigma.numbers("focalLength", count: 2...2)
    let point = try sigma.numbers("principalPoint", count: 2...2)
    let radial = try sigma.numbers("radialTerms", count: 0...64)
    // The same bound as for focal lengths: larger numbers overflow when scaled to another image.
    let legal = 0...1e9
    guard ((focal ?? []) + (point ?? []) + (radial ?? [])).allSatisfy(legal.contains) else {
      throw sigma.failure(expected: "standard deviations from 0 to 1e9", found: "another number")
    }
    return CalibrationUncertainty(
      focalLengthPixels: focal.map { [$0[0], $0[1]] },
      principalPointPixels: point.map { [$0[0], $0[1]] }, radialTerms: radial,
      projection: try projection(sigma, width: width),
      basis: try sigma.text("basis") ?? "as the file states")
  }

  /// The allowed numbers of cells along one side of an uncertainty map.
  private static let cellCounts = 1.0...256

  private static func projection(
    _ sigma: JSONFields, width: Int?
  ) throws(JSONReadingError) -> ProjectionUncertainty? {
    guard let map = try sigma.fields("projection") else { return nil }
    let columns = try map.required("columns", map.number)
    let rows = try map.required("rows", map.number)
    guard cellCounts.contains(columns), cellCounts.contains(rows), columns == columns.rounded(),
      rows == rows.rounded(), let width, width > 0
    else {
      throw map.failure(
        at: "columns", expected: "whole cells from 1 to 256 of a camera's image",
        found: "\(columns) × \(rows)")
    }
    let count = Int(columns * rows)
    guard let sigmas = try map.numbers("sigmaPixels", count: count...count),
      let corners = try map.numbers("corners", count: count...count),
      (sigmas + corners).allSatisfy((0...1e9).contains)
    else {
      throw map.failure(
        at: "sigmaPixels", expected: "\(count) numbers from 0 to 1e9, as of corners",
        found: "other numbers")
    }
    return ProjectionUncertainty(
      columns: Int(columns), rows: Int(rows), sigmaPixels: sigmas,
      cornerCounts: corners.map { Int($0) }, imageWidth: width)
  }

  static func printable(_ text: String) -> String {
    JSONWriter(layout: .compact).text(.string(String(text.prefix(60))))
  }
}

extension Open3DIntrinsicsJSON {
  /// Reads a document with `width`, `height` and `intrinsic_matrix`.
  ///
  /// - Throws: `.malformed` or `.missing` with the path of the member.
  package init(_ json: JSONValue) throws(CalibrationReadingError) {
    do throws(JSONReadingError) {
      try self.init(JSONFields(json))
    } catch {
      throw CalibrationReadingError(error)
    }
  }

  private init(_ fields: JSONFields) throws(JSONReadingError) {
    let size = try fields.size()
    guard let matrix = try fields.numbers("intrinsic_matrix", count: 9...9) else {
      throw JSONReadingError(
        .missing, path: ["intrinsic_matrix"], expected: "9 numbers", found: "null or nothing")
    }
    guard let intrinsics = PinholeIntrinsics(columnMajor: matrix, size: size) else {
      throw fields.failure(
        at: "intrinsic_matrix", expected: "fx 0 0, 0 fy 0, cx cy 1 of a camera of \(size)",
        found: matrix.map(\.description).joined(separator: " "))
    }
    self.init(intrinsics)
  }
}

extension JSONFields {
  /// The size in `width` and `height`.
  func size() throws(JSONReadingError) -> RasterSize {
    let width = try required("width", number)
    let height = try required("height", number)
    let legal = 1.0...65536.0
    guard legal.contains(width), legal.contains(height), width == width.rounded(),
      height == height.rounded()
    else {
      throw failure(
        at: "width", expected: "whole pixels from 1 to 65536", found: "\(width) × \(height)")
    }
    return RasterSize(width: Int(width), height: Int(height))
  }
}
