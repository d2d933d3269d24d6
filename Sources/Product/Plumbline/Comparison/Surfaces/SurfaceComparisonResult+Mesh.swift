import PlumblineIO
import PlumblineModel
import PlumblineVerification

extension SurfaceComparisonResult {
  /// The second surface as PLY, in the frame of the first one, each vertex with its distance from the first
  /// surface in meters and a color for it.
  ///
  /// White is 0. Of a closed first surface distances have a sign: red is outside of it, blue inside; else red
  /// is far. The strongest color is at the distance below which 95 % of the places lie, and beyond.
  public var coloredMesh: [UInt8] {
    let places = index.nearest(to: moved.positions, threads: threads)
    let isSigned = secondToFirst.signedMean != nil
    let limit = max(secondToFirst.percentiles.first { $0.percent == 95 }?.meters ?? 0, 1e-9)
    let isMesh = second.surface != nil
    var lines = [
      "ply", "format binary_little_endian 1.0", "comment unit meter",
      "comment distance is that from \(Self.ascii(first.fileName)) in meters"
        + (isSigned ? ", above 0 outside of it" : ""),
      "comment colors: white 0, red \(Self.decimal(limit)) m"
        + (isSigned ? ", blue -\(Self.decimal(limit)) m" : ""),
      "element vertex \(moved.positions.count)",
    ]
    lines += ["x", "y", "z"].map { "property float \($0)" }
    lines += ["red", "green", "blue"].map { "property uchar \($0)" }
    lines.append("property float distance")
    if isMesh {
      lines += [
        "element face \(moved.triangles.count)", "property list uchar int vertex_indices",
      ]
    }
    var bytes = (lines + ["end_header"]).flatMap { Array("\($0)\n".utf8) }
    bytes.reserveCapacity(bytes.count + 19 * moved.positions.count + 13 * moved.triangles.count)
    for (position, place) in zip(moved.positions, places) {
      let value = isSigned ? place.signedDistance : abs(place.signedDistance)
      for axis in 0..<3 { bytes.appendLittleEndian(Float(position[axis]).bitPattern) }
      bytes += Self.color(value / limit)
      bytes.appendLittleEndian(Float(value).bitPattern)
    }
    guard isMesh else { return bytes }
    for corners in moved.triangles {
      bytes.append(3)
      for corner in 0..<3 { bytes.appendLittleEndian(corners[corner]) }
    }
    return bytes
  }

  /// White to red, or to blue below 0; gray for no number.
  private static func color(_ share: Double) -> [UInt8] {
    guard share.isFinite else { return [128, 128, 128] }
    let rest = UInt8((255 * (1 - min(1, abs(share)))).rounded())
    return share >= 0 ? [255, rest, rest] : [rest, rest, 255]
  }

  private static func decimal(_ value: Double) -> String { value.fixed(6) }

  private static func ascii(_ text: String) -> String {
    String(printable(text: text).map { $0.isASCII && !$0.isNewline ? $0 : "?" })
  }
}
