import ArgumentParser
import Plumbline

struct MeshCommand: PrintingCommand {
  static let configuration = CommandConfiguration(
    commandName: "mesh",
    abstract: "Write the surface of one capture: GLB, OBJ, PLY, USDZ or STL.",
    discussion: """
      Neighboring pixels are joined where they lie on one surface: where their depths differ by no \
      more than their noise explains (--edge, in standard deviations) and a surface that leans by \
      80°. Flying pixels are left out, holes stay open. The color image is the texture.

      Unit: meters. Frame: the camera's, x right, y down, z forward; GLB and USDZ: x right, y up, z \
      toward the viewer. PLY and GLB have the ± of each vertex along its normal (sigma); PCD and XYZ have the \
      vertices as points. A relative map has no size: --known-distance gives it one.

        plumbline mesh portrait.heic -o portrait.glb
        plumbline mesh scan.r3d --frame 12 -o frame.ply
      """)

  @OptionGroup var options: CaptureOptions
  @OptionGroup var stated: DepthStatementOptions
  @OptionGroup var outputOptions: OutputOptions

  @Option(
    name: .output,
    help: MeshOutput.help,
    completion: .file(extensions: MeshFormat.allCases.map(\.rawValue)))
  var output: String

  @Option(
    help: ArgumentHelp(
      "The step between neighbors that noise explains, in standard deviations; 5 by default.",
      valueName: "SIGMAS"))
  var edge: Double?

  @Flag(help: "Give each vertex a color instead of a texture.")
  var vertexColors = false

  @Flag(help: "Turn the surface upright, as the photo is shown, instead of as it is stored.")
  var upright = false

  @OptionGroup var printing: PrintingOptions<MeshCommand>

  func validate() throws {
    _ = try MeshOutput(output)
    if let edge, !(0...1000).contains(edge) {
      throw ValidationError("--edge is 0 to 1000 standard deviations, not \(edge).")
    }
  }

  func run() throws {
    throw try CommandExit.running(options.capture) {
      let analysis = try options.analysis(color: .full, statement: stated.statement)
      var mesher = CaptureMesher()
      if let edge { mesher.edgeSigmas = edge }
      mesher.hasTexture = try !vertexColors && MeshOutput(output).format.holdsTexture
      mesher.isUpright = upright
      let mesh = try mesher.mesh(analysis)
      let written = try write(mesh)
      printing.print(mesh.document(fileName: analysis.fileName, outputs: written)) {
        StandardOutput.print(text(mesh))
        for path in written { StandardOutput.print("  \(printable(text: path))") }
      }
      if !analysis.assessment.verdict.isMeasurable {
        StandardError.print("plumbline: caution: \(analysis.assessment.reason)")
      }
      return .success
    }
  }

  private func text(_ mesh: CaptureMesh) -> String {
    let area = mesh.area
    let sigma = area.sigma.map { "± \($0.fixed(4))" } ?? "± unknown"
    return
      "\(mesh.triangleCount.counting("triangle")) of \(mesh.vertexCount.counting("point")), "
      + "\(area.squareMeters.fixed(4)) \(sigma) m², of \(mesh.pixelCount.counting("measured pixel")); "
      + "\(mesh.flyingCount.counting("flying pixel")) left out"
  }

  /// Writes the files beside each other, under the name of the output.
  private func write(_ mesh: CaptureMesh) throws -> [String] {
    let place = try MeshOutput(output)
    var transaction = OutputTransaction(existing: outputOptions.existing)
    for file in try mesh.files(as: place.format, name: place.name) {
      try transaction.stage(file.bytes, at: place.path(of: file, isRequested: true))
    }
    return try transaction.publish()
  }
}
