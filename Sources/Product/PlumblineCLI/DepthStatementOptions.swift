import ArgumentParser
import Plumbline

/// What the user says of depth maps whose files say nothing: `--depth-unit` and `--metric`.
struct DepthStatementOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The unit of a loose depth map: mm, 0.1mm, m, or a number in meters such as 0.00025.",
      discussion: """
        For maps whose files do not name it, as those of RealSense, Azure Kinect, Orbbec and \
        Structure. Without it whole numbers are millimeters and others are meters.
        """,
      valueName: "UNIT"),
    transform: Self.unit)
  var depthUnit: DepthUnit?

  @Flag(
    help: "Say that the depths are true meters, where the file leaves open whether they are.")
  var metric = false

  private static func unit(_ text: String) throws -> DepthUnit {
    guard let unit = DepthUnit(parsing: text) else {
      throw ValidationError(
        "write mm, 0.1mm, m, or the meters that the number 1 stands for, as in 0.00025")
    }
    return unit
  }

  /// The statement; `nil` where nothing was said.
  var statement: DepthStatement? {
    depthUnit == nil && !metric ? nil : DepthStatement(unit: depthUnit, isAbsolute: metric)
  }
}
