import PlumblineIO
import PlumblineModel

/// The integer codes of a message and the linear conversion to values.
///
/// `scale · code + offset` is the short form. `line`, given by two points, is the form of Apple's
/// files and exact to the last bit: `minimumValue + (code − minimumCode) · step`.
struct StreamDepthCodes {
  var samples: StoredSamples
  /// The conversion; `nil` if only the codes are known.
  var quantization: LinearQuantization?
  /// The code that means "nothing measured".
  var missing: Int?

  /// The JSON members of a part beside its size.
  var members: [(key: String, value: JSONValue)] {
    var members: [(key: String, value: JSONValue)] = []
    if let rule = quantization {
      let step = rule.step
      members.append(("scale", .number(step)))
      members.append(("offset", .number(rule.minimumValue - Double(rule.minimumCode) * step)))
      members.append(
        (
          "line",
          .array([
            .integer(rule.minimumCode), .number(rule.minimumValue), .integer(rule.maximumCode),
            .number(rule.maximumValue),
          ])
        ))
    }
    if let missing { members.append(("missing", .integer(missing))) }
    if case .uint16(_, let bitDepth) = samples, bitDepth != 16 {
      members.append(("bits", .integer(bitDepth)))
    }
    return members
  }

  init(samples: StoredSamples, quantization: LinearQuantization?) {
    self.samples = samples
    self.quantization = quantization
  }

  /// Codes that reproduce a map's values exactly; `nil` if they do not; O(*n*).
  init?(_ samples: StoredSamples, _ quantization: LinearQuantization, exactly values: Raster<Float>)
  {
    self.init(samples: samples, quantization: quantization)
    guard samples.size == values.size else { return nil }
    let isExact =
      switch samples {
      case .uint8(let codes): setMissing(codes, values)
      case .uint16(let codes, _): setMissing(codes, values)
      }
    if !isExact { return nil }
  }

  /// Whether the codes reproduce the values.
  ///
  /// In addition to codes of values that no map can contain, one code may mean a missing value.
  private mutating func setMissing<Code: StreamCode>(
    _ codes: Raster<Code>, _ values: Raster<Float>
  ) -> Bool {
    let table = StreamDepthCodes.values(Code.self) { rule($0) }
    var missing: Int?
    for y in 0..<values.height {
      let isExact = codes.row(y).withUnsafeBufferPointer { codes in
        values.row(y).withUnsafeBufferPointer { values in
          for x in 0..<values.count {
            let code = Int(codes[x])
            let expected = table[code]
            if values[x].bitPattern == expected.bitPattern { continue }
            if values[x].isNaN && (expected.isNaN || code == missing) { continue }
            guard values[x].isNaN, missing == nil else { return false }
            missing = code
          }
          return true
        }
      }
      if !isExact { return false }
    }
    self.missing = missing
    // A code that is missing at one pixel and measured at another is ambiguous.
    guard let missing, !table[missing].isNaN else { return true }
    return !zip(codes.packed.samples, values.packed.samples).contains {
      Int($0) == missing && !$1.isNaN
    }
  }

  private func rule(_ code: Int) -> Double { quantization?.value(code) ?? Double(code) }

  /// The values of all codes of a type; NaN for values that no depth map can contain.
  private static func values<Code: StreamCode>(
    _ type: Code.Type, _ value: (Int) -> Double
  ) -> [Float] {
    (0...Int(Code.max)).map { code in
      let value = Float(value(code))
      return value > 0 && value < .infinity ? value : .nan
    }
  }

  /// The values of the codes, with missing ones as NaN; O(*n* + codes).
  func values(law: (Int) -> Double) -> Raster<Float> {
    func raster<Code: StreamCode>(_ codes: Raster<Code>) -> Raster<Float> {
      var table = StreamDepthCodes.values(Code.self, law)
      if let missing, table.indices.contains(missing) { table[missing] = .nan }
      return codes.map { table[Int($0)] }
    }
    switch samples {
    case .uint8(let codes): return raster(codes)
    case .uint16(let codes, _): return raster(codes)
    }
  }

  /// Reads the JSON members of a part.
  ///
  /// - Returns: The codes, and the conversion of a code to a double.
  /// - Throws: `.malformed` for members that do not define a conversion.
  static func read(
    _ samples: StoredSamples, _ part: JSONFields
  ) throws(JSONReadingError) -> (codes: StreamDepthCodes, law: (Int) -> Double) {
    var codes = StreamDepthCodes(samples: samples, quantization: nil)
    if let bits = try part.integer("bits"), case .uint16(let raster, _) = samples {
      guard (1...16).contains(bits) else {
        throw part.failure(at: "bits", expected: "1 to 16", found: "\(bits)")
      }
      codes.samples = .uint16(raster, bitDepth: bits)
    }
    codes.missing = try part.integer("missing")
    if let line = try part.numbers("line", count: 4...4) {
      guard let first = Int(exactly: line[0]), let last = Int(exactly: line[2]),
        first < last, abs(line[1]) <= 1e9, abs(line[3]) <= 1e9, abs(line[0]) <= 1e9,
        abs(line[2]) <= 1e9
      else {
        throw part.failure(
          at: "line", expected: "a code and its value, a higher code and its value",
          found: "\(line)")
      }
      let rule = LinearQuantization(
        minimumCode: first, maximumCode: last, minimumValue: line[1], maximumValue: line[3])
      codes.quantization = rule
      return (codes, rule.value)
    }
    let scale = try part.number("scale")
    let offset = try part.number("offset")
    let (a, b) = (scale ?? 1, offset ?? 0)
    guard abs(a) <= 1e9, abs(b) <= 1e9 else {
      throw part.failure(at: "scale", expected: "numbers up to 1e9", found: "\(a), \(b)")
    }
    if scale != nil || offset != nil {
      let top = codes.samples.maximumCode
      codes.quantization = LinearQuantization(
        minimumCode: 0, maximumCode: top, minimumValue: b, maximumValue: b + a * Double(top))
    }
    return (codes, { a * Double($0) + b })
  }
}
