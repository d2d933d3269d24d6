package import PlumblineIO
import PlumblineImages
import PlumblineModel

extension CameraCalibration {
  /// The calibration as the JSON object in `Documentation/formats/stream.md`.
  var streamJSON: JSONValue {
    let camera = intrinsics
    var members: [(key: String, value: JSONValue)] = [
      ("width", .integer(camera.size.width)), ("height", .integer(camera.size.height)),
      (
        "matrix",
        .numbers([
          camera.focalLength.x, 0, camera.principalPoint.x, 0, camera.focalLength.y,
          camera.principalPoint.y, 0, 0, 1,
        ])
      ),
    ]
    if let pixelSizeMillimeters {
      members.append(("pixelSizeMillimeters", .number(pixelSizeMillimeters)))
    }
    if let distortion { members.append(("distortion", distortion.streamJSON)) }
    if let place = extrinsics {
      let columns = [
        place.rotation.x, place.rotation.y, place.rotation.z, place.translationMillimeters,
      ]
      members.append(
        ("extrinsics", .numbers((0..<3).flatMap { row in columns.map { $0[row] } })))
    }
    return .object(members)
  }

  /// Reads such a JSON object.
  ///
  /// - Throws: `.malformed` for an invalid camera or lens.
  package init(stream fields: JSONFields) throws(JSONReadingError) {
    let width = try fields.required("width", fields.integer)
    let height = try fields.required("height", fields.integer)
    guard (1...1_000_000).contains(width), (1...1_000_000).contains(height) else {
      throw fields.failure(
        expected: "a size of up to 1,000,000 pixels a side", found: "\(width) × \(height)")
    }
    let size = RasterSize(width: width, height: height)
    guard let rows = try fields.numbers("matrix", count: 9...9) else {
      throw fields.failure(at: "matrix", expected: "9 numbers", found: "none")
    }
    let columns = (0..<9).map { (index: Int) -> Double in rows[index % 3 * 3 + index / 3] }
    guard let intrinsics = PinholeIntrinsics(columnMajor: columns, size: size) else {
      throw fields.failure(
        at: "matrix", expected: "the matrix of a pinhole camera of \(size)", found: "\(rows)")
    }
    self.init(intrinsics: intrinsics)
    pixelSizeMillimeters = try fields.number("pixelSizeMillimeters")
    if let lens = try fields.fields("distortion") {
      distortion = try LensDistortion(stream: lens, size: size)
    }
    if let rows = try fields.numbers("extrinsics", count: 12...12) {
      let columns = (0..<12).map { (index: Int) -> Double in rows[index % 3 * 4 + index / 3] }
      extrinsics = CameraExtrinsics(columnMajor: columns)
      guard extrinsics != nil else {
        throw fields.failure(
          at: "extrinsics", expected: "3 × 4 numbers with a rotation", found: "\(rows)")
      }
    }
  }
}

extension LensDistortion {
  fileprivate var streamJSON: JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("centerX", .number(center.x)), ("centerY", .number(center.y)),
      ("maximumRadius", .number(maximumRadius)),
      ("pixelSizeMillimeters", .number(pixelSizeMillimeters)),
    ]
    if let distorting { members.append(("distorting", distorting.streamJSON)) }
    if let undistorting { members.append(("undistorting", undistorting.streamJSON)) }
    return .object(members)
  }

  fileprivate init(stream fields: JSONFields, size: RasterSize) throws(JSONReadingError) {
    let x = try fields.required("centerX", fields.number)
    let y = try fields.required("centerY", fields.number)
    let distorting = try RadialMagnification.stream(fields, "distorting")
    let undistorting = try RadialMagnification.stream(fields, "undistorting")
    let pitch = try fields.number("pixelSizeMillimeters") ?? 0
    guard distorting != nil || undistorting != nil, max(abs(x), abs(y)) <= 1e9,
      (0...1e9).contains(pitch)
    else {
      throw fields.failure(
        expected: "a center and a direction of the lens", found: "(\(x), \(y)), \(pitch) mm")
    }
    self.init(
      center: [x, y], size: size, pixelSizeMillimeters: pitch, distorting: distorting,
      undistorting: undistorting)
    if let radius = try fields.number("maximumRadius") {
      guard (0...1e9).contains(radius) else {
        throw fields.failure(at: "maximumRadius", expected: "0 to 1e9 pixels", found: "\(radius)")
      }
      maximumRadius = radius
    }
    guard isFinite else {
      throw fields.failure(expected: "a lens", found: "one that moves points out of sight")
    }
  }
}

extension RadialMagnification {
  fileprivate var streamJSON: JSONValue {
    switch self {
    case .table(let samples): .array(samples.map { .number($0) })
    case .coefficients(let percents): .object([("coefficients", .numbers(percents))])
    }
  }

  fileprivate static func stream(
    _ fields: JSONFields, _ key: String
  ) throws(JSONReadingError) -> RadialMagnification? {
    // If the member is not a list it must be an object; otherwise the error of the list is
    // reported.
    if let object = try? fields.fields(key),
      let percents = try object.numbers("coefficients", count: 0...64)
    {
      return .coefficients(percents)
    }
    guard let table = try fields.numbers(key, count: 0...1 << 16) else { return nil }
    let samples = table.map { Float($0) }
    guard samples.allSatisfy(\.isFinite) else {
      throw fields.failure(at: key, expected: "numbers in single precision")
    }
    return .table(samples)
  }
}

extension CaptureSource {
  /// The source as the JSON object in `Documentation/formats/stream.md`.
  var streamJSON: JSONValue {
    var members: [(key: String, value: JSONValue)] = []
    let texts = [
      ("make", make), ("model", model), ("lensModel", lensModel), ("system", system),
      ("capturedAt", capturedAt),
    ]
    for (key, text) in texts where text != nil { members.append((key, .string(text))) }
    members += [("camera", .string(camera.rawValue)), ("interface", .string(interface.rawValue))]
    if let isGeometryCorrected { members.append(("geometryCorrected", .bool(isGeometryCorrected))) }
    return .object(members)
  }

  /// Reads such a JSON object; unknown words mean `unknown`.
  ///
  /// - Throws: `.malformed` for members of another type.
  package init(stream fields: JSONFields) throws(JSONReadingError) {
    self.init(
      camera: try fields.text("camera").flatMap { Camera(rawValue: $0) } ?? .unknown,
      interface: try fields.text("interface").flatMap { Interface(rawValue: $0) } ?? .unknown)
    make = try fields.text("make").map { printable(text: $0) }
    model = try fields.text("model").map { printable(text: $0) }
    lensModel = try fields.text("lensModel").map { printable(text: $0) }
    system = try fields.text("system").map { printable(text: $0) }
    capturedAt = try fields.text("capturedAt").map { printable(text: $0) }
    isGeometryCorrected = try fields.flag("geometryCorrected")
  }
}
