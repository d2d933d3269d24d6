import ArgumentParser

/// The option for the number of threads of a command.
struct ThreadOptions: ParsableArguments {
  @Option(
    name: .customLong("threads"),
    help: "The most threads to use; results do not depend on it.")
  var count: Int = 2

  mutating func validate() throws {
    guard (1...256).contains(count) else {
      throw ValidationError("The number of threads must be between 1 and 256, not \(count).")
    }
  }
}
