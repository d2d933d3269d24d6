public import PlumblineIO
import PlumblineModel

extension ModelCard {
  /// The `schema` of the JSON document.
  public static let schema = "plumbline.model-card/1"

  /// Reads a card; `Documentation/models.md` describes the document.
  ///
  /// - Throws: `.unsupported` for another schema, `.missing` for a member without which the model cannot
  ///   be used, `.malformed` for one that cannot be meant, each with its position.
  public init(_ json: JSONValue) throws(JSONReadingError) {
    let fields = try JSONFields(json)
    let schema = try fields.required("schema", fields.text)
    guard schema == Self.schema else {
      throw JSONReadingError(
        .unsupported, path: ["schema"], expected: Self.schema, found: "another schema")
    }
    let name = try fields.required("name", fields.text)
    guard Self.isName(name) else {
      throw fields.failure(
        at: "name", expected: "1 to 64 of a–z, 0–9, '.', '_' and '-', a letter or digit first")
    }
    let input = try fields.required("input", fields.fields)
    let output = try fields.required("output", fields.fields)
    let size = RasterSize(
      width: try input.length("width"), height: try input.length("height"))
    self.init(
      name: name, title: try fields.text("title") ?? name,
      license: try fields.text("license") ?? "unknown",
      origin: try fields.text("origin") ?? "unknown", inputSize: size,
      layout: try input.requiredWord("layout"), outputMeaning: try output.requiredWord("meaning"))
    channels = try input.word("channels") ?? channels
    factor = try input.number("factor") ?? factor
    guard factor != 0 else { throw input.failure(at: "factor", expected: "a number that is not 0") }
    if let mean = try input.numbers("mean", count: 3...3) {
      self.mean = SIMD3(mean[0], mean[1], mean[2])
    }
    if let deviation = try input.numbers("deviation", count: 3...3) {
      guard deviation.allSatisfy({ $0 > 0 }) else {
        throw input.failure(at: "deviation", expected: "numbers over 0")
      }
      self.deviation = SIMD3(deviation[0], deviation[1], deviation[2])
    }
    placement = try input.word("placement") ?? placement
    constants = try Self.constants(input)
    try readOutputs(output)
    if let kind: Kind = try fields.word("kind"), kind != outputMeaning.kind {
      throw fields.failure(
        at: "kind", expected: "\(outputMeaning.kind.rawValue), as the output's meaning is",
        found: kind.rawValue)
    }
    assumedFocalPixels = try fields.number("assumedFocalPixels")
    if let focal = assumedFocalPixels, focal <= 0 {
      throw fields.failure(at: "assumedFocalPixels", expected: "a number over 0")
    }
    publishedError = try PublishedError(fields)
    if publishedError != nil, !outputMeaning.isInMeters {
      throw fields.failure(
        at: "publishedError", expected: "none for an output without meters", found: "meters")
    }
  }

  /// Reads the member `output` but for the meaning.
  private mutating func readOutputs(_ output: JSONFields) throws(JSONReadingError) {
    outputName = try output.text("name")
    focalOutputName = try output.text("focalName")
    maskOutputName = try output.text("maskName")
    scaleOutputName = try output.text("scaleName")
    if outputMeaning == .affinePoints, scaleOutputName == nil {
      throw output.failure(
        at: "scaleName", expected: "the output with the number that makes meters of the points")
    }
    if outputMeaning != .affinePoints, scaleOutputName != nil {
      throw output.failure(at: "scaleName", expected: "none for an output that is no map of points")
    }
    foregroundClasses = try Self.foregroundClasses(output, of: outputMeaning)
  }

  /// The card as its JSON document.
  public var json: JSONValue {
    [
      "schema": .string(Self.schema),
      "kind": .string(outputMeaning.kind.rawValue),
      "name": .string(name),
      "title": .string(title),
      "license": .string(license),
      "origin": .string(origin),
      "input": [
        "width": .integer(inputSize.width),
        "height": .integer(inputSize.height),
        "layout": .string(layout.rawValue),
        "channels": .string(channels.rawValue),
        "factor": .number(factor),
        "mean": .numbers([mean.x, mean.y, mean.z]),
        "deviation": .numbers([deviation.x, deviation.y, deviation.z]),
        "placement": .string(placement.rawValue),
        "constants": .array(
          constants.map {
            [
              "name": .string($0.name), "value": .number($0.value),
              "shape": .array($0.shape.map { .integer($0) }),
            ]
          }),
      ],
      "output": [
        "meaning": .string(outputMeaning.rawValue),
        "name": .string(outputName),
        "focalName": .string(focalOutputName),
        "maskName": .string(maskOutputName),
        "scaleName": .string(scaleOutputName),
        "foregroundClasses": .array(foregroundClasses.map { .integer($0) }),
      ],
      "assumedFocalPixels": .number(assumedFocalPixels),
      "publishedError": publishedError?.json ?? .null,
    ]
  }

  /// The most classes of a network.
  static let maximumClasses = 1024

  /// Reads the member `foregroundClasses` of the member `output`.
  private static func foregroundClasses(
    _ output: JSONFields, of meaning: OutputMeaning
  ) throws(JSONReadingError) -> [Int] {
    let numbers = try output.numbers("foregroundClasses", count: 0...maximumClasses) ?? []
    let classes = numbers.compactMap { Int(exactly: $0) }
    guard classes.count == numbers.count, Set(classes).count == classes.count,
      classes.allSatisfy({ (0..<maximumClasses).contains($0) })
    else {
      throw output.failure(
        at: "foregroundClasses", expected: "different indices from 0 to \(maximumClasses - 1)")
    }
    guard classes.isEmpty == (meaning != .classScores) else {
      throw output.failure(
        at: "foregroundClasses",
        expected: meaning == .classScores
          ? "the classes that are foreground" : "none for an output without classes")
    }
    return classes
  }

  /// The most constant inputs of a card.
  private static let maximumConstants = 8

  /// Reads the member `constants` of the member `input`; none where it is absent.
  private static func constants(_ input: JSONFields) throws(JSONReadingError) -> [ConstantInput] {
    let list = try input.list("constants") ?? []
    guard list.count <= maximumConstants else {
      throw input.failure(at: "constants", expected: "at most \(maximumConstants) inputs")
    }
    var constants: [ConstantInput] = []
    for fields in list {
      let name = try fields.required("name", fields.text)
      guard (1...255).contains(name.utf8.count) else {
        throw fields.failure(at: "name", expected: "a name of 1 to 255 bytes")
      }
      let shape = try fields.numbers("shape", count: 0...4) ?? []
      guard shape.allSatisfy({ $0 == 1 }) else {
        throw fields.failure(at: "shape", expected: "up to four lengths of 1")
      }
      constants.append(
        ConstantInput(
          name: name, value: try fields.required("value", fields.number),
          shape: shape.map { _ in 1 }))
    }
    return constants
  }

  /// Whether a text can be a model's short name: it also names a folder.
  package static func isName(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (1...64).contains(bytes.count), let first = bytes.first, isAlphanumeric(first) else {
      return false
    }
    return bytes.allSatisfy { isAlphanumeric($0) || [0x2D, 0x2E, 0x5F].contains($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
  }
}

extension JSONFields {
  /// A length of the input image; models take some hundreds of pixels.
  fileprivate func length(_ key: String) throws(JSONReadingError) -> Int {
    let length = try required(key, integer)
    guard (1...8192).contains(length) else {
      throw failure(at: key, expected: "1 to 8192 pixels", found: "\(length)")
    }
    return length
  }
}

extension ModelCard.OutputMeaning {
  /// Whether the numbers are meters, or become meters by the network's own outputs.
  package var isInMeters: Bool {
    switch self {
    case .meters, .inverseMeters, .affinePoints: true
    case .relativeInverse, .relativeDepth: false
    case .foregroundProbability, .foregroundLogit, .classScores: false
    }
  }
}
