import Plumbline

extension Recording {
  /// Processes the frames one after another with a line of progress, and prints on standard error which were left out
  /// and why.
  ///
  /// - Throws: As `processFrames(in:progress:_:)`.
  func processFrames(
    isQuiet: Bool, _ work: (_ index: Int) throws -> Void
  ) throws -> ProcessedFrames {
    var progress = ProgressLine(total: frameNames.count, isQuiet: isQuiet)
    defer { progress.end() }
    let processed = try processFrames(progress: { progress.begin($0) }) { index, _ in
      try work(index)
    }
    progress.end()
    processed.printLeftOut()
    return processed
  }
}

extension ProcessedFrames {
  /// Prints on standard error which frames were left out and why.
  func printLeftOut() {
    for failure in failures {
      StandardError.print(
        "plumbline: frame \(printable(text: failure.name)) is left out: \(failure.error)"
          + CommandExit.help(for: failure.error))
    }
  }
}
