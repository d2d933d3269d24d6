import ArgumentParser

/// `994.98±0.5` or `994.98+-0.5`: a number with its ± where the user states one.
struct StatedNumberArgument {
  let value: Double
  /// One standard deviation in the number's unit; `nil` where none was stated.
  let sigma: Double?

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    let parts = argument.split(separator: "±", maxSplits: 1, omittingEmptySubsequences: false)
    let sides =
      parts.count == 2 ? parts.map(String.init) : Self.split(argument)
    guard let value = Double(sides[0]), abs(value) < 1e6 else {
      throw ValidationError("write a number, or one with its ±, as in 995±2 or 995+-2")
    }
    self.value = value
    guard sides.count == 2 else {
      sigma = nil
      return
    }
    guard let sigma = Double(sides[1]), sigma > 0, sigma < 1e6 else {
      throw ValidationError(
        "write the ± as a number above 0 in the same unit, as in 995±2 or 995+-2")
    }
    self.sigma = sigma
  }

  /// The sides of the first `+-`, which keyboards without ± have; the whole without one.
  private static func split(_ argument: String) -> [String] {
    var head: [Character] = []
    var rest = argument[...]
    while !rest.isEmpty {
      if rest.hasPrefix("+-") { return [String(head), String(rest.dropFirst(2))] }
      head.append(rest.removeFirst())
    }
    return [argument]
  }
}
