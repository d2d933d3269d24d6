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
    transform: DisparityArgument.init(parsing:))
  var disparityRange: DisparityArgument?

  @Option(
    help: ArgumentHelp("The depths to look for, in meters.", valueName: "NEAR:FAR"),
    transform: RangeArgument.init(parsing:))
  var depthRange: RangeArgument?

  @Option(
    help: ArgumentHelp("From how many directions costs are summed: 4, 5 or 8.", valueName: "N"))
  var paths = 8

  @Option(
    help: ArgumentHelp(
      "Reduce rectified images to this many megapixels; 3 unless told, 0 for as they are.",
      valueName: "MP"))
  var megapixels = 3.0

  @OptionGroup var printing: PrintingOptions<StereoCommand>

  @OptionGroup var threads: ThreadOptions

  func validate() throws {
    guard [4, 5, 8].contains(paths) else {
      throw ValidationError("--paths takes 4, 5 or 8, not \(paths).")
    }
    guard megapixels >= 0, megapixels <= 128 else {
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
      var written: [String] = []
      if let output {
        var transaction = OutputTransaction(existing: outputOptions.existing)
        try transaction.createDirectory(at: output)
        _ = try transaction.stage(result.files(), in: output, as: .depth)
        try transaction.stage(result.recording(), at: path("capture.mcap", in: output))
        written = try transaction.publish()
      }
      printing.print(result.document(outputs: written)) {
        StandardOutput.print(StereoText(result: result).text)
        for path in written { StandardOutput.print(printable(text: path)) }
      }
      return .success
    }
  }

  private func result() throws -> StereoResult {
    let reader = StereoImageReader(threads: threads.count)
    let name = lastPathPart(left)
    let first = try InputFile(path: left)
    let pair: (left: StereoImage, right: StereoImage)
    if let right {
      let second = try InputFile(path: right)
      pair = (
        try Self.naming(left) { try reader.image(from: first.bytes) },
        try Self.naming(right) { try reader.image(from: second.bytes) }
      )
    } else if geometry.isSideBySide {
      pair = try reader.image(from: first.bytes).sideBySide()
    } else {
      pair = try reader.pair(from: first.bytes)
    }
    var reconstructor = StereoReconstructor()
    try geometry.apply(to: &reconstructor, imageSize: pair.left.color.size)
    reconstructor.disparities = disparityRange?.pixels
    reconstructor.rangeMeters = depthRange?.meters
    reconstructor.paths = paths == 4 ? .four : paths == 5 ? .five : .eight
    reconstructor.maximumPixels = megapixels == 0 ? .max : max(1, Int(megapixels * 1e6))
    reconstructor.threads = threads.count
    return try reconstructor.reconstruct(
      left: pair.left, right: pair.right,
      fileName: right.map { "\(name) + \(lastPathPart($0))" } ?? name,
      sha256: right == nil ? SHA256Digest.hexadecimal(of: first.bytes) : nil)
  }

  /// Reads one of two files; a failure says which.
  private static func naming(
    _ path: String, _ read: () throws -> StereoImage
  ) throws -> StereoImage {
    do {
      return try read()
    } catch let error as CaptureReadingError {
      throw error.inside(printable(text: lastPathPart(path)))
    }
  }
}

/// `0:64`: whole pixel disparities from the first to below the second.
struct DisparityArgument {
  let pixels: Range<Int>

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    let sides = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard sides.count == 2, let low = Int(sides[0]), let high = Int(sides[1]), low < high,
      (-65_535...65_535).contains(low), (-65_535...65_535).contains(high)
    else {
      throw ValidationError("write the least and the maximum disparity in pixels, as in 0:64")
    }
    pixels = low..<high + 1
  }
}
