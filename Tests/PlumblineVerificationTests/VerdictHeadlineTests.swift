import Testing

@testable import PlumblineVerification

/// The first words of an assessment, which every output shows.
@Suite struct VerdictHeadlineTests {
  private static func headline(
    _ verdict: Verdict, isEstimate: Bool = false, isGeometryAssumed: Bool = false,
    isStated: Bool = false, lengthPercent: Double? = nil
  ) -> VerdictHeadline {
    let limits = [
      lengthPercent.map {
        MeasurementLimit(quantity: .length, lengthPercent: $0, message: "lengths")
      },
      MeasurementLimit(quantity: .depth, message: "the noise of the sensor is not known"),
    ].compactMap(\.self)
    return VerdictHeadline(
      verdict, isEstimate: isEstimate, isGeometryAssumed: isGeometryAssumed, isStated: isStated,
      limits: limits)
  }

  @Test(
    "Each verdict has its words and its tone",
    arguments: [
      (Verdict.measurable, "Measurable"), (.corrected, "Measurable after correction"),
      (.relative, "Relative only"), (.untrusted, "Do not measure"),
    ])
  func plain(verdict: Verdict, words: String) {
    let headline = Self.headline(verdict)
    #expect(headline.words == words && headline.tone == verdict)
    #expect(headline.text == words.uppercased())
  }

  @Test("A limit of lengths is in the words, one of depths is not")
  func limits() {
    let limited = Self.headline(.measurable, lengthPercent: 6.5)
    #expect(limited.words == "Measurable, lengths to ± 6.5 %" && limited.tone == .measurable)
    #expect(limited.text == "MEASURABLE, LENGTHS TO ± 6.5 %")
    let corrected = Self.headline(.corrected, lengthPercent: 3.04)
    #expect(corrected.words == "Measurable after correction, lengths to ± 3.0 %")
  }

  @Test("Rough meters of two images are called so, only where there are meters")
  func rough() {
    for verdict in Verdict.allCases {
      let headline = VerdictHeadline(
        verdict, isEstimate: false, isGeometryAssumed: false, isStated: false,
        isDepthUncertain: true, limits: [])
      #expect((headline.words == "Rough meters") == verdict.isMeasurable)
      #expect(headline.tone == (verdict.isMeasurable ? .relative : verdict))
    }
  }

  @Test("Meters that were not measured are called so, only where there are meters")
  func notMeasured() {
    for verdict in [Verdict.measurable, .corrected] {
      let cases: [(VerdictHeadline, String)] = [
        (Self.headline(verdict, isEstimate: true), "Estimate, not measured"),
        (Self.headline(verdict, isGeometryAssumed: true), "Meters as told, not measured"),
        (Self.headline(verdict, isStated: true), "Measurable, as you said"),
        (
          Self.headline(verdict, isStated: true, lengthPercent: 25),
          "Measurable, as you said, lengths to ± 25.0 %"
        ),
      ]
      for (headline, words) in cases {
        #expect(headline.words == words && headline.tone == .relative)
      }
    }
    for verdict in [Verdict.relative, .untrusted] {
      let all = Self.headline(verdict, isEstimate: true, isGeometryAssumed: true, isStated: true)
      #expect(all == Self.headline(verdict))
    }
  }
}
