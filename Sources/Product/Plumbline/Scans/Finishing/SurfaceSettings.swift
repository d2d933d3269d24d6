import PlumblineIO
import PlumblineModel

/// What is done to a surface once its frames are fused.
public struct SurfaceSettings: Sendable, Hashable {
  /// Parts of less area go, in square meters; `nil` for ``usualSmallestPart(voxelMeters:)``, 0 to keep all.
  public var smallestPartSquareMeters: Double?
  /// Parts of less than this share of the largest part's area go as well, unless ``smallestPartSquareMeters`` is set.
  var smallestPartShare = 0.0
  /// Holes with a shorter way around them are closed, in meters; 0 for none.
  ///
  /// The vertices that close them are marked as invented.
  public var closedHoleMeters = 0.0
  /// The most triangles that are left; `nil` for all.
  public var triangleCount: Int?
  /// How far the surface may move when it gets fewer triangles, in meters; `nil` for no limit where
  /// ``triangleCount`` is set, else for no simplification.
  public var toleranceMeters: Double?
  /// The most side of the texture, in texels, which is halved where all of it fits; 0 for a color of each vertex instead.
  public var textureSide = 4096

  /// Small parts go, nothing else; with a texture.
  public init() {}

  /// The area below which a part goes: a square of 15 voxels.
  ///
  /// What flying pixels and the sides of thin things leave are flakes of a few voxels; what stands alone in a
  /// scan and is worth keeping has hundreds of them.
  public static func usualSmallestPart(voxelMeters: Double) -> Double {
    225 * voxelMeters * voxelMeters
  }
}

/// What became of a surface after fusing.
public struct SurfaceChanges: Sendable, Hashable {
  /// The parts that were removed.
  public var removedPartCount = 0
  /// Their area, in square meters.
  public var removedSquareMeters = 0.0
  /// The area below which parts were removed, in square meters.
  public var smallestPartSquareMeters = 0.0
  /// The holes that were closed with invented vertices.
  public var closedHoleCount = 0
  /// The holes that stayed open; 0 where none were to be closed.
  public var openHoleCount = 0
  /// The number of triangles before simplification; `nil` without it.
  public var unsimplifiedTriangleCount: Int?
  /// What the texture was made of; `nil` without one.
  public var texture: TextureSummary?
  /// Why there is no texture although photos show the surface; `nil` where there is one or none was asked for.
  public var textureFailure: String?

  /// Where a texture is from.
  public struct TextureSummary: Sendable, Hashable {
    /// The frames whose photos were considered.
    public var frameCount: Int
    /// The share of the triangles that one of them shows.
    public var shownShare: Double
    /// The side of a texel on the surface, in meters.
    public var texelMeters: Double
    /// The side of the texture, in texels.
    public var side: Int
  }
}

extension SurfaceChanges {
  /// The changes in the document of `fuse`.
  var document: JSONValue {
    .object([
      ("removedParts", .integer(removedPartCount)),
      ("removedSquareMeters", .number(removedSquareMeters)),
      ("smallestPartSquareMeters", .number(smallestPartSquareMeters)),
      ("closedHoles", .integer(closedHoleCount)), ("openHoles", .integer(openHoleCount)),
      ("unsimplifiedTriangles", unsimplifiedTriangleCount.map { .integer($0) } ?? .null),
      ("texture", texture?.document ?? .null),
      ("textureFailure", textureFailure.map { .string($0) } ?? .null),
    ])
  }
}

extension SurfaceChanges.TextureSummary {
  fileprivate var document: JSONValue {
    .object([
      ("frames", .integer(frameCount)), ("side", .integer(side)),
      ("texelMeters", .number(texelMeters)), ("shownShare", .number(shownShare)),
    ])
  }
}
