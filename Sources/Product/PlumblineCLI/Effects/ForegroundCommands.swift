import ArgumentParser
import Plumbline

struct BackgroundCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "background", abstract: "Replace, blur or cut out the background.",
    discussion: """
      What is in front is told by the photo's portrait matte, by depth, or by both; colors of the edges \
      are freed from the old background.

        plumbline effect background portrait.heic -o cutout.png
        plumbline effect background portrait.heic --color 2d6cdf -o blue.jpg
        plumbline effect background portrait.heic --image beach.jpg -o beach-me.jpg
        plumbline effect background portrait.heic --blur 2 -o soft.jpg
      """)

  @OptionGroup var options: EffectOptions

  @Option(
    help: ArgumentHelp("A color behind.", valueName: "RRGGBB"),
    transform: ColorArgument.init(parsing:))
  var color: ColorArgument?

  @Option(
    help: ArgumentHelp("An image behind, cut to the photo's shape.", valueName: "FILE"),
    completion: .file())
  var image: String?

  @Option(
    help: ArgumentHelp(
      "The photo's own background, blurred by a σ in percent of its longer side, 0 to 20.",
      valueName: "PERCENT"))
  var blur: Double?

  @OptionGroup(title: "What is in front") var mask: ForegroundOptions

  @Flag(help: "Leave the colors of edges as they are.")
  var keepEdgeColors = false

  func validate() throws {
    guard [color != nil, image != nil, blur != nil].count(where: { $0 }) < 2 else {
      throw ValidationError("Give one of --color, --image and --blur; without one it is cut out.")
    }
  }

  func run() throws {
    throw try options.run(
      "background", keeping: blur == nil ? .ofForeground : .ofBlurredScene,
      saying: { blur == nil ? [] : $0.blurFindings }
    ) { photo, scene, threads in
      try BackgroundEffect(
        try background(turnedLike: scene, of: photo), foreground: mask.mask,
        decontaminatesEdges: !keepEdgeColors
      ).applied(to: scene, threads: threads)
    }
  }

  /// What comes behind; an image is turned as the photo's stored pixels lie.
  private func background(
    turnedLike scene: EffectScene, of photo: EffectPhoto
  ) throws -> BackgroundEffect.Background {
    if let color { return .color(photo.inOwnColors(color.color)) }
    if let blur { return .blurred(sigmaPercent: blur) }
    guard let image else { return .transparent }
    let file = try InputFile(path: image)
    let read = try StereoImageReader(threads: options.threads.count).image(from: file.bytes)
    return .image(
      photo.inOwnColors(read.color)
        .oriented(by: read.orientation.followed(by: scene.orientation.inverse)))
  }
}

/// The options for the foreground of a photo.
struct ForegroundOptions: ParsableArguments {
  @Option(
    name: .customLong("mask"),
    help: ArgumentHelp(
      "What tells the foreground: automatic, matte, depth or both.", valueName: "SOURCE"),
    transform: choice(_:))
  var source = ForegroundMask.Source.automatic

  @Option(
    help: ArgumentHelp(
      "Where the background starts: meters as in 1.2m, or 0 (far) to 1 (near); found unless given.",
      valueName: "DISTANCE"), transform: SceneDistanceArgument.init(parsing:))
  var threshold: SceneDistanceArgument?

  /// The mask of what is in front, as the options define it.
  var mask: ForegroundMask { ForegroundMask(source: source, threshold: threshold?.distance) }
}

struct MattesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mattes",
    abstract: "Write the mattes at the photo's size, edges along its colors.",
    discussion: """
      A photo without a portrait matte gets one by its depth. -o is a folder; each matte is a gray \
      PNG, white inside.

        plumbline effect mattes portrait.heic -o mattes
      """)

  @OptionGroup var options: EffectOptions
  @OptionGroup(title: "What is in front, where no matte says it") var mask: ForegroundOptions

  func validate() throws {
    guard options.format == nil else {
      throw ValidationError("Mattes are written as PNG; leave --format out.")
    }
  }

  func run() throws {
    throw try CommandExit.running(options.photo) {
      let opened = try options.open()
      let scene = try opened.scene(
        for: "mattes", maximumSide: options.maximumSide, threads: options.threads.count)
      let (mattes, notes) = try MattesEffect(foreground: mask.mask)
        .mattes(of: scene, threads: options.threads.count)
      let files = mattes.map { matte in
        (
          path: path("matte-\(matte.kind.rawValue).png", in: options.output),
          bytes: PNGEncoder().encoded(matte.coverage.oriented(by: scene.orientation))
        )
      }
      return try options.finish(
        "mattes", of: opened.fileName, notes: notes, files: files, in: options.output,
        size: scene.orientation.uprightSize(of: scene.color.size))
    }
  }
}
