import ArgumentParser
import Plumbline

struct ExtractCommand: ParsableCommand {
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
      depth-colors.png      with --colors: depth as an image; -.json and -.svg say what its
                            colors mean, with the ± of each depth

      All maps keep the frame of the stored depth map; calibration.json says how it is turned.
      """)

  @OptionGroup var options: CaptureOptions
  @OptionGroup var outputOptions: OutputOptions
  @OptionGroup(title: "Depth in colors") var image: DepthColorOptions

  @Option(
    name: [.customShort("o"), .long],
    help: "The folder to write into; it is made if it does not exist.", completion: .directory)
  var output: String

  @Flag(help: "Print nothing but errors.")
  var quiet = false

  func run() throws {
    throw try CommandExit.running(options.capture) {
      let check = try options.check(color: .full, companions: true)
      let extraction = try Extraction(check, depthStyle: image.style)
      guard !extraction.files.isEmpty else {
        throw CaptureReadingError(
          .missing, expected: "an image or a depth map to extract", found: "none")
      }
      var transaction = OutputTransaction(existing: outputOptions.existing)
      try transaction.createDirectory(at: output)
      _ = try transaction.stage(extraction.files, in: output, as: .depth)
      let written = try transaction.publish()
      if !quiet {
        for path in written { StandardOutput.print(printable(text: path)) }
        for message in extraction.messages { StandardError.print("plumbline: \(message)") }
      }
      return .success
    }
  }
}
