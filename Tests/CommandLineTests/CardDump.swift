import Foundation
import Plumbline
import PlumblineTestSupport

/// A dump of ellipses before a wall, small enough to be drawn in a test, whose map shows the middle
/// part of what its image shows.
struct CardDump {
  /// The size of image and map.
  static let size = RasterSize(width: 200, height: 150)

  /// Color pixels for each depth pixel; 1 for a map that lies on its image.
  var zoom = 1.0
  /// The frames, each with cards of its own.
  var timestamps = [1, 2]

  /// Writes the files into a folder.
  func write(into folder: TemporaryFolder) throws {
    var depth: [String] = []
    for timestamp in timestamps {
      let cards = Self.cards(seed: UInt64(timestamp))
      var generator = SeededGenerator(seed: 7)
      let noise = (0..<1024).map { _ in generator.gaussian() }
      let middle = SIMD2(Double(Self.size.width - 1), Double(Self.size.height - 1)) / 2
      let color = Raster<RGB8>(size: Self.size) { x, y in
        // Two positions in each pixel, nearly as a camera sees them.
        var code = 2 * noise[(x &* 31 &+ y &* 57) & 1023]
        for offset in [-0.25, 0.25] {
          code += 0.5 * Self.card(cards, [Double(x) + offset, Double(y) - offset]).code
        }
        let gray = UInt8(max(0, min(255, code)))
        return RGB8(red: gray, green: gray, blue: gray)
      }
      let map = Raster<UInt16>(size: Self.size) { x, y in
        let place = (SIMD2(Double(x), Double(y)) - middle) * zoom + middle
        let meters = Self.card(cards, place).depth
        // Tenths of a millimeter.
        return UInt16(meters * 10_000 * (1 + 0.002 * noise[(x &* 57 &+ y &* 31) & 1023]))
      }
      try folder.put(PNGEncoder().encoded(color), at: "rgb_\(timestamp).png")
      try folder.put(PNGEncoder().encoded(map), at: "depth_\(timestamp).png")
      depth.append(
        RecordedFiles.depthMetadata(timestamp, isScaled: false)
          .replacing("\"Width\": 8, \"Height\": 6", with: "\"Width\": 200, \"Height\": 150"))
    }
    let camera = timestamps.map { RecordedFiles.cameraMetadata($0) }
    try folder.put(Array("[\(depth.joined(separator: ","))]".utf8), at: "DepthMetadata.json")
    try folder.put(Array("[\(camera.joined(separator: ","))]".utf8), at: "CameraMetadata.json")
  }

  private struct Card {
    var center: SIMD2<Double>
    var semiaxes: SIMD2<Double>
    var depth: Double
    var code: Double
  }

  private static func cards(seed: UInt64) -> [Card] {
    var generator = SeededGenerator(seed: seed)
    func uniform(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + (range.upperBound - range.lowerBound) * generator.uniform()
    }
    var cards: [Card] = []
    for _ in 0..<7 {
      let center = SIMD2(uniform(0.1...0.9) * 199, uniform(0.1...0.9) * 149)
      let semiaxes = SIMD2(uniform(0.06...0.14), uniform(0.06...0.14)) * 200
      let isDark = generator.uniform() < 0.5
      cards.append(
        Card(
          center: center, semiaxes: semiaxes, depth: uniform(0.4...0.8),
          code: isDark ? uniform(20...90) : uniform(170...240)))
    }
    return cards.sorted { $0.depth < $1.depth }
  }

  /// The nearest card at a pixel, else the wall.
  private static func card(
    _ cards: [Card], _ pixel: SIMD2<Double>
  ) -> (depth: Double, code: Double) {
    for card in cards {
      let offset = (pixel - card.center) / card.semiaxes
      if (offset * offset).sum() < 1 { return (card.depth, card.code) }
    }
    return (1.3, 130)
  }
}
