import ArgumentParser

/// Reads one of the words of an enumeration; says them all where it is none.
func choice<Choice: RawRepresentable & CaseIterable>(
  _ argument: String
) throws -> Choice where Choice.RawValue == String {
  if let choice = Choice(rawValue: argument) { return choice }
  let words = Choice.allCases.map(\.rawValue)
  throw ValidationError(
    "write \(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")")
}
