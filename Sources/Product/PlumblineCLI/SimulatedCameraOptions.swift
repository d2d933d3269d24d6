import ArgumentParser
import Plumbline

/// The options of a simulated live camera: scene, rate and faults.
struct SimulatedCameraOptions: ParsableArguments {
  @Option(help: "Color frames per second, 1 to 240; unless given 60, and 30 for serve.")
  var fps: Double?

  @Option(help: "Depth frames per second: --fps over a whole number; all of them unless given.")
  var depthFps: Double?

  @Option(help: "The size of color, 4:3; 640x480 unless given.")
  var size: SizeArgument?

  @Option(help: "What is seen: one of the scenes of “simulate --list”; room unless given.")
  var scene: SimulationScene?

  @Option(help: "The camera, one of “simulate --list”; ipad4 unless given.")
  var camera: String?

  @Option(
    name: .customLong("drops"),
    help: ArgumentHelp(
      "The share of depth frames lost for a reason: lateData, outOfBuffers or discontinuity.",
      valueName: "REASON=SHARE"),
    transform: DropArgument.init(parsing:))
  var drops: [DropArgument] = []

  @Option(
    name: .customLong("thermal"),
    help: ArgumentHelp(
      "Warmth from a moment on: nominal, fair, serious, critical or shutdown.",
      valueName: "SECONDS=STATE"),
    transform: ThermalArgument.init(parsing:))
  var thermal: [ThermalArgument] = []

  @Option(help: "How much time stamps scatter, one sigma in milliseconds, 0 to 100.")
  var jitter: Double?

  @Option(
    name: .customLong("fault"),
    help: ArgumentHelp("A fault of “simulate --list”.", valueName: "NAME[=VALUE]"),
    transform: FaultArgument.init(parsing:))
  var faults: [FaultArgument] = []

  @Option(help: "The seed of everything; 1 unless given.")
  var seed: UInt64?

  /// Whether any of them was given.
  var isGiven: Bool {
    fps != nil || depthFps != nil || size != nil || scene != nil || camera != nil || seed != nil
      || jitter != nil || !drops.isEmpty || !thermal.isEmpty || !faults.isEmpty
  }

  /// Throws a validation error where the options make no camera; commands call it where they use one.
  func check() throws { _ = try settings() }

  /// The settings of the camera, with so many frames per second by default.
  func settings(framesPerSecond: Double = 60) throws -> LiveCameraSettings {
    var settings = LiveCameraSettings()
    let name = camera ?? settings.camera.name
    guard let preset = CameraPreset.named(name) else {
      let names = CameraPreset.all.map(\.name).joined(separator: ", ")
      throw ValidationError("There is no camera “\(name)”; there are \(names).")
    }
    settings.camera = preset
    settings.scene = scene ?? .room
    if let size { settings.size = size.size }
    guard 3 * settings.size.width == 4 * settings.size.height,
      (40...1920).contains(settings.size.width)
    else { throw ValidationError("The size must be 4:3 and 40 to 1920 pixels wide.") }
    settings.videoFramesPerSecond = fps ?? framesPerSecond
    guard (1...240).contains(settings.videoFramesPerSecond) else {
      throw ValidationError("The rate must be between 1 and 240 frames per second.")
    }
    settings.depthFramesPerSecond = depthFps ?? settings.videoFramesPerSecond
    let ratio = settings.videoFramesPerSecond / settings.depthFramesPerSecond
    guard ratio >= 1, ratio.isFinite, abs(ratio - ratio.rounded()) < 1e-6 else {
      throw ValidationError("Depth comes with every frame, every second one and so on.")
    }
    for drop in drops { settings.dropShares[drop.reason, default: 0] += drop.share }
    guard settings.dropShares.values.reduce(0, +) <= 1 else {
      throw ValidationError("No more than all frames can be dropped.")
    }
    settings.thermalScript = thermal.map {
      LiveCameraSettings.ThermalMoment(seconds: $0.seconds, reading: ThermalReading($0.state))
    }.sorted { $0.seconds < $1.seconds }
    let milliseconds = jitter ?? 0
    guard (0...100).contains(milliseconds) else {
      throw ValidationError("The jitter must be between 0 and 100 ms.")
    }
    settings.jitterSeconds = milliseconds / 1000
    settings.faults = faults.map { LiveCameraSettings.DepthFault($0.fault, $0.value) }
    settings.seed = seed ?? 1
    return settings
  }
}

/// A size as `640x480`.
struct SizeArgument: ExpressibleByArgument {
  let size: RasterSize

  init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (1...65_535).contains(width), (1...65_535).contains(height)
    else { return nil }
    size = RasterSize(width: width, height: height)
  }
}

/// A loss as `lateData=0.02`.
struct DropArgument {
  let reason: DroppedFrame.Reason
  let share: Double

  init(parsing argument: String) throws {
    let sides = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let reasons: [DroppedFrame.Reason] = [.lateData, .outOfBuffers, .discontinuity]
    guard sides.count == 2, let share = Double(sides[1]), (0...1).contains(share),
      let reason = reasons.first(where: { $0.rawValue == sides[0] })
    else {
      throw ValidationError(
        "takes lateData, outOfBuffers or discontinuity, and a share from 0 to 1")
    }
    self.reason = reason
    self.share = share
  }
}

/// A moment of warmth as `3=serious`.
struct ThermalArgument {
  let seconds: Double
  let state: ThermalState

  init(parsing argument: String) throws {
    let sides = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, let seconds = Double(sides[0]), (0...1e6).contains(seconds),
      let state = ThermalState(rawValue: String(sides[1]))
    else {
      let states = ThermalState.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("takes seconds and one of \(states)")
    }
    self.seconds = seconds
    self.state = state
  }
}
