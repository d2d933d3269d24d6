/// Negative numbers as the values of options, such as `--from -1,-0.5,-0.6`.
///
/// ArgumentParser takes a word that begins with `-` for an option of its own. No option here begins with a
/// digit, so such a word is the value of the option before it.
enum NegativeValues {
  /// Arguments with each such value joined to its option, as in `--from=-1,-0.5,-0.6`.
  ///
  /// - Parameter arguments: All but the program's own name; those behind `--` stay as they are.
  /// - Returns: The arguments in the same order.
  static func joined(_ arguments: [String]) -> [String] {
    var result: [String] = []
    for (index, argument) in arguments.enumerated() {
      if argument == "--" { return result + arguments[index...] }
      if isNegative(argument), let option = result.last, option.hasPrefix("--"),
        !option.contains("="), option == arguments[index - 1]
      {
        result[result.count - 1] = "\(option)=\(argument)"
      } else {
        result.append(argument)
      }
    }
    return result
  }

  /// Whether a word is a negative number or begins with one, as a vector or a range does, with or without a
  /// unit.
  private static func isNegative(_ word: String) -> Bool {
    guard word.hasPrefix("-") else { return false }
    let rest = word.dropFirst()
    let digits = rest.first == "." ? rest.dropFirst() : rest
    return digits.first.map { "0"..."9" ~= $0 } ?? false
  }
}
