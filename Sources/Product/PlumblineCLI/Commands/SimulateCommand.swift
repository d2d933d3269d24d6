public import ArgumentParser
import Plumbline

struct SimulateCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Render captures of which everything is known, as a phone would record them.",
    discussion: """
      Scenes with exact depth are seen by cameras that bend, claim and fail as real ones do, and \
      written as the files that real apps write. What is true lies beside them in truth/truth.json \
      and truth/depth_T.npy. Every file says that it is synthetic.

        plumbline simulate board -o try --camera ipad5 --frames 50
        plumbline simulate bust -o head --layout photo --fault gdc=1.06
        plumbline simulate still-life -o pair --dual dual
        plumbline simulate room-loop -o scan --camera lidar --layout mcap --frames 180
        plumbline simulate --list

      Equal arguments give equal bytes, whatever the number of threads.
      """)

  @Argument(help: "What is seen: one of the scenes of --list.")
  var scene: SimulationScene?

  @Option(
    name: .output,
    help: "The folder to write; it is made if it does not exist.", completion: .directory)
  var output: String?

  @Option(help: "How the frames are written.")
  var layout: SimulationLayout = .avFoundation

  @Option(help: "The camera, one of --list.")
  var camera: String = CameraPreset.iPad4.name

  @Option(
    help: ArgumentHelp(
      "Two photos taken at once by both cameras of a phone, in place of a recording: dual or dualwide.",
      valueName: "NAME"))
  var dual: String?

  @Option(
    help: ArgumentHelp(
      "The width of color images, 64 to 4032; of --dual 2016 unless given.", valueName: "PX"))
  var width: Int?

  @Option(help: "The number of frames, 1 to 1000.")
  var frames: Int = 10

  @Option(
    name: .customLong("fault"),
    help: ArgumentHelp("A fault of --list; may be given several times.", valueName: "NAME[=VALUE]"),
    transform: FaultArgument.init(parsing:))
  var faults: [FaultArgument] = []

  @Option(
    help: ArgumentHelp(
      "The board of the scene “board”, such as charuco:10x8:20.875mm:DICT_4X4_50:legacy or "
        + "chessboard:9x7:25mm; that of the ZEISS dataset unless given.", valueName: "NOTATION"),
    transform: Self.board(parsing:))
  var board: Board = .zeiss

  @Option(help: "How the camera is held over the board: handheld, flat or alike.")
  var views: BoardViewPlan = .handheld

  @Option(help: "The seed of poses and noise.")
  var seed: UInt64 = 1

  @Option(help: "Gray noise of the color image, one standard deviation in 8-bit codes, 0 to 50.")
  var noise: Double = ImageFormation().noiseSigmaCodes

  @Option(help: "Blur of the color image, one standard deviation in pixels, 0 to 20.")
  var blur: Double = ImageFormation().blurSigmaPixels

  @OptionGroup var threads: ThreadOptions

  @OptionGroup var outputOptions: OutputOptions

  @OptionGroup var printing: PrintingOptions<SimulateCommand>

  @Flag(help: "Print scenes, cameras, layouts and faults.")
  var list = false

  func validate() throws {
    if list { return }
    guard scene != nil else { throw ValidationError("Name a scene; --list prints them.") }
    guard output != nil else { throw ValidationError("Name a folder with -o.") }
    guard CameraPreset.named(camera) != nil else {
      let names = CameraPreset.all.map(\.name).joined(separator: ", ")
      throw ValidationError("There is no camera “\(camera)”; there are \(names).")
    }
    if let dual { try validatePair(named: dual) }
    if let width {
      guard (64...4032).contains(width), width % 4 == 0 else {
        throw ValidationError("The width must be a multiple of 4 from 64 to 4032, not \(width).")
      }
    }
    guard layout.statesPoses || !faults.contains(where: \.fault.isOfPoses) else {
      throw ValidationError("Only --layout mcap states poses, which the faults pose-… change.")
    }
    guard (1...1000).contains(frames) else {
      throw ValidationError("The number of frames must be between 1 and 1000, not \(frames).")
    }
    guard (0...50).contains(noise) else {
      throw ValidationError("The noise must be between 0 and 50 codes.")
    }
    guard (0...20).contains(blur) else {
      throw ValidationError("The blur must be between 0 and 20 pixels.")
    }
  }

  func run() throws {
    guard !list, let scene, let output, let preset = CameraPreset.named(camera) else {
      StandardOutput.print(SimulationList.text)
      return
    }
    if let dual = dual.flatMap(DualCameraPreset.named) {
      throw try CommandExit.running(output) {
        try writePair(dual, of: scene, by: preset, to: output)
      }
    }
    throw try CommandExit.running(output) {
      var recording = scene.recording(
        by: width.map { preset.withColor(width: $0) } ?? preset, frames: frames, board: board,
        views: views, seed: seed)
      recording.formation.noiseSigmaCodes = noise
      recording.formation.blurSigmaPixels = blur
      for argument in faults { argument.fault.apply(argument.value, to: &recording) }
      let simulation = SimulationOutput(
        SimulationWriter(recording, as: layout), threads: threads.count)
      var transaction = OutputTransaction(
        existing: outputOptions.existing, durability: .buffered)
      let progress = SimulationProgress(total: frames, isQuiet: printing.quiet || printing.json)
      let count = try simulation.stage(in: output, &transaction) { progress.show($0) }
      progress.end()
      _ = try transaction.publish()
      printing.print(document(recording, files: count, in: output)) {
        StandardOutput.print(
          "\(frames.counting("frame")) of “\(scene.rawValue)” by \(preset.name) in \(printable(text: output)), "
            + "\(count) files\n  truth in \(printable(text: path("truth/truth.json", in: output)))")
      }
      return .success
    }
  }

  private static func board(parsing text: String) throws -> Board {
    do {
      let board = try BoardNotation(parsing: text).board
      guard (0.001...1).contains(board.squareMeters), board.columns <= 50, board.rows <= 50 else {
        throw ValidationError("the simulator draws up to 50 × 50 squares of 1 mm to 1 m")
      }
      return board
    } catch let error as BoardNotationError {
      throw ValidationError(error.description)
    }
  }

  private func document(
    _ recording: SimulatedRecording, files: Int, in folder: String
  ) -> JSONValue {
    [
      "schema": "plumbline.simulate/1", "synthetic": true,
      "scene": .string(recording.sceneName), "camera": .string(recording.camera.name),
      "layout": .string(layout.rawValue), "frames": .integer(recording.frameCount),
      "seed": .string(seed.description),
      "faults": .array(recording.faultNames.map { .string($0) }), "files": .integer(files),
      "output": .string(folder), "truth": .string(path("truth/truth.json", in: folder)),
    ]
  }
}

extension SimulationScene: ExpressibleByArgument {}
extension SimulationLayout: ExpressibleByArgument {}
extension BoardViewPlan: ExpressibleByArgument {}

/// A fault as it is written on the command line: `NAME` or `NAME=VALUE`.
struct FaultArgument {
  let fault: SimulationFault
  let value: Double

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    let sides = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let fault = SimulationFault(rawValue: String(sides[0])) else {
      throw ValidationError("there is no such fault; --list prints them")
    }
    guard let value = sides.count == 2 ? Double(sides[1]) : fault.standardValue,
      fault.range.contains(value)
    else {
      throw ValidationError(
        "\(fault.rawValue) takes a number from \(fault.range.lowerBound) to "
          + "\(fault.range.upperBound)")
    }
    self.fault = fault
    self.value = value
  }
}

/// The text that `simulate --list` prints.
enum SimulationList {
  /// Scenes, cameras, layouts and faults, a line each.
  static var text: String {
    let sections: [(String, [(String, String)])] = [
      ("scenes", SimulationScene.allCases.map { ($0.rawValue, $0.summary) }),
      ("cameras (--camera)", CameraPreset.all.map { ($0.name, $0.summary) }),
      ("pairs (--dual)", DualCameraPreset.all.map { ($0.name, $0.summary) }),
      ("layouts (--layout)", SimulationLayout.allCases.map { ($0.rawValue, $0.summary) }),
      (
        "faults (--fault NAME[=V])",
        SimulationFault.allCases.map { fault in
          let takesNumber = fault.range.lowerBound < fault.range.upperBound
          return (
            fault.rawValue,
            fault.summary + (takesNumber ? "; V is \(fault.standardValue) unless given" : "")
          )
        }
      ),
    ]
    return sections.map { title, rows in
      ([title]
        + rows.flatMap { name, summary in
          // Words that do not fit 80 columns go on below the first.
          CalibrationText.wrapped(summary, width: 62).enumerated().map { index, row in
            "  " + (index == 0 ? name : "").padded(16) + row
          }
        }).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}
