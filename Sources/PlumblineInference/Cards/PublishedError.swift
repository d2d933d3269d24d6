package import PlumblineIO
/// How far a model of meters was off on test data, as its authors or others published it.
///
/// It is no ± of any one image: scenes that do not look like the test data are missed by more.
public struct PublishedError: Sendable, Hashable {
  /// The root mean square error of depth in meters, over all distances of the test data; above 0.
  public var rmseMeters: Double
  /// The share of pixels within a factor of 1.25, 0 to 1; `nil` where it was not published.
  public var delta1: Double?
  /// The test data, such as `NYU Depth v2`.
  public var data: String
  /// The publication.
  public var source: String

  /// Creates it from its parts.
  ///
  /// - Precondition: The error is finite and above 0, the share from 0 to 1.
  public init(rmseMeters: Double, delta1: Double? = nil, data: String, source: String) {
    precondition(rmseMeters > 0 && rmseMeters < .infinity, "\(rmseMeters) m is no error")
    precondition(delta1.map { (0...1).contains($0) } ?? true, "no share")
    self.rmseMeters = rmseMeters
    self.delta1 = delta1
    self.data = data
    self.source = source
  }

  /// In words, such as `RMSE 0.604 m on NYU Depth v2`; without a semicolon, which separates what the
  /// provenance of a capture says.
  public var summary: String {
    "RMSE \(rmseMeters) m on " + String(data.map { $0 == ";" ? "," : $0 })
  }

  /// The maximum error that a card may claim, in meters.
  static let maximumMeters = 1000.0

  /// Reads the member `publishedError` of a card; `nil` where there is none.
  init?(_ card: JSONFields) throws(JSONReadingError) {
    guard let fields = try card.fields("publishedError") else { return nil }
    rmseMeters = try fields.required("rmseMeters", fields.number)
    guard rmseMeters > 0, rmseMeters <= Self.maximumMeters else {
      throw fields.failure(at: "rmseMeters", expected: "meters over 0, at most 1000")
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
      "rmseMeters": .number(rmseMeters), "delta1": .number(delta1), "data": .string(data),
      "source": .string(source),
    ]
  }
}
