/// A sheet to print on.
public struct Paper: Hashable, Sendable {
  /// The width in millimeters.
  public var widthMillimeters: Double
  /// The height in millimeters.
  public var heightMillimeters: Double

  /// Creates a sheet of any size.
  ///
  /// - Precondition: Both sides are above 0 and at most 100 m.
  public init(widthMillimeters: Double, heightMillimeters: Double) {
    precondition(
      widthMillimeters > 0 && heightMillimeters > 0
        && max(widthMillimeters, heightMillimeters) <= 1e5,
      "a sheet of \(widthMillimeters) × \(heightMillimeters) mm")
    self.widthMillimeters = widthMillimeters
    self.heightMillimeters = heightMillimeters
  }

  /// ISO 216 A4, upright.
  public static let a4 = Paper(widthMillimeters: 210, heightMillimeters: 297)
  /// ISO 216 A3, upright.
  public static let a3 = Paper(widthMillimeters: 297, heightMillimeters: 420)
  /// ANSI A, 8.5 × 11 inches, upright.
  public static let letter = Paper(widthMillimeters: 215.9, heightMillimeters: 279.4)

  /// The same sheet after a quarter turn.
  public var turned: Paper {
    Paper(widthMillimeters: heightMillimeters, heightMillimeters: widthMillimeters)
  }

  /// Reads `a4`, `a3`, `letter` or a size such as `420x594mm`; `nil` for anything else.
  public init?(parsing text: String) {
    switch text.lowercased() {
    case "a4": self = .a4
    case "a3": self = .a3
    case "letter": self = .letter
    case let size:
      guard size.hasSuffix("mm") else { return nil }
      let sides = size.dropLast(2).split(separator: "x", omittingEmptySubsequences: false).map {
        Double($0)
      }
      guard sides.count == 2, let width = sides[0], let height = sides[1],
        (10...10_000).contains(width), (10...10_000).contains(height)
      else { return nil }
      self.init(widthMillimeters: width, heightMillimeters: height)
    }
  }
}
