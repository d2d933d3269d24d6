import ArgumentParser
import Plumbline

struct FogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fog", abstract: "Put fog between the camera and what it sees.",
    discussion: """
        plumbline effect fog portrait.heic --density 0.8 -o fog.jpg
        plumbline effect fog street.heic --density 0.4 --height 0.5 -o ground-fog.jpg
      """)

  @OptionGroup var options: EffectOptions

  @Option(
    help: ArgumentHelp(
      "The extinction: per meter, or from the nearest to the farthest of a relative photo.",
      valueName: "NUMBER"))
  var density: Double = 1

  @Option(
    help: ArgumentHelp("The color of fog.", valueName: "RRGGBB"),
    transform: ColorArgument.init(parsing:))
  var color: ColorArgument?

  @Option(
    help: ArgumentHelp(
      "The height in which fog thins to 1/e, of photos with depth in meters.", valueName: "METERS"))
  var height: Double?

  func run() throws {
    throw try options.run("fog", keeping: .ofScene) { photo, scene, threads in
      var effect = FogEffect(density: density, heightMeters: height)
      if let color { effect.color = photo.inOwnColors(color.color) }
      return try effect.applied(to: scene, threads: threads)
    }
  }
}

struct RelightCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "relight", abstract: "Shine another light on the surfaces.",
    discussion: """
      The direction is toward the light, as the photo is shown: right, down, and away from the camera.

        plumbline effect relight portrait.heic --from -1,-0.5,-0.6 --strength 1.5 -o lit.jpg
      """)

  @OptionGroup var options: EffectOptions

  @Option(
    help: ArgumentHelp(
      "Where light comes from: right, down, away; of any length.", valueName: "X,Y,Z"),
    transform: DirectionArgument.init(parsing:))
  var from: DirectionArgument?

  @Option(help: "How strong it is, 0 to 20; 1 is the photo's own light.")
  var strength: Double = 1

  @Option(help: "The share of the photo's own light that stays, 0 to 2.")
  var ambient: Double = 0.35

  @Option(help: "What slopes are multiplied with, 0 to 10.")
  var relief: Double = 1

  @Option(
    help: ArgumentHelp("The light's color.", valueName: "RRGGBB"),
    transform: ColorArgument.init(parsing:))
  var color: ColorArgument?

  func run() throws {
    throw try options.run("relight", keeping: .ofScene) { photo, scene, threads in
      let shown = from?.vector ?? [-0.6, -0.6, -0.6]
      let axes = scene.orientation.inverse.uprightFromStoredAxes
      let stored = axes.x * shown.x + axes.y * shown.y
      var effect = RelightEffect(
        .direction([stored.x, stored.y, shown.z]), strength: strength, ambient: ambient,
        relief: relief)
      if let color { effect.color = photo.inOwnColors(color.color) }
      return try effect.applied(to: scene, threads: threads)
    }
  }
}

struct IsolateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "isolate", abstract: "Keep color within a range of distances, gray elsewhere.",
    discussion: """
      Distances are meters with their unit, or from 0 (the farthest) to 1 (the nearest of the photo).

        plumbline effect isolate portrait.heic --to 0.7m -o subject.jpg
        plumbline effect isolate dog.heic --from 0.8 --to 0.4 -o middle.jpg
      """)

  @OptionGroup var options: EffectOptions

  @Option(
    help: ArgumentHelp("The near end; the nearest of all unless given.", valueName: "DISTANCE"),
    transform: SceneDistanceArgument.init(parsing:))
  var from: SceneDistanceArgument?

  @Option(
    help: ArgumentHelp("The far end; the farthest of all unless given.", valueName: "DISTANCE"),
    transform: SceneDistanceArgument.init(parsing:))
  var to: SceneDistanceArgument?

  func validate() throws {
    guard from != nil || to != nil else {
      throw ValidationError("Say what keeps its color with --from, --to or both.")
    }
  }

  func run() throws {
    throw try options.run("isolate", keeping: .ofScene) { _, scene, threads in
      try IsolateEffect(nearest: from?.distance, farthest: to?.distance)
        .applied(to: scene, threads: threads)
    }
  }
}

/// A direction as it is written on the command line: `X,Y,Z`.
struct DirectionArgument {
  let vector: SIMD3<Double>

  init(parsing argument: String) throws {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
      .map { Double($0) ?? .nan }
    guard parts.count == 3, parts.allSatisfy(\.isFinite) else {
      throw ValidationError("write a direction as X,Y,Z, as in -1,-0.5,-0.6")
    }
    vector = [parts[0], parts[1], parts[2]]
  }
}
