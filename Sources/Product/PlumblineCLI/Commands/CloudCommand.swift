import ArgumentParser
import Plumbline

struct CloudCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "cloud",
    abstract: "Write the measured pixels as a colored point cloud: PLY, PCD, XYZ, GLB or E57.",
    discussion: """
      Each point has its position, its color and, in meters, its own ± (sigma, one standard \
      deviation along the optical axis). Frame: the camera of the depth map as stored, x right, y down, z \
      forward; GLB: x right, y up, z toward the viewer. Unit: meters; a relative map has no unit, \
      which the file and a message say. Lens distortion is undone by moving points; the map is \
      never resampled.

      --all joins the frames of a recording by their poses, in the axes of the recording's world. \
      Points are means over voxels, weighted by 1/sigma² and confidence, without flying pixels; \
      their ± is along the rays and does not hold the error of the poses, of which check reports.

        plumbline cloud scan.r3d --all --voxel 0.01 -o scan.ply
        plumbline cloud scan.r3d --all --every 10 -o scan.glb
      """)

  @OptionGroup var options: CaptureOptions
  @OptionGroup var stated: DepthStatementOptions
  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: .output,
    help:
      """
      The file to write; its ending names the format: .ply, .pcd, .xyz, .glb or .e57; - is PLY on \
      standard output.
      """,
    completion: .file(extensions: PointCloudFormat.allCases.map(\.rawValue)))
  var output: String

  @Flag(help: "Turn the points upright, as the photo is shown, instead of as it is stored.")
  var upright = false

  @Flag(help: "Join all frames of a recording to one cloud in the axes of its world.")
  var all = false

  @Option(help: ArgumentHelp("With --all: use every N-th frame; 1 by default.", valueName: "N"))
  var every: Int?

  @Option(
    help: ArgumentHelp(
      "With --all: the side of a voxel, which gets one point; 0.02 by default.",
      valueName: "METERS"))
  var voxel: Double?

  @OptionGroup var printing: QuietOptions<CloudCommand>

  func validate() throws {
    guard StandardStreams.isStream(output) || PointCloudFormat(fileName: output) != nil else {
      let names = PointCloudFormat.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
      throw ValidationError(
        "There is no point cloud format for \(printable(text: output)); the endings are \(names).")
    }
    if all {
      guard options.frame == nil, options.knownDistances.isEmpty, !upright else {
        throw ValidationError(
          "--all joins frames in the axes of their world; --frame, --known-distance and --upright "
            + "are for one frame.")
      }
    } else if every != nil || voxel != nil {
      throw ValidationError("--every and --voxel need --all.")
    }
    if let every, every < 1 { throw ValidationError("--every is 1 or more, not \(every).") }
    if let voxel, !WorldCloudBuilder.voxelsMeters.contains(voxel) {
      throw ValidationError("--voxel is 0.0005 to 10 meters, not \(voxel).")
    }
  }

  func run() throws {
    throw try CommandExit.running(options.capture) { try all ? joinFrames() : writeFrame() }
  }

  /// Writes the cloud of one capture.
  private func writeFrame() throws -> ExitCode {
    let check = try options.analysis(color: .full, statement: stated.statement)
    let points = try check.requiredPointCloud()
    try write(
      upright ? check.upright(points) : points, origin: check.origin,
      statements: check.cloudStatements(isUpright: upright))
    guard !printing.quiet else { return .success }
    say("\(points.count.counting("point")) in \(printable(text: output))")
    if check.capture.color == nil,
      let damage = check.assessment.findings.first(where: { $0.code == .fileDamagedImage })
    {
      StandardError.print(
        "plumbline: caution: the points have no color: \(printable(text: damage.message))")
    }
    printCaution(of: check.assessment)
    return .success
  }

  /// Writes the cloud of all frames; 65 where some cannot be used.
  private func joinFrames() throws -> ExitCode {
    let (found, _) = try CaptureInput.recording(path: options.capture)
    let recording = try options.analysis.applied(to: found, stated.statement)
    let builder = WorldCloudBuilder(
      voxelMeters: voxel ?? WorldCloudBuilder.usualVoxelMeters, step: every ?? 1,
      threads: options.threadCount)
    var progress = ProgressLine(total: recording.frameNames.count, isQuiet: printing.quiet)
    defer { progress.end() }
    let cloud = try builder.build(recording) { progress.begin($0 * builder.step) }
    progress.end()
    try write(cloud.points, origin: cloud.origin, statements: cloud.statements)
    for frame in cloud.skipped {
      StandardError.print(
        "plumbline: frame \(printable(text: frame.name)) is left out: "
          + printable(text: frame.reason))
    }
    if !printing.quiet { report(cloud) }
    return cloud.skipped.isEmpty ? .success : CommandExit.unusableInput
  }

  private func report(_ cloud: WorldCloud) {
    say(
      "\(cloud.points.count.counting("point")) in \(printable(text: output)), of "
        + "\(cloud.pixelCount.counting("measured pixel")) in \(cloud.frameCount) of "
        + cloud.chosenCount.counting("frame"))
    if let first = cloud.untrackedFrames.first {
      StandardError.print(
        "plumbline: \(cloud.untrackedFrames.count.counting("frame")) without a pose left out, "
          + "first \(printable(text: first))")
    }
    if cloud.outsideCount > 0 {
      StandardError.print(
        "plumbline: \(cloud.outsideCount.counting("pixel")) left out: too far from the origin of "
          + "the world for voxels of this size")
    }
    printCaution(of: cloud.assessment)
  }

  /// Prints a line, unless the cloud itself is on standard output.
  private func say(_ line: String) {
    if !StandardStreams.isStream(output) { StandardOutput.print(line) }
  }

  private func printCaution(of assessment: CaptureAssessment) {
    if !assessment.verdict.isMeasurable {
      StandardError.print("plumbline: caution: \(assessment.reason)")
    }
  }

  private func write(
    _ points: PointCloud, origin: ExportOrigin, statements: [String] = []
  ) throws {
    if StandardStreams.isStream(output) {
      let writer = PLYWriter(points, origin: origin, statements: statements)
      return StandardOutput.write(writer.bytes)
    }
    let writer = PointCloudWriter(
      points, format: PointCloudFormat(fileName: output) ?? .ply, origin: origin,
      statements: statements)
    var transaction = OutputTransaction(existing: outputOptions.existing)
    try transaction.stage(at: output) { file throws(OutputError) in
      try writer.write(to: file)
    }
    _ = try transaction.publish()
  }
}
