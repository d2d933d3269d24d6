import PlumblineModel
import PlumblineVerification
import Testing

/// What a user needs of a capture, read and answered.
struct ToleranceTests {
  @Test(
    "A tolerance is read with its quantity, limit and distance",
    arguments: [
      ("1%", MeasuredQuantity.allCases, Tolerance.Limit.percent(1), nil),
      ("0.5%", MeasuredQuantity.allCases, .percent(0.5), nil),
      ("2mm", MeasuredQuantity.allCases, .meters(0.002), nil),
      ("2mm@1m", MeasuredQuantity.allCases, .meters(0.002), 1),
      ("depth:5mm", [.depth], .meters(0.005), nil),
      ("length:1%", [.length], .percent(1), nil),
      ("length:2cm@250mm", [.length], .meters(0.02), 0.25),
    ] as [(String, [MeasuredQuantity], Tolerance.Limit, Double?)])
  func reading(
    text: String, quantities: [MeasuredQuantity], limit: Tolerance.Limit, atMeters: Double?
  ) throws {
    let tolerance = try #require(Tolerance(parsing: text))
    #expect(tolerance.quantities == quantities && tolerance.limit == limit)
    #expect(tolerance.atMeters == atMeters && tolerance.text == text)
  }

  @Test(
    "What is no tolerance is refused",
    arguments: [
      "", "%", "mm", "1", "-1%", "0%", "0mm", "nan%", "inf%", "0x1p3mm", "1e3mm", "1 %", "1%@",
      "1%@0m", "1%@2km", "1%@2000m", "width:1%", ":1%", "depth:", "depth:length:1%", "1%@1m@1m",
      "1%%", "1..2mm", "1000000000000000000000000000mm", "１%",
    ])
  func refusal(text: String) { #expect(Tolerance(parsing: text) == nil) }

  /// 1 mm and 0.1 % of depth, 2 % of lengths, at 0.5 m.
  private static let accuracy = CaptureAccuracy(
    depth: SigmaCurve(constantMeters: 0.001), medianMeters: 0.5, lengthPercent: 2)

  private static func answer(
    _ text: String, _ accuracy: CaptureAccuracy? = accuracy
  ) throws -> ToleranceAnswer {
    try #require(Tolerance(parsing: text)).answer(for: accuracy)
  }

  @Test("Depth and lengths are compared at the median, or at the distance that was named")
  func values() throws {
    // 1 mm of 500 mm, and 2 % of any length.
    let percent = try Self.answer("1%")
    #expect(percent.parts.map(\.isMet) == [true, false] && !percent.isMet)
    #expect(percent.unit == "%")
    #expect(abs((percent.parts[0].value ?? 0) - 0.2) < 1e-12 && percent.value == 2)
    // A length of 0.5 m is known to 10 mm, one of 0.1 m to 2 mm.
    let meters = try Self.answer("5mm")
    #expect(meters.unit == "mm" && abs((meters.value ?? 0) - 10) < 1e-12 && !meters.isMet)
    #expect(try Self.answer("length:2.1mm@10cm").isMet)
    #expect(try Self.answer("depth:1mm@3m").isMet)
    #expect(try !Self.answer("depth:0.9mm").isMet)
  }

  @Test("What is not known is not met")
  func unknown() throws {
    var accuracy = Self.accuracy
    accuracy.depth = nil
    let answer = try Self.answer("50%", accuracy)
    #expect(answer.parts.map(\.isMet) == [false, true])
    #expect(answer.value == nil && !answer.isMet)
    #expect(try Self.answer("length:50%", accuracy).isMet)
    let nothing = try Self.answer("50%", nil)
    #expect(!nothing.isMet && nothing.value == nil && nothing.atMeters == nil)
  }

  @Test("The sentence says what the capture is good for")
  func sentence() throws {
    #expect([ToleranceAnswer]().sentence == nil)
    #expect(try [Self.answer("1%")].sentence == "depth yes, lengths no: ± 2.0 %")
    #expect(try [Self.answer("3%")].sentence == "depth yes, lengths yes")
    #expect(try [Self.answer("depth:0.5mm")].sentence == "depth no: ± 1.0 mm at 0.50 m")
    // Of several needs the first that is not met is said.
    #expect(
      try [Self.answer("length:5%"), Self.answer("length:1%")].sentence == "lengths no: ± 2.0 %")
    #expect(try [Self.answer("1%", nil)].sentence == "no, nothing can be measured in meters")
  }

  @Test("A looser limit is met wherever a tighter one is", arguments: 0..<50 as Range<UInt64>)
  func looser(seed: UInt64) throws {
    var random = seed &* 0x9E37_79B9_7F4A_7C15
    func number(_ most: Double) -> Double {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return most * Double(random >> 40) / Double(1 << 24) + 1e-4
    }
    let accuracy = CaptureAccuracy(
      depth: SigmaCurve(constantMeters: number(0.01), perMeterSquared: number(0.01)),
      medianMeters: number(5), lengthPercent: number(10))
    let limit = number(5)
    for unit in ["%", "mm"] {
      let tight = try Self.answer("\(limit.fixed(6))\(unit)", accuracy)
      let loose = try Self.answer("\((2 * limit).fixed(6))\(unit)", accuracy)
      #expect(!tight.isMet || loose.isMet)
      #expect(tight.value == loose.value)
    }
  }

  @Test("Of a recording the frame in the middle counts, of two middles the less accurate one")
  func recordings() throws {
    let need = try #require(Tolerance(parsing: "length:1%"))
    func accuracy(_ percent: Double) -> CaptureAccuracy {
      CaptureAccuracy(depth: SigmaCurve(), medianMeters: 1, lengthPercent: percent)
    }
    #expect(need.answer(forFrames: [accuracy(3), accuracy(0.5), accuracy(0.6)]).value == 0.6)
    #expect(need.answer(forFrames: [accuracy(0.5), accuracy(3)]).value == 3)
    // A frame that cannot be measured comes last.
    #expect(need.answer(forFrames: [nil, accuracy(0.5), accuracy(0.6)]).isMet)
    #expect(!need.answer(forFrames: [nil, nil, accuracy(0.5)]).isMet)
  }
}
