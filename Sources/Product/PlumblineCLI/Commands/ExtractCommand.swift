import ArgumentParser
import Plumbline

struct ExtractCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Write what a capture holds as files that other programs read.",
    discussion: """
      color.jpg             the photo, as stored
      depth.npy             float32 meters, NaN = not measured (relative maps: no unit)
      depth.tiff            the same as a float TIFF
      depth.png             16-bit millimeters, 0 = unknown (metric maps only)
      codes.png             the codes as the file stores them
      matte-KIND.png        the mattes, 0 to 255
      gainmap.png           the gain map's codes
      confidence.png        the sensor's trust in each pixel: 0 least, ARKit's most is 2
      sigma.npy             float32 meters, the ± of each pixel where a filter computed it
      world-from-camera.txt where the camera stood: 4 × 4, meters, camera x right, y down, z forward
      calibration.json      camera, distortion, frames and conventions
      depth-colors.png      with --color-map: depth as an image; -.json and -.svg say what its
                            colors mean, with the ± of each depth

      All maps keep the frame of the stored depth map; calibration.json says how it is turned.
      """)

  @OptionGroup var options: CaptureOptions
  @OptionGroup var stated: DepthStatementOptions
  @OptionGroup var outputOptions: OutputOptions
  @OptionGroup(title: "Depth in colors") var image: DepthColorOptions

  @Option(
    name: .output,
    help: "The folder to write into; it is made if it does not exist.", completion: .directory)
  var output: String

  @OptionGroup var printing: QuietOptions<ExtractCommand>

  func run() throws {
    throw try CommandExit.running(options.capture) {
      let check = try options.analysis(
        color: .full, companions: true, statement: stated.statement)
      let extraction = try Extraction(check, depthStyle: image.style)
      guard !extraction.files.isEmpty else {
        throw CaptureReadingError(
          .missing, expected: "an image or a depth map to extract", found: "none")
      }
      var transaction = OutputTransaction(existing: outputOptions.existing)
      try transaction.createDirectory(at: output)
      _ = try transaction.stage(extraction.files, in: output, as: .depth)
      let written = try transaction.publish()
      if !printing.quiet {
        for path in written { StandardOutput.print(printable(text: path)) }
        for message in extraction.messages { StandardError.print("plumbline: \(message)") }
      }
      return .success
    }
  }
}

/// The options for a depth map as an image in colors.
struct DepthColorOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write the depth map as an image too: turbo, viridis, jet or gray, near to far.",
      valueName: "MAP"),
    transform: ColorMap.init(parsing:))
  var colorMap: ColorMap?

  @Option(
    help: ArgumentHelp(
      "The depths that the colors span: NEAR:FAR in meters, automatic or equalized.",
      discussion: """
        Automatic leaves out the nearest and the farthest 0.2 %; equalized uses each color for as \
        many pixels. Only NEAR:FAR gives several images the same colors.
        """,
      valueName: "RANGE"),
    transform: DepthSpanArgument.init(parsing:))
  var colorRange: DepthSpanArgument?

  @Option(
    help: ArgumentHelp(
      "The color of pixels that were not measured: transparent, black, white or RRGGBB.",
      valueName: "COLOR"),
    transform: MissingColorArgument.init(parsing:))
  var missing: MissingColorArgument?

  @Flag(help: "Turn the image in colors as the photo is shown; the maps stay as stored.")
  var upright = false

  func validate() throws {
    guard colorMap != nil || (colorRange == nil && missing == nil && !upright) else {
      throw ValidationError(
        "--color-range, --missing and --upright are about the image of --color-map.")
    }
  }

  /// The style that was requested; `nil` for no image.
  var style: DepthImage.Style? {
    colorMap.map {
      DepthImage.Style(
        $0, span: colorRange?.span ?? .automatic, missing: missing?.color, isUpright: upright)
    }
  }
}

/// `0.2:3`, `automatic` or `equalized`.
struct DepthSpanArgument {
  let span: DepthColors.Span

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    switch argument {
    case "automatic": span = .automatic
    case "equalized": span = .equalized
    default:
      guard let meters = try? ClosedRange(parsingDepths: argument),
        Float(meters.lowerBound) < Float(meters.upperBound)
      else {
        throw ValidationError(
          "write automatic, equalized, or the nearest and the farthest depth in meters, as in 0.2:3"
        )
      }
      span = .fixed(nearMeters: Float(meters.lowerBound), farMeters: Float(meters.upperBound))
    }
  }
}

/// `transparent`, `black`, `white` or `RRGGBB`.
struct MissingColorArgument {
  let color: RGB8?

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    switch argument {
    case "transparent": color = nil
    case "black": color = RGB8(red: 0, green: 0, blue: 0)
    case "white": color = RGB8(red: 255, green: 255, blue: 255)
    default:
      let isHexadecimal = argument.utf8.count == 6 && argument.allSatisfy(\.isHexDigit)
      guard isHexadecimal, let code = UInt32(argument, radix: 16) else {
        throw ValidationError("write transparent, black, white, or six digits as in FF00FF")
      }
      color = RGB8(
        red: UInt8(truncatingIfNeeded: code >> 16), green: UInt8(truncatingIfNeeded: code >> 8),
        blue: UInt8(truncatingIfNeeded: code))
    }
  }
}
