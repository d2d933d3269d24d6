import ArgumentParser
import Plumbline

struct SmoothFilterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "smooth-filter",
    abstract: "Filter a recording frame by frame, mixed in by its smoothed depth.",
    discussion: """
      The filter of Apple's sample of streamed depth: rose where something is near, or depth itself as \
      gray. Writes MP4, GIF or WebP; needs the program ffmpeg.

        plumbline effect smooth-filter scan.mcap -o rose.mp4
        plumbline effect smooth-filter scan.r3d --look depth --mix 0.7 -o depth.mp4
      """)

  @OptionGroup var options: EffectOptions
  @OptionGroup var video: StreamVideoOptions

  @Option(
    help: ArgumentHelp("What is mixed in: rose or depth.", valueName: "LOOK"),
    transform: choice(_:))
  var look = SmoothFilter().look

  @Option(help: "The most that it is mixed in, 0 to 1.")
  var mix = SmoothFilter().mix

  @Option(help: "Where it starts: 0 is the farthest, 1 the nearest.")
  var nearness = SmoothFilter().nearness

  func run() throws {
    throw try CommandExit.running(options.photo) {
      var filter = SmoothFilter()
      filter.look = look
      filter.mix = mix
      filter.nearness = nearness
      return try video.run("smooth-filter", .smoothFilter(filter), options)
    }
  }
}

struct LiveBackgroundCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live-background",
    abstract: "Put another background behind what is near, in every frame of a recording.",
    discussion: """
      As Apple's sample of live video with TrueDepth does. Writes MP4, GIF or WebP; needs the program \
      ffmpeg.

        plumbline effect live-background scan.mcap --color 2d6cdf -o blue.mp4
        plumbline effect live-background scan.r3d --image beach.jpg --threshold 1.2m -o beach.mp4
      """)

  @OptionGroup var options: EffectOptions
  @OptionGroup var video: StreamVideoOptions

  @Option(
    help: ArgumentHelp("A color behind; black unless given.", valueName: "RRGGBB"),
    transform: ColorArgument.init(parsing:))
  var color: ColorArgument?

  @Option(
    help: ArgumentHelp("An image behind, cut to the frames' shape.", valueName: "FILE"),
    completion: .file())
  var image: String?

  @Option(
    help: ArgumentHelp(
      "Where the background starts: meters as in 1.2m, or 0 (far) to 1 (near); found unless given.",
      valueName: "DISTANCE"), transform: SceneDistanceArgument.init(parsing:))
  var threshold: SceneDistanceArgument?

  func validate() throws {
    guard color == nil || image == nil else {
      throw ValidationError("Give --color or --image, not both.")
    }
  }

  func run() throws {
    throw try CommandExit.running(options.photo) {
      var stream = BackgroundStream()
      if let threshold { stream.border = .distance(threshold.distance) }
      if let color {
        stream.background = Raster(size: RasterSize(width: 1, height: 1), repeating: color.color)
      } else if let image {
        let file = try InputFile(path: image)
        stream.background = try FileError.naming(image) {
          try StereoImageReader(threads: options.threads.count).image(from: file.bytes).color
        }
      }
      return try video.run("live-background", .background(stream), options)
    }
  }
}

/// The options for the part of a recording that becomes a video.
struct StreamVideoOptions: ParsableArguments {
  @Option(help: "How many frames at most, 1 to 600.")
  var frames = EffectVideo.maximumCount

  func validate() throws {
    guard (1...EffectVideo.maximumCount).contains(frames) else {
      throw ValidationError(
        "Frames must be from 1 to \(EffectVideo.maximumCount), not \(frames).")
    }
  }

  /// Runs an effect over a recording and writes the video.
  func run(
    _ name: String, _ effect: StreamEffect, _ options: EffectOptions
  ) throws -> ExitCode {
    let kind = try options.loopKind(name)
    let (recording, recordingName) = try CaptureInput.recording(path: options.photo)
    let video = try effect.video(
      of: recording, maximumSide: options.maximumSide ?? 640, maximumCount: frames,
      threads: options.threads.count)
    let bytes = try LoopEncoder().bytes(
      of: video.images, as: kind, framesPerSecond: video.framesPerSecond)
    if video.leftOutCount > 0 {
      StandardError.print(
        "plumbline: \(video.leftOutCount.counting("frame")) without color or depth left out")
    }
    return try options.finish(
      name, of: recordingName, notes: [], files: [(options.output, bytes)],
      size: video.images.first?.size)
  }
}
