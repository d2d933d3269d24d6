import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineVision

@Suite("Binary image")
struct BinaryImageTests {
  /// Coarse blocks with noise, so that there are borders of all kinds.
  private func image(_ size: RasterSize, seed: UInt64) -> Raster<UInt8> {
    var random = SeededGenerator(seed: seed)
    let blocks = (0..<4096).map { _ in Int.random(in: 0..<3, using: &random) > 0 ? 200 : 60 }
    return Raster(size: size) { x, y in
      UInt8(blocks[(y / 7 * 61 + x / 7) % 4096] + Int.random(in: -9...9, using: &random))
    }
  }

  @Test("Marks equal plain loops' over tiles", arguments: [(4, 4), (41, 30), (64, 33), (7, 50)])
  func twin(width: Int, height: Int) {
    let luma = image(RasterSize(width: width, height: height), seed: 4)
    let image = BinaryImage(luma)
    let marks = PlainBinaryImage.marks(luma, leastContrast: 10)
    for y in 0..<height {
      for x in 0..<width {
        #expect(image.marks[(y + 1) * (width + 2) + x + 1] == marks[x, y], "(\(x), \(y))")
      }
    }
  }

  @Test("Borders equal those that a plain walk finds", arguments: [(40, 30), (29, 61), (64, 64)])
  func borders(width: Int, height: Int) {
    let luma = image(RasterSize(width: width, height: height), seed: 6)
    var image = BinaryImage(luma)
    var plain = PlainBinaryImage.Borders(image.marks, width: width, height: height)
    var count = 0
    for shortest in [1, 12] {
      image = BinaryImage(luma)
      plain = PlainBinaryImage.Borders(image.marks, width: width, height: height)
      while true {
        var found: [SIMD2<Int>] = []
        let isFound = image.nextBorder(ofAtLeast: shortest) { points in
          found = stride(from: 0, to: points.count, by: 2).map {
            SIMD2(Int(points[$0]), Int(points[$0 + 1]))
          }
        }
        let expected = plain.next(ofAtLeast: shortest, atMost: 3 * (width + height))
        #expect(found == expected ?? [])
        guard isFound, expected != nil else { break }
        count += 1
      }
    }
    #expect(count > 1)
  }

  @Test("A dark rectangle is a quad whose corners are its edges' crossings")
  func rectangle() throws {
    let luma = Raster<UInt8>(size: RasterSize(width: 60, height: 50)) { x, y in
      (12...40).contains(x) && (9...35).contains(y) ? 30 : 200
    }
    let quads = QuadFinder().quads(in: luma)
    #expect(quads.count == 1)
    let corners = try #require(quads.first).corners
    // Half a pixel outside of the outermost dark centers, in any cyclic order.
    let expected: [SIMD2<Double>] = [[11.5, 8.5], [40.5, 8.5], [40.5, 35.5], [11.5, 35.5]]
    for corner in expected {
      #expect(corners.contains { abs($0.x - corner.x) < 1e-6 && abs($0.y - corner.y) < 1e-6 })
    }
  }
}

/// What the kernels do, in plain loops.
enum PlainBinaryImage {
  static func marks(_ luma: Raster<UInt8>, leastContrast: Int) -> Raster<UInt8> {
    let (columns, rows) = (luma.width / 4, luma.height / 4)
    func tile(_ column: Int, _ row: Int) -> [UInt8] {
      (0..<16).map { luma[4 * column + $0 % 4, 4 * row + $0 / 4] }
    }
    let tiles = (0..<rows).map { row in (0..<columns).map { tile($0, row) } }
    let ranges = tiles.joined().map { Int($0.max() ?? 0) - Int($0.min() ?? 0) }.sorted()
    // The calmest fifth: the first range that a fifth of all tiles does not exceed.
    let calm = ranges[(ranges.count + 4) / 5 - 1]
    let contrast = max(leastContrast, min(2 * calm, 40))
    return Raster(size: luma.size) { x, y in
      let (column, row) = (min(x / 4, columns - 1), min(y / 4, rows - 1))
      var around: [UInt8] = []
      for j in max(row - 1, 0)...min(row + 1, rows - 1) {
        for i in max(column - 1, 0)...min(column + 1, columns - 1) { around += tiles[j][i] }
      }
      let (dark, bright) = (Int(around.min() ?? 0), Int(around.max() ?? 0))
      return bright - dark >= contrast && Int(luma[x, y]) < (dark + bright + 1) / 2 ? 1 : 0
    }
  }

  /// Follows borders by testing all eight neighbors, clockwise after the last light one.
  struct Borders {
    private var marks: [UInt8]
    private let stride: Int
    private var offset: Int
    private static let ring: [SIMD2<Int>] = [
      [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1],
    ]

    init(_ marks: [UInt8], width: Int, height: Int) {
      self.marks = marks
      stride = width + 2
      offset = stride
    }

    private func isDark(_ p: SIMD2<Int>) -> Bool { marks[p.y * stride + p.x] != 0 }

    mutating func next(ofAtLeast shortest: Int, atMost longest: Int) -> [SIMD2<Int>]? {
      while offset < marks.count - stride {
        defer { offset += 1 }
        guard marks[offset] == 1, marks[offset - 1] == 0 else { continue }
        let start = SIMD2(offset % stride, offset / stride)
        marks[offset] = 2
        guard let first = step(from: start, after: start &+ [-1, 0]) else { continue }
        var border = [start]
        var (here, light) = (first.to, first.light)
        while true {
          marks[here.y * stride + here.x] = 2
          guard let next = step(from: here, after: light) else { break }
          if here == start && next.to == first.to { break }
          border.append(here)
          (here, light) = (next.to, next.light)
        }
        if border.count >= shortest && border.count <= longest {
          return border
        }
      }
      return nil
    }

    /// The first dark neighbor clockwise after a light one, and the light one just before it.
    private func step(
      from here: SIMD2<Int>, after light: SIMD2<Int>
    ) -> (to: SIMD2<Int>, light: SIMD2<Int>)? {
      guard let place = Self.ring.firstIndex(of: light &- here) else { return nil }
      var last = light
      for turn in 1..<8 {
        let neighbor = here &+ Self.ring[(place + turn) % 8]
        if isDark(neighbor) { return (neighbor, last) }
        last = neighbor
      }
      return nil
    }
  }
}
