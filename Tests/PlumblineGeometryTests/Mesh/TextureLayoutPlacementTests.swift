import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineGeometry

@Suite struct TextureLayoutPlacementTests {
  private let rectangle = TextureRectangle(low: [0.1, 0.2], high: [0.6, 0.9])

  /// Triangles of three corners of their own in tiles from −2 to 2.
  private func drawn(seed: UInt64, tiles: Int) throws -> TextureLayout {
    var generator = SeededGenerator(seed: seed)
    var coordinates: [SIMD2<Float>] = []
    for _ in 0..<60 {
      let column = Float(Int(generator.uniform() * Double(tiles)))
      let row = Float(Int(generator.uniform() * Double(tiles)))
      for _ in 0..<3 {
        let (u, v) = (Float(generator.uniform()), Float(generator.uniform()))
        coordinates.append(SIMD2<Float>(column + u, row + v))
      }
    }
    var triangles: [TriangleIndices] = []
    for index in 0..<60 {
      let first = UInt32(3 * index)
      triangles.append(TriangleIndices(first, first + 1, first + 2))
    }
    return try TextureLayout(coordinates: coordinates, triangles: triangles)
  }

  @Test func coordinatesInsideBecomeShares() throws {
    let layout = try drawn(seed: 1, tiles: 1)
    #expect(layout.isInsideTexture)
    let placed = layout.placed(in: rectangle)
    for (old, new) in zip(layout.coordinates, placed.coordinates) {
      let wanted = rectangle.low + old * (rectangle.high - rectangle.low)
      #expect(abs(new.x - wanted.x) < 1e-6 && abs(new.y - wanted.y) < 1e-6)
    }
    #expect(placed.triangles == layout.triangles)
    #expect(layout.placed(in: .whole).coordinates == layout.coordinates)
  }

  /// All tiles lie inside, none on another, and no triangle changes its shape but by its cell.
  @Test(arguments: [2, 3] as [UInt64])
  func tilesGetCellsOfTheirOwn(seed: UInt64) throws {
    let layout = try drawn(seed: seed, tiles: 3)
    #expect(!layout.isInsideTexture)
    let placed = layout.placed(in: rectangle)
    var boxes: [SIMD2<Float>: (low: SIMD2<Float>, high: SIMD2<Float>)] = [:]
    for (old, new) in zip(layout.triangles, placed.triangles) {
      let before = (0..<3).map { layout.coordinates[old[$0]] }
      let tile = ((before[0] + before[1] + before[2]) / 3).rounded(.down)
      for corner in 0..<3 {
        let point = placed.coordinates[new[corner]]
        #expect(point.x >= 0.1 && point.x <= 0.6 && point.y >= 0.2 && point.y <= 0.9)
        let box = boxes[tile] ?? (point, point)
        boxes[tile] = (pointwiseMin(box.low, point), pointwiseMax(box.high, point))
      }
    }
    let list = Array(boxes.values)
    for (index, one) in list.enumerated() {
      for other in list[(index + 1)...] {
        let overlap = pointwiseMin(one.high, other.high) - pointwiseMax(one.low, other.low)
        #expect(overlap.min() <= 0, "\(one) and \(other)")
      }
    }
  }

  /// Coordinates that hardly leave the image stay in one piece.
  @Test func aLittleBeyondTheImageIsOneTile() throws {
    let layout = try TextureLayout(
      coordinates: [[-0.02, 0.5], [1.03, 0.5], [0.4, 0.9]], triangles: [TriangleIndices(0, 1, 2)])
    let placed = layout.placed(in: .whole)
    #expect(placed.isInsideTexture)
    let sides = (0..<3).map { index -> (Float, Float) in
      func length(_ layout: TextureLayout) -> Float {
        let way = layout.coordinates[(index + 1) % 3] - layout.coordinates[index]
        return (way * way).sum().squareRoot()
      }
      return (length(layout), length(placed))
    }
    let ratios = sides.map { $0.1 / $0.0 }
    #expect((ratios.max() ?? 0) - (ratios.min() ?? 0) < 1e-4, "\(ratios)")
  }
}

@Suite struct LightCodesTests {
  @Test func codesOfLightAreTheNearest() {
    let codes = LightCodes()
    for code in UInt8.min...UInt8.max {
      let gray = RGB8(red: code, green: code, blue: code)
      let back = codes.color(codes.light(gray))
      // Dark codes are closer together than 4,096 steps of light.
      #expect(abs(Int(back.red) - Int(code)) <= (code < 16 ? 2 : 0), "\(code)")
      let half = codes.color(gray, multipliedBy: SIMD3(0.5, 1, 2))
      #expect(half.red <= half.green && half.green <= half.blue)
    }
    #expect(codes.color([.nan, -1, 2]) == RGB8(red: 0, green: 0, blue: 255))
    // sRGB's middle gray: 0.2140 of the light is code 127.
    #expect(abs(codes.light(RGB8(red: 127, green: 127, blue: 127)).x - 0.2122) < 1e-3)
  }
}
