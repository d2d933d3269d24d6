public import PlumblineIO
import PlumblineModel

extension DeviceMeasurement {
  /// The document `plumbline.device-measurement/1`, as `Documentation/devices.md` describes it.
  public var document: JSONValue {
    .object([
      ("schema", .string(Self.schema)),
      ("program", .string(program)),
      ("month", .string(month)),
      ("device", configuration.document),
      (
        "image",
        .object([("width", .integer(imageSize.width)), ("height", .integer(imageSize.height))])
      ),
      (
        "focal",
        .object([
          ("factoryPixels", .number(focal.factoryPixels)),
          ("measuredPixels", .number(focal.measuredPixels)),
          ("sigmaPixels", .number(focal.sigmaPixels)),
          ("lens", .string(focal.lens)),
        ])
      ),
      ("factory", factory.document),
      ("measured", measured.document),
      ("frames", .integer(frameCount)),
      ("board", board?.document ?? .null),
    ])
  }

  /// Reads a document; members that are not of the schema are ignored.
  ///
  /// - Throws: `.malformed` and `.missing` with the position.
  package init(fields: JSONFields) throws(JSONReadingError) {
    guard try fields.required("schema", fields.text) == Self.schema else {
      throw fields.failure(at: "schema", expected: Self.schema, found: "another schema")
    }
    program = try fields.shortText("program") ?? "unknown"
    month = try fields.shortText("month")
    if let month, !Self.isMonth(month) {
      throw fields.failure(
        at: "month", expected: "a year and a month as 2026-11", found: "something else")
    }
    configuration = try DeviceConfiguration(fields: fields.required("device", fields.fields))
    guard configuration.model != nil else {
      throw fields.failure(
        at: "device.model", expected: "the model of the device", found: "nothing")
    }
    guard let imageSize = try fields.required("image", fields.fields).rasterSize else {
      throw fields.failure(at: "image", expected: "width and height from 1 to 65535")
    }
    self.imageSize = imageSize
    focal = try Focal(fields: fields.required("focal", fields.fields), width: imageSize.width)
    factory = try BoardComparison(fields: fields.fields("factory"))
    measured = try BoardComparison(fields: fields.fields("measured"))
    frameCount = try fields.required("frames", fields.integer)
    guard (1...1_000_000).contains(frameCount) else {
      throw fields.failure(
        at: "frames", expected: "a number from 1 to 1000000", found: "\(frameCount)")
    }
    board = try fields.fields("board").map { board throws(JSONReadingError) in
      try BoardKind(fields: board)
    }
  }

  /// Whether a text is a year and a month, and nothing finer.
  package static func isMonth(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 7, bytes[4] == UInt8(ascii: "-") else { return false }
    let digits = bytes[..<4] + bytes[5...]
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    return (1...12).contains(Int(text.suffix(2)) ?? 0)
  }
}

extension DeviceConfiguration {
  /// The `device` of a document.
  package var document: JSONValue {
    .object([
      ("make", .string(make)),
      ("model", .string(model)),
      ("os", .string(system)),
      ("camera", .string(camera.rawValue)),
      ("api", .string(interface.rawValue)),
      ("rectified", .bool(isRectified)),
      ("referenceWidth", .integer(referenceSize?.width)),
      ("referenceHeight", .integer(referenceSize?.height)),
    ])
  }

  /// Reads `device` of a measurement, or `source` of `plumbline.verify/1`.
  init(fields: JSONFields) throws(JSONReadingError) {
    self.init(
      camera: try fields.word("camera") ?? .unknown,
      interface: try fields.word("api") ?? .unknown)
    make = try fields.shortText("make")
    model = try fields.shortText("model")
    system = try fields.shortText("os")
    isRectified = try fields.flag("rectified")
    let sides = [try fields.integer("referenceWidth"), try fields.integer("referenceHeight")]
    let known = sides.compactMap(\.self)
    guard known.isEmpty || known.count == 2 && known.allSatisfy((1...65_535).contains) else {
      throw fields.failure(at: "referenceWidth", expected: "width and height from 1 to 65535")
    }
    if known.count == 2 { referenceSize = RasterSize(width: known[0], height: known[1]) }
  }
}

extension DeviceMeasurement.Focal {
  init(fields: JSONFields, width: Int) throws(JSONReadingError) {
    factoryPixels = try fields.required("factoryPixels", fields.number)
    measuredPixels = try fields.required("measuredPixels", fields.number)
    sigmaPixels = try fields.required("sigmaPixels", fields.number)
    lens = try fields.shortText("lens") ?? "focal"
    // A field of view of 130° to 6°, and no ratio beyond what a correction takes.
    let range = 0.2 * Double(width)...10 * Double(width)
    for (key, value) in [("factoryPixels", factoryPixels), ("measuredPixels", measuredPixels)]
    where !range.contains(value) {
      throw fields.failure(
        at: key, expected: "a focal length from 0.2 to 10 widths of the image",
        found: "\(value) at \(width) columns")
    }
    guard (0.5...2).contains(measuredPixels / factoryPixels) else {
      throw fields.failure(
        at: "measuredPixels", expected: "half to twice the stated focal length",
        found: "\(measuredPixels)")
    }
    guard sigmaPixels > 0, sigmaPixels < 0.2 * measuredPixels else {
      throw fields.failure(
        at: "sigmaPixels", expected: "a ± above 0 and below a fifth of the focal length",
        found: "\(sigmaPixels)")
    }
  }
}

extension DeviceMeasurement.BoardComparison {
  fileprivate var document: JSONValue {
    .object([
      ("depthMillimeters", .number(depthMillimeters)),
      ("depthSigmaMillimeters", .number(depthSigmaMillimeters)),
      ("distanceMillimeters", .number(distanceMillimeters)),
      ("lengthPercent", .number(lengthPercent)),
      ("lengthSigmaPercent", .number(lengthSigmaPercent)),
    ])
  }

  init(fields: JSONFields?) throws(JSONReadingError) {
    guard let fields else { return }
    func number(
      _ key: String, _ range: ClosedRange<Double>
    ) throws(JSONReadingError) -> Double? {
      let value = try fields.number(key)
      if let value, !range.contains(value) {
        throw fields.failure(
          at: key, expected: "\(range.lowerBound) to \(range.upperBound)", found: "\(value)")
      }
      return value
    }
    depthMillimeters = try number("depthMillimeters", -10_000...10_000)
    depthSigmaMillimeters = try number("depthSigmaMillimeters", 0...10_000)
    distanceMillimeters = try number("distanceMillimeters", 0...100_000)
    lengthPercent = try number("lengthPercent", -100...1000)
    lengthSigmaPercent = try number("lengthSigmaPercent", 0...1000)
  }
}

extension DeviceMeasurement.BoardKind {
  fileprivate var document: JSONValue {
    .object([
      ("kind", .string(kind)), ("columns", .integer(columns)), ("rows", .integer(rows)),
      ("squareMillimeters", .number(squareMillimeters)), ("dictionary", .string(dictionary)),
    ])
  }

  init(fields: JSONFields) throws(JSONReadingError) {
    kind = try fields.required("kind", fields.shortText)
    columns = try fields.required("columns", fields.integer)
    rows = try fields.required("rows", fields.integer)
    squareMillimeters = try fields.required("squareMillimeters", fields.number)
    dictionary = try fields.shortText("dictionary")
    guard (1...1000).contains(columns), (1...1000).contains(rows),
      (0.1...10_000).contains(squareMillimeters)
    else {
      throw fields.failure(
        expected: "1 to 1000 squares each way with sides from 0.1 to 10000 mm",
        found: "\(columns)×\(rows) of \(squareMillimeters) mm")
    }
  }
}

extension JSONFields {
  /// A text of at most 200 characters, safe to print.
  func shortText(_ key: String) throws(JSONReadingError) -> String? {
    guard let text = try text(key) else { return nil }
    guard text.utf8.count <= 800, text.count <= 200 else {
      throw failure(at: key, expected: "at most 200 characters", found: "\(text.count)")
    }
    guard printable(text: text) == text else {
      throw failure(at: key, expected: "characters that can be printed", found: "others")
    }
    return text
  }

  /// `width` and `height`; `nil` where one is missing or not from 1 to 65 535.
  var rasterSize: RasterSize? {
    get throws(JSONReadingError) {
      guard let width = try integer("width"), let height = try integer("height"),
        (1...65_535).contains(width), (1...65_535).contains(height)
      else { return nil }
      return RasterSize(width: width, height: height)
    }
  }
}
