/// A number that a user states, with its ± where it is known: `994.98±0.5` or `994.98+-0.5`.
package struct StatedNumber: Hashable, Sendable {
  /// The number.
  package let value: Double
  /// One standard deviation in the number's unit, above 0; `nil` where none was stated.
  package let sigma: Double?

  /// Reads a number below a million, with its ± or without.
  package init(parsing text: String) throws(SettingTextError) {
    // Keyboards without ± have `+-`.
    let sides = text.replacing("+-", with: "±").split(
      separator: "±", omittingEmptySubsequences: false)
    guard sides.count <= 2, let value = sides.first.flatMap({ Double($0) }), abs(value) < 1e6 else {
      throw SettingTextError(
        "a number, or one with its ±, as in 995±2 or 995+-2", found: text)
    }
    self.value = value
    guard sides.count == 2 else {
      sigma = nil
      return
    }
    guard let sigma = Double(sides[1]), sigma > 0, sigma < 1e6 else {
      throw SettingTextError(
        "the ± as a number above 0 in the same unit, as in 995±2 or 995+-2", found: text)
    }
    self.sigma = sigma
  }

  /// Reads a length: a number above 0, whose ± is below it.
  package static func length(parsing text: String) throws(SettingTextError) -> StatedNumber {
    let number = try StatedNumber(parsing: text)
    guard number.value > 0, (number.sigma ?? 0) < number.value else {
      throw SettingTextError(
        "a number above 0, or one with a ± below it, as in 995±2 or 995+-2", found: text)
    }
    return number
  }
}
