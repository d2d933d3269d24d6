import PlumblineCorrection
import PlumblineModel
import Testing

/// What a user says of a loose map, and what it cannot overrule.
struct DepthStatementTests {
  private static let size = RasterSize(width: 2, height: 2)
  private static let codes = Raster<UInt16>(size: size, samples: [0, 1, 12345, 65535])

  /// A map of whole numbers that were taken as millimeters.
  private static func wholeNumbers() -> Capture {
    var record = DepthRecord(
      values: .depth(DepthMap(millimeters: codes)), storedType: "u16", accuracy: .unknown)
    record.storedSamples = .uint16(codes, bitDepth: 16)
    record.quantization = LinearQuantization(
      minimumCode: 0, maximumCode: 65535, minimumValue: 0, maximumValue: 65.535)
    var capture = Capture(source: CaptureSource())
    capture.depth = record
    capture.findings = [Finding(.depthUnitAssumed, .note, "taken as millimeters")]
    return capture
  }

  /// A map of fractions whose unit is unknown.
  private static func fractions() -> Capture {
    var record = DepthRecord(
      values: .depth(DepthMap(meters: Raster(size: size, samples: [.nan, 250, 1000, 4000]))),
      storedType: "fdep", accuracy: .unknown)
    record.hasUnit = false
    var capture = Capture(source: CaptureSource())
    capture.depth = record
    return capture
  }

  private static func meters(_ capture: Capture) -> [Float] {
    guard case .depth(let map)? = capture.depth?.values else { return [] }
    return Array(map.meters.packed.samples)
  }

  @Test(
    "Whole numbers are converted from their codes, to the bit",
    arguments: [("mm", 1000.0), ("0.1mm", 10000), ("m", 1), ("0.00025", 4000), ("0.25mm", 4000)])
  func wholeNumbers(unit: String, perMeter: Double) throws {
    let unit = DepthUnit(parsing: unit)
    #expect(unit?.perMeter == perMeter)
    let stated = try DepthStatement(unit: unit).applied(to: Self.wholeNumbers())
    let meters = Self.meters(stated)
    #expect(meters[0].isNaN)
    #expect(meters[1...] == [1, 12345, 65535].map { Float($0 / perMeter) }[...])
    #expect(stated.depth?.quantization?.maximumValue == 65535 / perMeter)
    // The unit is no longer assumed, and is the user's word.
    #expect(stated.findings.isEmpty)
    #expect(stated.provenance.map(\.kind) == [.statedUnit])
    #expect(stated.provenance[0].detail.hasSuffix("as you said"))
    #expect(stated.depth?.accuracy == .unknown)
  }

  @Test func fractionsGetTheirUnit() throws {
    let stated = try DepthStatement(unit: .millimeters, isAbsolute: true)
      .applied(to: Self.fractions())
    #expect(Self.meters(stated)[1...] == [0.25, 1, 4])
    #expect(stated.depth?.hasUnit == true && stated.depth?.accuracy == .absolute)
    #expect(stated.provenance.map(\.kind) == [.statedUnit, .statedAbsolute])
  }

  @Test("Depth that is twice as far in disparity is half as large")
  func disparities() throws {
    var capture = Self.fractions()
    capture.depth?.values = .disparity(
      DisparityMap(inverseMeters: Raster(size: Self.size, samples: [.nan, 0.001, 0.002, 0.004])))
    capture.depth?.quantization = LinearQuantization(
      minimumCode: 0, maximumCode: 255, minimumValue: 0.001, maximumValue: 0.004)
    let stated = try DepthStatement(unit: .millimeters).applied(to: capture)
    guard case .disparity(let map)? = stated.depth?.values else {
      Issue.record("no disparities")
      return
    }
    // 1000 mm are 1 m; single precision.
    #expect(abs(map.inverseMeters[1, 0] - 1) < 1e-6 && abs(map.inverseMeters[1, 1] - 4) < 1e-6)
    #expect(abs((stated.depth?.quantization?.maximumValue ?? 0) - 4) < 1e-9)
  }

  @Test("A file's own word stands")
  func refusals() throws {
    var metric = Self.wholeNumbers()
    metric.findings = []
    metric.depth?.accuracy = .absolute
    #expect(throws: CorrectionError.self) {
      try DepthStatement(unit: .millimeters).applied(to: metric)
    }
    // "Absolute" says nothing new of it, and nothing is added.
    let same = try DepthStatement(isAbsolute: true).applied(to: metric)
    #expect(same.provenance.isEmpty)
    var relative = Self.wholeNumbers()
    relative.depth?.accuracy = .relative
    for statement in [DepthStatement(unit: .meters), DepthStatement(isAbsolute: true)] {
      #expect(throws: CorrectionError.self) { try statement.applied(to: relative) }
    }
    var packed = Self.wholeNumbers()
    packed.depth?.quantization = nil
    #expect(throws: CorrectionError.self) {
      try DepthStatement(unit: .millimeters).applied(to: packed)
    }
    // A second statement would be about numbers that the first has changed.
    let once = try DepthStatement(unit: .meters).applied(to: Self.wholeNumbers())
    #expect(throws: CorrectionError.self) {
      try DepthStatement(unit: .millimeters).applied(to: once)
    }
  }

  @Test func aCaptureWithoutDepthStays() throws {
    let plain = Capture(source: CaptureSource())
    let stated = try DepthStatement(unit: .meters, isAbsolute: true).applied(to: plain)
    #expect(stated.depth == nil && stated.provenance.isEmpty)
  }

  @Test(arguments: ["", "km", "-1", "0", "0mm", "nan", "inf", "1e-3", "mmm", "2km", "1 mm", "0x1"])
  func noUnit(text: String) { #expect(DepthUnit(parsing: text) == nil) }

  @Test(
    arguments: [
      ("mm", "1 mm"), ("MM", "1 mm"), ("0.1mm", "0.1 mm"), ("m", "1 m"), ("0.001", "0.001 m"),
    ])
  func words(text: String, words: String) { #expect(DepthUnit(parsing: text)?.words == words) }
}
