public import PlumblineModel

/// A texture with the origin of each texel.
public struct BakedTexture: Sendable {
  /// Where a texel's color is from; the raw values are those of ``origins``.
  public enum TexelOrigin: UInt8, Sendable, CaseIterable {
    /// No triangle lies there; the color continues what is near.
    case outside = 0
    /// The photo.
    case photo = 1
    /// The mirror image on the other side of the mesh, which the photo showed.
    case mirrored = 2
    /// Around it: neither was seen.
    case filled = 3
  }

  /// The colors, non-linear, in the axes of ``TextureLayout``; mid-gray all over if nothing was seen.
  public let colors: Raster<RGB8>
  /// The raw ``TexelOrigin`` of each texel.
  public let origins: Raster<UInt8>

  /// The share of the texels with a triangle that the photo showed, from 0 to 1; 0 without any.
  public var photoShare: Double {
    var counts = [Int](repeating: 0, count: 4)
    for origin in origins.samples { counts[Int(origin)] += 1 }
    let covered = counts[1] + counts[2] + counts[3]
    return covered == 0 ? 0 : Double(counts[1]) / Double(covered)
  }
}
