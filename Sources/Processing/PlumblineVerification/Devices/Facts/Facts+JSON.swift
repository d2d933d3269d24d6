import PlumblineIO
internal import PlumblineModel

/// A fact that is read from an object of the data file.
protocol CatalogFact {
  init(_ fields: JSONFields) throws(JSONReadingError)
}

extension JSONFields {
  /// The facts of an array; none when the array is left out.
  func facts<Fact: CatalogFact>(_ key: String) throws(JSONReadingError) -> [Fact] {
    var facts: [Fact] = []
    for element in try list(key) ?? [] { facts.append(try Fact(element)) }
    return facts
  }

  /// One fact; `nil` when it is left out.
  func fact<Fact: CatalogFact>(_ key: String) throws(JSONReadingError) -> Fact? {
    guard let object = try fields(key) else { return nil }
    return try Fact(object)
  }

  func vector(_ key: String) throws(JSONReadingError) -> SIMD2<Double>? {
    try numbers(key, count: 2...2).map { SIMD2($0[0], $0[1]) }
  }

  /// `[width, height]`, both from 1 to 65 535, what 16 bits hold.
  func size(_ key: String) throws(JSONReadingError) -> RasterSize? {
    guard let sides = try numbers(key, count: 2...2) else { return nil }
    guard sides.allSatisfy({ (1...65_535).contains($0) && $0 == $0.rounded() }) else {
      throw failure(at: key, expected: "a size from 1 to 65535", found: "\(sides[0])×\(sides[1])")
    }
    return RasterSize(width: Int(sides[0]), height: Int(sides[1]))
  }

  var source: String { get throws(JSONReadingError) { try required("source", text) } }
  var confidence: Confidence { get throws(JSONReadingError) { try requiredWord("confidence") } }
  var note: String? { get throws(JSONReadingError) { try text("note") } }
}

extension CatalogSource: CatalogFact {
  init(_ fields: JSONFields) throws(JSONReadingError) {
    id = try fields.required("id", fields.text)
    title = try fields.required("title", fields.text)
    place = try fields.required("place", fields.text)
  }
}

extension CatalogResolution: CatalogFact {
  init(_ fields: JSONFields) throws(JSONReadingError) {
    id = try fields.required("id", fields.text)
    printed = try fields.required("printed", fields.text)
    taken = try fields.required("taken", fields.text)
    why = try fields.required("why", fields.text)
  }
}

extension Device: CatalogFact {
  init(_ fields: JSONFields) throws(JSONReadingError) {
    name = try fields.required("name", fields.text)
    aliases = try fields.texts("aliases") ?? []
    identifiers = try fields.fact("identifiers")
    chip = try fields.text("chip")
    module = try fields.text("module")
    moduleAsPrinted = try fields.text("moduleAsPrinted")
    tested = try fields.fact("tested")
    pixelSizeMillimeters = try fields.fact("pixelSizeMillimeters")
    geometryCorrection = try fields.fact("geometryCorrection")
    calibrations = try fields.facts("calibrations")
    measurements = try fields.facts("measurements")
    depthBiases = try fields.facts("depthBiases")
    faults = try fields.facts("faults")
    reports = try fields.facts("reports")
  }
}

extension HardwareIdentifiers: CatalogFact {
  init(_ fields: JSONFields) throws(JSONReadingError) {
    values = try fields.required("values", fields.texts)
    source = try fields.source
    confidence = try fields.confidence
    note = try fields.note
  }
}

extension TestedSpecimens: CatalogFact {
  init(_ fields: JSONFields) throws(JSONReadingError) {
    count = try fields.required("count", fields.integer)
    system = try fields.required("system", fields.text)
    source = try fields.source
    confidence = try fields.confidence
    note = try fields.note
  }
}

extension NominalPixelSize: CatalogFact {
  init(_ fields: JSONFields) throws(JSONReadingError) {
    value = try fields.required("value", fields.number)
    source = try fields.source
    confidence = try fields.confidence
    note = try fields.note
  }
}

extension DeviceReport: CatalogFact {
  init(_ fields: JSONFields) throws(JSONReadingError) {
    text = try fields.required("text", fields.text)
    source = try fields.source
    confidence = try fields.confidence
    note = try fields.note
  }
}

extension GeometryCorrection: CatalogFact {
  init(_ fields: JSONFields) throws(JSONReadingError) {
    state = try fields.requiredWord("state")
    source = try fields.source
    confidence = try fields.confidence
    note = try fields.note
  }
}

extension DeviceFault: CatalogFact {
  init(_ fields: JSONFields) throws(JSONReadingError) {
    code = try fields.requiredWord("code")
    interface = try fields.word("interface")
    factor = try fields.number("factor")
    lengthPercent = try fields.number("lengthPercent")
    source = try fields.source
    confidence = try fields.confidence
    note = try fields.note
  }
}

extension DepthBias: CatalogFact {
  init(_ fields: JSONFields) throws(JSONReadingError) {
    intrinsics = try fields.required("intrinsics", fields.text)
    distanceMillimeters = try fields.required("distanceMillimeters", fields.number)
    medianMillimeters = try fields.required("medianMillimeters", fields.number)
    source = try fields.source
    confidence = try fields.confidence
    note = try fields.note
  }
}

extension FocalMeasurement: CatalogFact {
  init(_ fields: JSONFields) throws(JSONReadingError) {
    specimen = try fields.required("specimen", fields.text)
    system = try fields.text("system")
    model = try fields.requiredWord("model")
    isRectified = try fields.flag("isRectified")
    factory = try fields.required("factory", fields.number)
    measured = try fields.number("measured")
    sigma = try fields.number("sigma")
    rmsPixels = try fields.number("rmsPixels")
    printedPercent = try fields.number("printedPercent")
    source = try fields.source
    confidence = try fields.confidence
    note = try fields.note
  }
}

extension FactoryCalibration: CatalogFact {
  init(_ fields: JSONFields) throws(JSONReadingError) {
    specimen = try fields.required("specimen", fields.text)
    interface = try fields.requiredWord("interface")
    camera = try fields.word("camera")
    system = try fields.text("system")
    size = try fields.required("size", fields.size)
    focalLength = try fields.required("focalLength", fields.vector)
    principalPoint = try fields.vector("principalPoint")
    distortionCenter = try fields.vector("distortionCenter")
    color = try fields.fact("color")
    source = try fields.source
    confidence = try fields.confidence
    note = try fields.note
  }
}

extension FactoryCalibration.ColorIntrinsics: CatalogFact {
  init(_ fields: JSONFields) throws(JSONReadingError) {
    size = try fields.required("size", fields.size)
    focalLength = try fields.required("focalLength", fields.vector)
    principalPoint = try fields.required("principalPoint", fields.vector)
  }
}
