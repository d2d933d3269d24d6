import ArgumentParser
import Plumbline
import PlumblineBatch

/// Many captures: `batch VERB PATH…`, and what is done with folders of results.
struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Do one verb on thousands of captures, with a journal that goes on where it stopped.",
    discussion: """
      plumbline batch check photos -o results
      plumbline batch check @list.txt -o results --workers 8 -- --need 1%
      plumbline batch cloud photos -o results -- --upright
      plumbline batch merge results-1 results-2 -o results
      """,
    subcommands: [BatchRunCommand.self, BatchMergeCommand.self],
    defaultSubcommand: BatchRunCommand.self)
}
