import ArgumentParser
import Plumbline

struct CompareSurfaceCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare-surface",
    abstract: "Say how far two surfaces are apart, both ways, and what of it their ± explain.",
    discussion: """
      Each side is a mesh (PLY, GLB, OBJ, STL), or a PLY cloud, whose points count one by one. Places are \
      spread evenly over each surface; from each the nearest place of the other one is found. The \
      distances from one side say nothing of what only the other one has: read both. --depth-unit is the \
      unit of a file that names none.

      --align first lays the second surface on the first one by a rotation and a shift that make the \
      distances small; it must be near its place already. -o writes the second surface with its \
      distances as colors.

        plumbline compare-surface scan.ply truth.ply
        plumbline compare-surface scan.glb part.stl --depth-unit mm --align
        plumbline compare-surface scan.ply truth.ply --align --tolerance 0.001 -o distances.ply
      """)

  @Argument(help: "The first surface, which stays where it is.", completion: .file())
  var first: String

  @Argument(help: "The second one.", completion: .file())
  var second: String

  @Flag(help: "Lay the second surface on the first one before.")
  var align = false

  @Option(
    name: .customLong("tolerance"),
    help: ArgumentHelp(
      "State the share of places within this distance; repeatable.", valueName: "METERS"))
  var tolerances: [Double] = []

  @Option(help: ArgumentHelp("About how many places on each surface.", valueName: "COUNT"))
  var places = 100_000

  @OptionGroup var stated: DepthStatementOptions

  @OptionGroup var threadOptions: ThreadOptions

  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: .output, help: "The second surface to write, colored by distance: a .ply.",
    completion: .file(extensions: ["ply"]))
  var output: String?

  @OptionGroup var printing: DocumentOptions<CompareSurfaceCommand>

  func validate() throws {
    guard tolerances.allSatisfy({ $0 > 0 && $0.isFinite }), tolerances.count <= 100 else {
      throw ValidationError("Tolerances are at most 100 numbers above 0, in meters.")
    }
    guard (100...10_000_000).contains(places) else {
      throw ValidationError("The number of places must be 100 to 10000000, not \(places).")
    }
  }

  /// Reads both sides; what the user says of the unit counts for those whose file does not name it, and is refused
  /// where both do.
  private func sides() throws -> [MeasurableCloud] {
    var reader = MeasurableCloudReader(statement: stated.statement)
    var sides: [MeasurableCloud] = []
    for path in [first, second] {
      // A statement that neither file needs contradicts the second one.
      reader.ignoresNeedlessStatement = sides.isEmpty || sides[0].hasUnitOfUser
      do {
        sides.append(try reader.cloud(of: InputFile(path: path)))
      } catch {
        // Each side's failures carry its own name.
        throw try CommandExit.running(path) { throw error }
      }
    }
    return sides
  }

  func run() throws {
    throw try CommandExit.running(second) {
      let sides = try sides()
      var settings = SurfaceComparer.Settings()
      settings.isAligned = align
      settings.tolerancesMeters = tolerances.sorted()
      settings.sampleCount = places
      settings.threads = threadOptions.count
      let result = try SurfaceComparer(settings).compare(sides[0], sides[1])
      if let output {
        var transaction = OutputTransaction(existing: outputOptions.existing)
        try transaction.stage(result.coloredMesh, at: output)
        _ = try transaction.publish()
      }
      printing.print(result.document(output: output)) {
        for line in result.lines { StandardOutput.print(line) }
        if let output { StandardOutput.print("  " + printable(text: output)) }
      }
      return .success
    }
  }
}
