import ArgumentParser
import Plumbline

struct WriteCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "write",
    abstract: "Write a photo with its depth: put depth in, take it out, crop, turn, convert.",
    discussion: """
      The image is copied byte for byte unless its pixels must move or the kind of file changes; \
      depth, mattes, gain map and the camera's numbers always move along. The original is never \
      touched.

        plumbline write photo.jpg --attach depth/capture.mcap -o photo-depth.jpg
        plumbline write portrait.heic --corrected -o corrected.heic
        plumbline write dog.heic --known-distance 380,420=0.41 --known-distance 120,80=0.78 \
      -o metric.heic
        plumbline write portrait.heic --crop 400,300,1600x1200 --resize 800 -o small.heic
        plumbline write portrait.heic --convert jpeg -o portrait.jpg
        plumbline write portrait.heic --strip depth,mattes -o plain.heic

      Whether Apple's programs take a file written here \
      has not been tried.
      """)

  @Argument(
    help: "The photo, JPEG or HEIC.",
    completion: .photos)
  var photo: String

  @Option(
    name: .output, help: "The photo to write; - is standard output.", completion: .file())
  var output: String

  @OptionGroup(title: "Depth") var depth: PhotoDepthOptions

  @Option(
    help: ArgumentHelp(
      "Take parts out: depth, mattes, gain-map, or several with commas.", valueName: "PARTS"),
    transform: PhotoPartsArgument.init(parsing:))
  var strip: PhotoPartsArgument?

  @OptionGroup(title: "Framing") var framing: PhotoFramingOptions

  @Option(
    help: ArgumentHelp(
      "The kind of file: jpeg or heic; the ending of -o decides otherwise.", valueName: "KIND"),
    transform: choice(_:))
  var convert: PhotoWriter.Container?

  @Option(help: "The quality of an image that is coded anew, 1 to 100.")
  var quality = 92

  @Option(
    help: ArgumentHelp(
      "Who codes HEVC: automatic, x265 (the program), videotoolbox (Apple's systems), or raw "
        + "(uncompressed, large).",
      valueName: "HOW"))
  var hevc = HEVCArgument.automatic

  @OptionGroup var threads: ThreadOptions
  @OptionGroup var outputOptions: OutputOptions

  @OptionGroup var printing: PrintingOptions<WriteCommand>

  func validate() throws {
    guard (1...100).contains(quality) else {
      throw ValidationError("The quality must be from 1 to 100, not \(quality).")
    }
    if let convert, let named = PhotoWriter.Container(ending: output), named != convert {
      throw ValidationError(
        "--convert \(convert.rawValue) contradicts the ending of “\(printable(text: output))”.")
    }
    guard !(depth.isGiven && strip?.parts.contains(.depth) == true) else {
      throw ValidationError("Depth cannot be stripped and written at once.")
    }
  }

  func run() throws {
    throw try CommandExit.running(photo) {
      let file = try InputFile(argument: photo)
      var writer = PhotoWriter()
      writer.depth = try depth.source(for: file.bytes)
      writer.quantity = depth.quantity.quantity
      writer.depthBits = depth.bits
      writer.depthCoding = depth.coding
      writer.stripped = strip?.parts ?? []
      writer.framing = framing.framing
      writer.container = convert ?? PhotoWriter.Container(ending: output)
      writer.options = PhotoWritingOptions(
        depthLayout: depth.layout, colorQuality: quality,
        hevc: hevc.coding, threads: threads.count)
      let result = try writer.write(file.bytes, fileName: lastPathPart(photo))
      if StandardStreams.isStream(output) {
        StandardOutput.write(result.bytes)
        if !printing.quiet {
          for line in PhotoWritingText(result).lines { StandardError.print(line) }
        }
        return .success
      }
      var transaction = OutputTransaction(existing: outputOptions.existing)
      try transaction.stage(result.bytes, at: output)
      let written = try transaction.publish()
      printing.print(result.document(outputs: written)) {
        for line in PhotoWritingText(result).lines { StandardOutput.print(line) }
        for path in written { StandardOutput.print(printable(text: path)) }
      }
      return .success
    }
  }
}

extension Finding {
  /// The finding in one line that is safe to print.
  var line: String { "\(severity.rawValue): \(printable(text: message)) (\(code.rawValue))" }
}

/// The written files and losses, in a few lines.
struct PhotoWritingText {
  let lines: [String]

  init(_ result: PhotoWritingResult) {
    var lines: [String] = []
    let how = result.isImageCopied ? "image copied as it was" : "image coded anew"
    lines.append("\(result.container.rawValue.uppercased()), \(result.bytes.count) bytes, \(how)")
    if let depth = result.depth {
      let unit = depth.quantity == .disparity ? "1/m" : "m"
      let range =
        "\(depth.quantization.minimumValue.fixed(4)) to \(depth.quantization.maximumValue.fixed(4))"
      lines.append(
        "  depth: \(depth.size) codes of \(depth.quantity.rawValue), \(range) \(unit) in steps of "
          + "\(depth.quantization.step.fixed(6)) \(unit), \(depth.accuracy.rawValue)")
    }
    for note in result.notes { lines.append("  \(printable(text: note))") }
    if result.isLyingAssumed {
      lines.append("    → --lying shown, if it lies as the photo is shown")
    }
    for finding in result.findings { lines.append("  " + finding.line) }
    self.lines = lines
  }
}
