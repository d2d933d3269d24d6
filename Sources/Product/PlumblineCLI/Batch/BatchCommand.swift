import ArgumentParser

/// Many captures: `batch VERB PATH…`, and what is done with folders of results.
struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch", abstract: "Work with the results of many captures.",
    subcommands: [FleetCommand.self])
}
