import ArgumentParser
import Plumbline

struct WiggleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wiggle", abstract: "Make a loop of a camera that sways: GIF, WebP or MP4.",
    discussion: """
      Needs the program ffmpeg. What the photo hides is filled from the background beside it.

        plumbline effect wiggle portrait.heic -o wiggle.mp4
        plumbline effect wiggle portrait.heic --amount 3 --path swing -o wiggle.gif
      """)

  @OptionGroup var options: EffectOptions
  @OptionGroup var parallax: ParallaxOptions

  @Option(
    help: ArgumentHelp("The way of the camera: swing, circle or ellipse.", valueName: "PATH"),
    transform: choice(_:))
  var path = WiggleEffect.Path.ellipse

  @Option(help: "The number of images of a loop, 2 to 240.")
  var frames = 24

  @Option(help: "Images a second.")
  var fps = 24

  func validate() throws {
    guard (1...60).contains(fps) else {
      throw ValidationError("Images a second must be from 1 to 60, not \(fps).")
    }
  }

  func run() throws {
    throw try CommandExit.running(options.photo) {
      let kind = try options.loopKind("wiggle")
      let opened = try options.open()
      let scene = try opened.scene(for: "wiggle", threads: options.threads.count)
      let effect = WiggleEffect(
        amplitude: parallax.amplitude, focus: parallax.focus?.distance ?? .nearness(0.5),
        path: path, frameCount: frames, maximumSide: options.maximumSide ?? 960)
      let (images, notes) = try effect.frames(of: scene, threads: options.threads.count)
      let upright = images.map { $0.oriented(by: scene.orientation) }
      let bytes = try LoopEncoder().bytes(
        of: upright, as: kind, framesPerSecond: fps, colors: opened.metadata.colors)
      return try options.finish(
        "wiggle", of: opened.fileName, notes: notes,
        findings: opened.losses(in: kind.rawValue.uppercased())
          + opened.colorFindings(in: kind), files: [(options.output, bytes)],
        size: upright.first?.size)
    }
  }
}

struct StereoViewsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stereo", abstract: "Make two views: a pair, an anaglyph, or a spatial photo.",
    discussion: """
        plumbline effect stereo portrait.heic --as pair -o pair.jpg          side by side
        plumbline effect stereo portrait.heic --as anaglyph -o anaglyph.jpg  for red-cyan glasses
        plumbline effect stereo portrait.heic --as spatial --baseline 0.064 -o spatial.heic

      A spatial photo needs depth in meters and the photo's camera.
      """)

  enum Result: String, ExpressibleByArgument, CaseIterable {
    case pair, anaglyph, spatial
  }

  @OptionGroup var options: EffectOptions
  @OptionGroup var parallax: ParallaxOptions

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("What is made: pair, anaglyph or spatial.", valueName: "RESULT"))
  var result = Result.pair

  func run() throws {
    throw try CommandExit.running(options.photo) {
      let kind = try outputKind()
      let opened = try options.open()
      let scene = try opened.scene(for: "stereo", threads: options.threads.count)
      var effect = StereoEffect(
        amplitude: parallax.amplitude, focus: parallax.focus?.distance ?? .nearness(0.5),
        maximumSide: options.maximumSide ?? 16384)
      // Both eyes of a headset look straight ahead.
      if result == .spatial { effect.focus = nil }
      let views = try effect.pair(of: scene, threads: options.threads.count)
      let writing = PhotoWritingOptions(
        colorQuality: options.quality, threads: options.threads.count)
      let image: Raster<RGB8>
      switch result {
      case .spatial:
        let bytes = try opened.spatialPhoto(views, scene, options: writing)
        return try options.finish(
          "stereo", of: opened.fileName, notes: views.notes,
          findings: opened.losses(in: "a spatial photo"), files: [(options.output, bytes)],
          size: views.left.size)
      case .pair: image = views.sideBySide(orientation: scene.orientation)
      case .anaglyph:
        image = views.anaglyph(threads: options.threads.count)
          .oriented(by: scene.orientation)
      }
      var upright = opened
      upright.metadata.orientation = .up
      let (bytes, findings) = try upright.file(
        EffectImage(color: image), as: kind, keeping: .none, options: writing)
      return try options.finish(
        "stereo", of: opened.fileName, notes: views.notes, findings: findings,
        files: [(options.output, bytes)],
        size: image.size)
    }
  }
}

extension StereoViewsCommand {
  /// The kind of the image: HEIC for a spatial photo, which needs no ending.
  fileprivate func outputKind() throws(UsageError) -> EffectImageKind {
    guard result == .spatial else { return try options.imageKind("stereo") }
    let named = EffectImageKind(ending: options.output) ?? .heic
    guard named == .heic, options.format ?? .heic == .heic else {
      throw UsageError(
        "--as spatial writes heic, which “\(printable(text: options.output))” or --format contradicts",
        verb: "effect stereo")
    }
    return .heic
  }
}

/// The options for the distance between virtual cameras.
struct ParallaxOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "By how much near and far move against each other, in percent of the width, 0 to 20.",
      valueName: "PERCENT"))
  var amount: Double?

  @Option(
    help: ArgumentHelp(
      "Instead: how far the camera moves, of photos with depth in meters and a camera.",
      valueName: "METERS"))
  var baseline: Double?

  @Option(
    help: ArgumentHelp(
      "The distance that stays in place: meters as in 0.6m, or 0 (far) to 1 (near).",
      valueName: "DISTANCE"), transform: SceneDistanceArgument.init(parsing:))
  var focus: SceneDistanceArgument?

  func validate() throws {
    guard amount == nil || baseline == nil else {
      throw ValidationError("Give --amount or --baseline, not both.")
    }
  }

  /// The distance between the virtual cameras, 2 % of the width unless given.
  var amplitude: ParallaxAmplitude {
    baseline.map { .baseline(meters: $0) } ?? .percentOfWidth(amount ?? 2)
  }
}

extension LoopEncoder.Format {
  /// The format that a file's ending names; `nil` for any other.
  init?(ending path: String) {
    self.init(rawValue: pathEnding(path))
  }
}
