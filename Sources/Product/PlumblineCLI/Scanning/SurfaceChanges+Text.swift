import Plumbline

extension SurfaceChanges {
  /// What became of a surface after fusing, a line each; none where nothing did.
  var sentences: [String] {
    var lines: [String] = []
    if removedPartCount > 0 {
      lines.append(
        "\(removedPartCount.counting("small part")) removed, \(removedSquareMeters.fixed(4)) m² in all, "
          + "each below \(smallestPartSquareMeters.fixed(4)) m²")
    }
    if closedHoleCount + openHoleCount > 0 {
      lines.append(
        "\(closedHoleCount.counting("hole")) closed with invented vertices, \(openHoleCount) left open"
      )
    }
    if let before = unsimplifiedTriangleCount {
      lines.append("simplified from \(before.counting("triangle"))")
    }
    if let texture {
      lines.append(
        "texture of \(texture.side) × \(texture.side), texels of "
          + "\((1000 * texture.texelMeters).fixed(1)) mm, of \(texture.frameCount.counting("frame")); "
          + "\((100 * texture.shownShare).fixed(0)) % of the triangles are seen in one of them")
    }
    if let textureFailure { lines.append("no texture: \(textureFailure)") }
    return lines
  }
}
