import ArgumentParser
import Plumbline

/// A command that writes a recording as a recording, each frame by a transform.
protocol RewritingCommand: PrintingCommand {
  var options: CaptureOptions { get }
  var outputOptions: OutputOptions { get }
  var recordingFormat: RecordingFormatOptions { get }
  var printing: PrintingOptions<Self> { get }
}

extension RewritingCommand {
  /// Writes a recording in the format of the output, and prints what was done.
  ///
  /// - Parameters:
  ///   - recording: The frames.
  ///   - name: The recording's name, which the output carries.
  ///   - output: The file or folder.
  ///   - transform: What is done to each frame.
  ///   - document: Gets the report of each frame that was written, in order, and gives its document;
  ///     `nil` for none.
  ///   - text: Prints what was done to the frames, before what was written.
  /// - Returns: The exit code, that of unusable input where frames were left out.
  /// - Throws: As ``RecordingConversion`` does, and for an output that names no format.
  func rewrite<Transform: RecordingTransform>(
    _ recording: Recording, named name: String, to output: String, by transform: Transform,
    document: (Transform.Report) throws -> JSONValue?, text: () -> Void
  ) throws -> ExitCode {
    var converter = RecordingConverter(try recordingFormat.format(of: output))
    converter.threads = options.threadCount
    let conversion = RecordingConversion(
      recording: recording, name: name, output: output, existing: outputOptions.existing,
      isQuiet: printing.quiet || printing.json)
    var documents: [JSONValue] = []
    let summary = try conversion.run(converter, by: transform) { report in
      if let found = try document(report) { documents.append(found) }
    }
    printing.print(
      ProcessedFrames.document(
        schema: "plumbline.\(Self.configuration.commandName ?? "")/1", frames: documents,
        leftOut: summary.skipped.map { ($0.name, $0.reason) },
        recording: summary.document(output: output))
    ) {
      text()
      let written = ConversionText(
        summary: summary, output: output, chosenCount: recording.frames.count)
      for line in written.lines { StandardOutput.print(line) }
    }
    return summary.skipped.isEmpty ? .success : CommandExit.unusableInput
  }
}
