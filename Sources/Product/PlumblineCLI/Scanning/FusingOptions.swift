import ArgumentParser
import Plumbline

/// Which frames and pixels are fused, how finely, and at which poses.
struct FusingOptions: ParsableArguments {
  @Flag(help: "What is scanned; by default the depths decide how finely.")
  var subject: ScanSubjectFlag?

  @Option(
    help: ArgumentHelp(
      "The side of a voxel; by default what noise and range of the depths ask for.",
      valueName: "METERS"))
  var voxel: Double?

  @Option(help: ArgumentHelp("Use every N-th frame; 1 by default.", valueName: "N"))
  var every: Int?

  @Option(
    name: .customLong("max-depth"),
    help: ArgumentHelp("Ignore pixels that are farther away.", valueName: "METERS"))
  var maximumDepth: Double?

  @Option(
    name: .customLong("depth-bend"),
    help: ArgumentHelp(
      "Take a bend out of the depths, as an earlier scan has found it: z becomes z/(1 + BEND*z).",
      valueName: "BEND"))
  var depthBend: Double?

  @Flag(
    name: .customLong("recorded-poses"),
    help: "Fuse at the recorded poses, without refining them.")
  var recordedPoses = false

  @Flag(
    name: .customLong("no-loops"),
    help: "Do not look for places that were seen again; the surface stays as it was tracked.")
  var noLoops = false

  @Flag(
    name: .customLong("ignore-poses"),
    help: "Register frames by their depths alone, as if no pose were recorded.")
  var ignoresPoses = false

  mutating func validate() throws {
    guard !(recordedPoses && ignoresPoses) else {
      throw ValidationError("--recorded-poses and --ignore-poses contradict each other.")
    }
    if let every, every < 1 { throw ValidationError("--every is 1 or more, not \(every).") }
    if let voxel, !(0.0005...1).contains(voxel) {
      throw ValidationError("--voxel is 0.0005 to 1 meters, not \(voxel).")
    }
    if let depthBend, !(-0.05...0.05).contains(depthBend) {
      throw ValidationError("--depth-bend is -0.05 to 0.05 per meter, not \(depthBend).")
    }
    if let maximumDepth, !(0.05...100).contains(maximumDepth) {
      throw ValidationError("--max-depth is 0.05 to 100 meters, not \(maximumDepth).")
    }
  }

  /// The same for the library.
  var settings: ScanSettings {
    var settings = ScanSettings()
    settings.subject = subject?.subject
    settings.voxelMeters = voxel
    settings.maximumDepthMeters = maximumDepth
    settings.depthBendPerMeter = depthBend ?? 0
    settings.step = every ?? 1
    settings.refinesPoses = !recordedPoses
    settings.ignoresRecordedPoses = ignoresPoses
    settings.closesLoops = !noLoops
    return settings
  }
}

/// What is scanned, as a flag.
enum ScanSubjectFlag: String, EnumerableFlag {
  case object
  case room
  case head

  /// The same for the library.
  var subject: ScanSettings.Subject {
    switch self {
    case .object: .object
    case .room: .room
    case .head: .head
    }
  }

  static func help(for value: ScanSubjectFlag) -> ArgumentHelp? {
    switch value {
    case .object: "An object seen from all sides: depths up to 1.5 m."
    case .room: "A room or anything larger: all depths, as without a flag."
    case .head: "A head: depths up to 0.8 m."
    }
  }
}
