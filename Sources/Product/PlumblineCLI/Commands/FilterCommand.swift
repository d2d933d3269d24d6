import ArgumentParser
import Plumbline

struct FilterCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter",
    abstract: "Write a depth map without what is wrong in it, and say what each filter did.",
    discussion: """
      Needs depths in meters. The presets:

        metrology   only removes: untrusted, flying and lonely pixels (the default)
        fusion      removes more, smooths each surface within its own ±, never fills
        preview     smooths, steadies frames of a camera that stands still, and fills holes
                    where one surface lies around them

        depth.npy, .tiff      float32 meters, NaN = not measured
        depth.png             16-bit millimeters, 0 = unknown
        sigma.npy             one standard deviation of each depth, meters
        invented.png          255 where no sensor measured
        confidence.png        the sensor's levels, where it has any; 0 where invented
        calibration.json      the camera at the size of the map
        filter.json           what each filter did (schema plumbline.filter/1)

      Of a recording every frame is filtered in the order of time, into a folder of its own; \
      --frame chooses one. A frame that cannot be read is named and left out.
      """)

  @OptionGroup var options: CaptureOptions
  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: .output,
    help: "The folder to write into; it is made if it does not exist.", completion: .directory)
  var output: String?

  @Option(
    help: ArgumentHelp(
      "What the result is for: metrology, fusion or preview.", valueName: "PRESET"),
    transform: DepthFilterPreset.init(parsing:))
  var preset = DepthFilterPreset.metrology

  @Option(help: "The least confidence that stays, in place of the preset's; 0 keeps all.")
  var confidence: UInt8?

  @Option(
    help: ArgumentHelp("The depths that stay, in meters.", valueName: "NEAR:FAR"),
    transform: RangeArgument.init(parsing:))
  var depthRange: RangeArgument?

  @Option(
    help: ArgumentHelp(
      "Fill holes: none, surface, left, farthest or nearest, whatever the preset does.",
      valueName: "RULE"),
    transform: CaptureFilter.Filling.init(parsing:))
  var fill: CaptureFilter.Filling?

  @Option(help: "Make the map smaller by this factor, 2 to 8, with medians of measured pixels.")
  var decimate: Int?

  @Flag(help: "Bring the map to the color image's size, its edges drawn by color.")
  var upsample = false

  @OptionGroup var printing: PrintingOptions<FilterCommand>

  func validate() throws {
    if let decimate, !(2...8).contains(decimate) {
      throw ValidationError("--decimate takes a whole number from 2 to 8, not \(decimate).")
    }
  }

  func run() throws {
    throw try CommandExit.running(options.capture) {
      var transaction = OutputTransaction(existing: outputOptions.existing)
      if let output { try transaction.createDirectory(at: output) }
      var memory = TemporalFilter.Memory()
      var documents: [JSONValue] = []
      var lines: [String] = []
      func finish(_ analysis: CaptureAnalysis, in folder: String?) throws {
        let result = try filter.filter(analysis, after: &memory)
        if let folder { try transaction.createDirectory(at: folder) }
        let outputs = try transaction.stage(result.files, in: folder, as: .depth)
        if printing.json { documents.append(result.document(outputs: outputs)) }
        lines.append(printable(text: result.before.fileName))
        for report in result.filtered.reports {
          lines.append("  \(report.name): \(report.sentence)")
        }
      }
      var walk: FrameWalk?
      let input = try options.input()
      let analyzer = try options.analyzer(color: filter.needsColor ? .full : .none)
      if case .recording(let recording, let name) = input, options.frame == nil {
        walk = try FrameWalk(recording, in: output, isQuiet: printing.quiet) { index, folder in
          try finish(analyzer.analyze(recording, named: name, at: index), in: folder)
        }
      } else {
        try finish(analyzer.analyze(input), in: output)
      }
      let written = try transaction.publish()
      printing.print(
        walk?.document(schema: "plumbline.filter/1", frames: documents) ?? documents.first ?? .null
      ) {
        for line in lines { StandardOutput.print(line) }
        if walk == nil {
          for path in written { StandardOutput.print(printable(text: path)) }
        }
      }
      return walk?.failures.isEmpty == false ? CommandExit.unusableInput : .success
    }
  }

  private var filter: CaptureFilter {
    var filter = CaptureFilter(preset)
    filter.leastConfidence = confidence
    filter.rangeMeters = depthRange?.meters
    filter.filling = fill
    filter.decimation = decimate
    filter.isUpsampled = upsample
    return filter
  }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
  /// Reads one of the names; says which there are when it is another.
  init(parsing argument: String) throws {
    guard let choice = Self(rawValue: argument) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("write one of \(names)")
    }
    self = choice
  }
}

/// A range of depths as it is written on the command line: `0.2:3`, in meters.
struct RangeArgument {
  let meters: ClosedRange<Double>

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    let sides = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard sides.count == 2, let near = Double(sides[0]), let far = Double(sides[1]), near >= 0,
      near < far, far <= 1000
    else {
      throw ValidationError("write the nearest and the farthest depth in meters, as in 0.2:3")
    }
    meters = near...far
  }
}
