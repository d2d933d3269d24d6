package import PlumblineIO
package import PlumblineModel

extension DepthRecord {
  /// The object `depth` of a header: what the numbers mean.
  func streamJSON(colorOrientation: ImageOrientation) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("kind", .string(values.parts.kind)), ("accuracy", .string(accuracy.rawValue)),
    ]
    if !hasUnit { members.append(("hasUnit", false)) }
    if let isFiltered { members.append(("filtered", .bool(isFiltered))) }
    if let isRectified { members.append(("rectified", .bool(isRectified))) }
    if let quality { members.append(("quality", .string(quality))) }
    members.append(("storedType", .string(storedType)))
    if let nativeType { members.append(("nativeType", .string(nativeType))) }
    if let part = cleanAperture {
      members.append(
        (
          "cleanAperture",
          .array([part.x, part.y, part.size.width, part.size.height].map { .integer($0) })
        ))
    }
    if orientation != colorOrientation {
      members.append(("orientation", .integer(orientation.rawValue)))
    }
    if let calibration { members.append(("calibration", calibration.streamJSON)) }
    return .object(members)
  }

  /// Takes what the object `depth` says beside the kind.
  ///
  /// - Throws: `.malformed` for members of another type or out of range.
  package mutating func apply(stream fields: JSONFields) throws(JSONReadingError) {
    accuracy = try fields.text("accuracy").flatMap { Accuracy(rawValue: $0) } ?? .unknown
    hasUnit = try fields.flag("hasUnit") ?? true
    isFiltered = try fields.flag("filtered")
    isRectified = try fields.flag("rectified")
    quality = try fields.text("quality").map { printable(text: $0) }
    nativeType = try fields.text("nativeType").map { printable(text: $0) }
    if let numbers = try fields.numbers("cleanAperture", count: 4...4) {
      let whole = numbers.compactMap { Int(exactly: $0) }
      guard whole.count == 4, whole.allSatisfy({ (0...1_000_000).contains($0) }), whole[2] > 0,
        whole[3] > 0
      else {
        throw fields.failure(
          at: "cleanAperture", expected: "x, y, width and height in pixels", found: "\(numbers)")
      }
      let part = PixelRectangle(x: whole[0], y: whole[1], width: whole[2], height: whole[3])
      guard part.isInside(size) else {
        throw fields.failure(
          at: "cleanAperture", expected: "a part of \(size)", found: "\(numbers)")
      }
      cleanAperture = part
    }
    if let calibration = try fields.fields("calibration") {
      self.calibration = try CameraCalibration(stream: calibration)
    }
  }
}

extension DepthRecord.Values {
  /// The numbers, whatever they mean.
  package var raster: Raster<Float> { parts.raster }
}

extension ImageOrientation {
  /// Reads the member `orientation`; `nil` without one.
  ///
  /// - Throws: `.malformed` for anything but 1 to 8.
  package static func stream(_ fields: JSONFields) throws(JSONReadingError) -> ImageOrientation? {
    guard let value = try fields.integer("orientation") else { return nil }
    guard let orientation = ImageOrientation(rawValue: value) else {
      throw fields.failure(at: "orientation", expected: "1 to 8", found: "\(value)")
    }
    return orientation
  }
}
