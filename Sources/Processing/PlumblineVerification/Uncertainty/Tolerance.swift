/// How accurate a measurement has to be: what a user needs of a capture.
///
///     let need = Tolerance(parsing: "length:1%")
///     let answer = need?.answer(for: assessment.accuracy)
///
/// All limits are compared with one standard deviation, as every ± is.
public struct Tolerance: Sendable, Hashable {
  /// The most that the ± may be.
  public enum Limit: Sendable, Hashable {
    /// A share of the depth, or of the length, in percent.
    case percent(Double)
    /// A length in meters.
    case meters(Double)
  }

  /// What has to be so accurate; all of ``MeasuredQuantity`` unless the user named one.
  public let quantities: [MeasuredQuantity]
  /// The most that the ± may be.
  public let limit: Limit
  /// The depth at which the limit holds, and the length that it holds for; `nil` is the median depth
  /// of the capture.
  public let atMeters: Double?
  /// The tolerance as it was written.
  public let text: String

  /// Reads a tolerance: `1%`, `2mm`, `2mm@1m`, `depth:5mm`, `length:1%`.
  ///
  /// The limit is a number with `%`, `mm`, `cm` or `m`; after `@` stands a distance with `mm`, `cm`
  /// or `m`; before `:` stands `depth` or `length`, without which both are needed.
  ///
  /// - Returns: `nil` for anything else, for limits that are not above 0, and for distances outside of
  ///   1 mm to 1 km, at which no depth camera measures.
  public init?(parsing text: String) {
    var rest = text[...]
    var quantities = MeasuredQuantity.allCases
    if let colon = rest.firstIndex(of: ":") {
      guard let quantity = MeasuredQuantity(rawValue: String(rest[..<colon])) else { return nil }
      quantities = [quantity]
      rest = rest[rest.index(after: colon)...]
    }
    var atMeters: Double?
    if let at = rest.firstIndex(of: "@") {
      guard let meters = Self.meters(rest[rest.index(after: at)...]),
        (0.001...1000).contains(meters)
      else { return nil }
      atMeters = meters
      rest = rest[..<at]
    }
    if rest.last == "%" {
      guard let percent = Self.number(rest.dropLast()) else { return nil }
      limit = .percent(percent)
    } else {
      guard let meters = Self.meters(rest) else { return nil }
      limit = .meters(meters)
    }
    self.quantities = quantities
    self.atMeters = atMeters
    self.text = text
  }

  private static func meters(_ text: Substring) -> Double? {
    for (ending, meters) in [("mm", 0.001), ("cm", 0.01), ("m", 1)] where text.hasSuffix(ending) {
      return number(text.dropLast(ending.count)).map { $0 * meters }
    }
    return nil
  }

  /// A plain decimal number above 0; `Double` also reads `nan`, `inf` and hexadecimal digits.
  private static func number(_ text: Substring) -> Double? {
    guard !text.isEmpty, text.utf8.count <= 24,
      text.utf8.allSatisfy({ 48...57 ~= $0 || $0 == UInt8(ascii: ".") }), let number = Double(text),
      number > 0, number.isFinite
    else { return nil }
    return number
  }
}
