import ArgumentParser
import Plumbline

struct FaceCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "face",
    abstract: "Make a metric head from a photo of a face, refined by its depth.",
    discussion: """
      Landmarks are found by MediaPipe's networks, a statistical head is laid onto them with the photo's \
      own camera, and where there is metric depth its surface is moved onto it, each vertex with its ±.

        plumbline face portrait.heic -o head
        plumbline face portrait.heic --json
        plumbline face recording -o head           one head of all frames
        plumbline face photo.jpg --calibration calibration.json -o head

      For each face, into the folder -o:

        face-1.html          the head in the browser: turn it, move its face, measure on it
        face-1.glb, .usdz    the head in meters, closed, with texture and ARKit's shapes
        face-1.obj, .ply     the same as it looks in the photo; PLY has sigma and residual
        face-1-landmarks.png the landmarks that were seen, and the fitted ones
        face-1-residual.png  what is left between surface and depth
        frames.csv           of a recording: the head's place and what is left, frame by frame
        face.json            what was done and measured (schema plumbline.face/1)

      Everything stays on this machine and nothing is remembered: no one is recognized. \
      Models: plumbline models install openvino face ict-facekit.

      Exit code 0: a head for at least one face; 1: no usable face, which the findings explain. 66: a \
      model is not installed; the message names what installs it.
      """)

  @Argument(
    help: "The photo, or a recording of one head.",
    completion: .images)
  var capture: String

  @OptionGroup var image: ImageOptions

  @Option(
    help: ArgumentHelp(
      "Tells the distance of two vertices of the face, counted from 0: the first ones of face-1.ply, before those that close the head. May be repeated.",
      valueName: "A:B"), transform: VertexPairArgument.init(parsing:))
  var between: [VertexPairArgument] = []

  @Flag(
    help: """
      Keep the light of the photo in the texture; without it, what skin shows of it is divided out.
      """)
  var keepLight = false

  @Option(
    name: .output,
    help: "The folder to write into; without it nothing is written.", completion: .directory)
  var output: String?

  @OptionGroup var threads: ThreadOptions
  @OptionGroup var outputOptions: OutputOptions

  @OptionGroup var printing: PrintingOptions<FaceCommand>

  func run() throws {
    throw try CommandExit.running(capture) {
      let given = try image.givenCalibration
      let models = try FaceModels(of: ModelOptions.store(), threads: threads.count)
      for pair in between { try pair.check(models.fitter.model) }
      let writer = FaceWriter(
        fitter: PhotoFaceFitter(models, calibration: given, threads: threads.count),
        pairs: between.map(\.pair), keepsLight: keepLight, output: output,
        existing: outputOptions.existing, isJSON: printing.json, isQuiet: printing.quiet)
      let input = try CaptureInput(argument: capture)
      if case .file = input, image.frame != nil { throw FrameOptionError.notAFolder }
      if case .recording(let recording, let name) = input, image.frame == nil {
        return try writer.write(recording, name: name)
      }
      return try writer.write(input, frame: image.frame)
    }
  }
}

/// Two vertices as they are written on the command line: `1200:4310`.
struct VertexPairArgument {
  let pair: VertexPair

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    let words = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard words.count == 2, let first = UInt32(words[0]), let second = UInt32(words[1]) else {
      throw ValidationError("write two vertices as in 1200:4310, counted from 0 as in the PLY file")
    }
    pair = VertexPair(Int(first), Int(second))
  }

  /// Throws `VertexPairError` where the model lacks one of the vertices.
  func check(_ model: MorphableModel) throws {
    guard max(pair.first, pair.second) < model.vertexCount else {
      throw VertexPairError(
        expected: "vertices below \(model.vertexCount), which \(model.name) has",
        found: "\(pair.first):\(pair.second)")
    }
  }
}

/// A pair of `--between` with a vertex that the model does not have; a matter of usage.
struct VertexPairError: CategorizedError, CustomStringConvertible {
  let expected: String
  let found: String

  var category: FailureCategory { .usage }

  var description: String { "--between: expected \(expected), found \(found)" }
}
