package import PlumblineIO
package import PlumblineModel

/// How far a model of meters was off on test data, as its authors or others published it.
///
/// It is not the ± of a single image: scenes unlike the test data have larger errors. It has the root mean square
/// error, the mean relative error, or both: publications differ in which they state.
public struct PublishedError: Sendable, Hashable {
  /// The root mean square error of depth in meters, over all distances of the test data; above 0, `nil` where it
  /// was not published.
  public var rmseMeters: Double?
  /// The mean of |error| over true depth, a share of the depth; above 0, `nil` where it was not
  /// published.
  public var absoluteRelative: Double?
  /// The share of pixels within a factor of 1.25, 0 to 1; `nil` where it was not published.
  public var delta1: Double?
  /// The test data, such as `NYU Depth v2`.
  public var data: String
  /// The publication.
  public var source: String

  /// Creates it from its parts.
  ///
  /// - Precondition: One of both errors is known; errors are finite and above 0, the share is from 0 to 1.
  package init(
    rmseMeters: Double? = nil, absoluteRelative: Double? = nil, delta1: Double? = nil, data: String,
    source: String
  ) {
    precondition(rmseMeters != nil || absoluteRelative != nil, "no error is published")
    precondition(
      [rmseMeters, absoluteRelative].compactMap(\.self).allSatisfy { $0 > 0 && $0 < .infinity },
      "no error")
    precondition(delta1.map { (0...1).contains($0) } ?? true, "no share")
    self.rmseMeters = rmseMeters
    self.absoluteRelative = absoluteRelative
    self.delta1 = delta1
    self.data = data
    self.source = source
  }

  /// In words, such as `RMSE 0.604 m on NYU Depth v2` or `11.3 % of the depth on average, on SUN RGB-D`; without a
  /// semicolon, which separates what the provenance of a capture says.
  public var summary: String {
    "\(errorText) on " + String(data.map { $0 == ";" ? "," : $0 })
  }

  private var errorText: String {
    if let rmseMeters { return "RMSE \(rmseMeters) m" }
    return absoluteRelative.map { "\((100 * $0).fixed(1)) % of the depth on average," } ?? ""
  }

  /// One standard deviation at each depth, as far as the published number says it: the root mean square error where
  /// there is one, else √(π/2) of the mean relative error, as for normal errors.
  ///
  /// Few wrong pixels make the true spread larger than that.
  package var sigma: SigmaCurve {
    if let rmseMeters { return SigmaCurve(constantMeters: rmseMeters) }
    return SigmaCurve(perMeter: (absoluteRelative ?? 0) * (Double.pi / 2).squareRoot())
  }
}

extension PublishedError {
  /// The largest error that a card may claim, in meters and as a share.
  static let (maximumMeters, maximumRelative) = (1000.0, 10.0)

  /// Reads the member `publishedError` of a card; `nil` where there is none.
  init?(_ card: JSONFields) throws(JSONReadingError) {
    guard let fields = try card.fields("publishedError") else { return nil }
    rmseMeters = try fields.number("rmseMeters")
    absoluteRelative = try fields.number("absRel")
    if rmseMeters == nil, absoluteRelative == nil {
      throw fields.failure(at: "rmseMeters", expected: "meters, or else absRel")
    }
    if let rmseMeters, !(rmseMeters > 0 && rmseMeters <= Self.maximumMeters) {
      throw fields.failure(at: "rmseMeters", expected: "meters over 0, at most 1000")
    }
    if let absoluteRelative, !(absoluteRelative > 0 && absoluteRelative <= Self.maximumRelative) {
      throw fields.failure(at: "absRel", expected: "a share of the depth over 0, at most 10")
    }
    delta1 = try fields.number("delta1")
    if let delta1, !(0...1).contains(delta1) {
      throw fields.failure(at: "delta1", expected: "a share from 0 to 1")
    }
    data = try fields.required("data", fields.text)
    source = try fields.required("source", fields.text)
    guard !data.isEmpty, data.utf8.count <= 200, source.utf8.count <= 400 else {
      throw fields.failure(at: "data", expected: "a name of up to 200 bytes, a source of up to 400")
    }
  }

  /// The member `publishedError` of a card and of a document.
  package var json: JSONValue {
    [
      "rmseMeters": .number(rmseMeters), "absRel": .number(absoluteRelative),
      "delta1": .number(delta1), "data": .string(data), "source": .string(source),
    ]
  }
}
