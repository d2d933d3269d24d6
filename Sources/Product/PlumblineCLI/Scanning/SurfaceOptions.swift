import ArgumentParser
import Plumbline

/// What is done to a surface once its frames are fused.
struct SurfaceOptions: ParsableArguments {
  @Option(
    name: .customLong("smallest-part"),
    help: ArgumentHelp(
      "Remove parts of less area; by default of less than 15 × 15 voxels. 0 keeps all.",
      valueName: "M2"))
  var smallestPart: Double?

  @Option(
    help: ArgumentHelp(
      "Close holes with a shorter way around them, and mark what that invents.",
      valueName: "METERS"))
  var closeHoles: Double?

  @Option(help: ArgumentHelp("Simplify to so many triangles.", valueName: "N"))
  var triangles: Int?

  @Option(
    help: ArgumentHelp(
      "Simplify as far as the surface moves by less than this.", valueName: "METERS"))
  var simplify: Double?

  @Flag(help: "Give each vertex a color instead of a texture.")
  var vertexColors = false

  @Option(
    name: .customLong("texture-size"),
    help: ArgumentHelp(
      "The most width and height of the texture; 4096 by default.", valueName: "TEXELS")
  )
  var textureSize: Int?

  mutating func validate() throws {
    func require(_ value: Double?, _ range: ClosedRange<Double>, _ name: String) throws {
      if let value, !range.contains(value) {
        throw ValidationError(
          "--\(name) is \(range.lowerBound) to \(range.upperBound), not \(value).")
      }
    }
    try require(smallestPart, 0...1e6, "smallest-part")
    try require(closeHoles, 0...1000, "close-holes")
    try require(simplify, 0...1, "simplify")
    if let triangles, triangles < 4 {
      throw ValidationError("--triangles is 4 or more, not \(triangles).")
    }
    if let textureSize, !(64...16384).contains(textureSize) {
      throw ValidationError("--texture-size is 64 to 16384 texels, not \(textureSize).")
    }
  }

  /// The same for the library, for a file of a format.
  func settings(for format: MeshFormat) -> SurfaceSettings {
    var settings = SurfaceSettings()
    settings.smallestPartSquareMeters = smallestPart
    settings.closedHoleMeters = closeHoles ?? 0
    settings.triangleCount = triangles
    settings.toleranceMeters = simplify
    settings.textureSide =
      vertexColors || !format.isTexturedScan ? 0 : textureSize ?? settings.textureSide
    return settings
  }
}

extension MeshFormat {
  /// Whether a scan has a texture in the format where nothing else is asked for: PLY is for measuring, and
  /// its vertices have colors.
  fileprivate var isTexturedScan: Bool { holdsTexture && self != .ply }
}
