import ArgumentParser
import Plumbline

struct StereoCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "stereo",
    abstract: "Compute depth from two images, or from one file that holds both.",
    discussion: """
      Takes two photos of one scene, a spatial photo, a JPEG with two views (MPO), or with \
      --side-by-side one image of both halves. The cameras' geometry is that of --calibration, \
      else what the files say, else it is estimated from points that both images show: then \
      depths are relative, unless --baseline says how far apart the cameras stood.

        depth.npy, .tiff, .png    depths on the left camera's pixels, meters; relative.npy without
                                  a unit
        sigma.npy                 one standard deviation of each depth
        disparity.npy             float32, pixels of the rectified left image, NaN = unknown
        left.png, right.png       the rectified pair
        depth-colors.png          an image of the depths, with its scale
        calibration.json          the camera of the depth map
        capture.mcap              all of it for check, cloud, view, filter, convert, …
        stereo.json               what was done and found (schema plumbline.stereo/1)

      Swapped, identical, unrelated or unequal images are refused with exit code 65.
      """)

  @Argument(
    help: "The left image, or one file that holds both.",
    completion: .images)
  var left: String

  @Argument(
    help: "The right image.",
    completion: .images)
  var right: String?

  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: .output,
    help: "The folder to write into; it is made if it does not exist.", completion: .directory)
  var output: String?

  @OptionGroup var geometry: StereoGeometryOptions

  @Option(
    help: ArgumentHelp(
      "The pixel disparities to try, of the rectified images; found from the images unless "
        + "told.", valueName: "LEAST:MOST"),
    transform: Range.init(parsingDisparities:))
  var disparityRange: Range<Int>?

  @Option(
    help: ArgumentHelp("The depths to look for, in meters.", valueName: "NEAR:FAR"),
    transform: ClosedRange.init(parsingDepths:))
  var depthRange: ClosedRange<Double>?

  @Option(
    help: ArgumentHelp("From how many directions costs are summed: 4, 5 or 8.", valueName: "N"))
  var paths = 8

  @Option(
    help: ArgumentHelp(
      "Reduce rectified images to this many megapixels; 3 unless told, 0 for as they are.",
      valueName: "MP"))
  var megapixels = StereoReconstructor.usualMegapixels

  @OptionGroup var printing: PrintingOptions<StereoCommand>

  @OptionGroup var threads: ThreadOptions

  func validate() throws {
    var reconstructor = StereoReconstructor()
    guard reconstructor.sumCosts(ofDirections: paths) else {
      throw ValidationError("--paths takes 4, 5 or 8, not \(paths).")
    }
    guard StereoReconstructor.megapixels.contains(megapixels) else {
      throw ValidationError("--megapixels takes a number from 0 to 128, not \(megapixels).")
    }
    guard disparityRange == nil || depthRange == nil else {
      throw ValidationError("--disparity-range and --depth-range say the same; give one of them.")
    }
    guard !geometry.isSideBySide || right == nil else {
      throw ValidationError("--side-by-side is for one image that holds both; give one file.")
    }
  }

  func run() throws {
    throw try CommandExit.running(right.map { "\(left), \($0)" } ?? left) {
      let result = try result()
      let written = try output.map { try result.published(in: $0, outputOptions.existing) } ?? []
      printing.print(result.document(outputs: written)) {
        StandardOutput.print(StereoText(result: result).text)
        for path in written { StandardOutput.print(printable(text: path)) }
      }
      return .success
    }
  }

  private func result() throws -> StereoResult {
    let input = try StereoInput.read(
      left: left, right: right, isSideBySide: geometry.isSideBySide, threads: threads.count)
    var reconstructor = StereoReconstructor()
    try geometry.apply(to: &reconstructor, imageSize: input.left.color.size)
    reconstructor.disparities = disparityRange
    reconstructor.rangeMeters = depthRange
    _ = reconstructor.sumCosts(ofDirections: paths)
    reconstructor.reduce(toMegapixels: megapixels)
    reconstructor.threads = threads.count
    return try reconstructor.reconstruct(
      left: input.left, right: input.right, fileName: input.fileName, sha256: input.sha256)
  }
}
