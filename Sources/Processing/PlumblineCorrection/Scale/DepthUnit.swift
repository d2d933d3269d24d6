/// The length that the number 1 of a depth map stands for.
public struct DepthUnit: Sendable, Hashable {
  /// How many of them make a meter, such as 1000 for millimeters.
  public let perMeter: Double
  /// The unit in words, such as `0.1 mm`.
  public let words: String

  /// Millimeters, as most programs write 16-bit images.
  public static let millimeters = DepthUnit(perMeter: 1000, words: "1 mm")
  /// Meters, as most programs write floating-point numbers.
  public static let meters = DepthUnit(perMeter: 1, words: "1 m")

  private init(perMeter: Double, words: String) {
    self.perMeter = perMeter
    self.words = words
  }

  /// Reads `mm`, `m`, a number with one of them such as `0.1mm`, or a number of meters such as
  /// `0.00025`.
  ///
  /// - Returns: `nil` for anything else, and for units below 10⁻⁷ m or above 1000 m: the finest
  ///   that a depth camera is known to write is 0.03 mm, and nothing measured is a kilometer away.
  public init?(parsing text: String) {
    let text = text.lowercased()
    let isMillimeters = text.hasSuffix("mm")
    let hasUnit = text.hasSuffix("m")
    let number = text.dropLast(isMillimeters ? 2 : hasUnit ? 1 : 0)
    guard let count = number.isEmpty && hasUnit ? 1 : Self.decimal(number) else { return nil }
    let perMeter = (isMillimeters ? 1000 : 1) / count
    guard (0.001...1e7).contains(perMeter) else { return nil }
    self.init(
      perMeter: perMeter,
      words: "\(number.isEmpty ? "1" : number) \(isMillimeters ? "mm" : "m")")
  }

  /// A plain decimal number; `Double` also reads `nan`, `inf` and hexadecimal digits.
  private static func decimal(_ text: Substring) -> Double? {
    let isPlain =
      !text.isEmpty && text.utf8.count <= 24
      && text.utf8.allSatisfy { 48...57 ~= $0 || $0 == UInt8(ascii: ".") }
    return isPlain ? Double(text) : nil
  }
}
