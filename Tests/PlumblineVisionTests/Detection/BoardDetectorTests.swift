import PlumblineModel
import PlumblineTestSupport
import PlumblineVision
import Testing

@Suite("Board detector")
struct BoardDetectorTests {
  static func board(
    _ columns: Int = 9, _ rows: Int = 6, _ dictionary: MarkerDictionary.Name = .arucoOriginal,
    share: Double = 0.7, layout: CharucoPattern.Layout = .current
  ) -> Board {
    Board(
      columns: columns, rows: rows, squareMeters: 0.02,
      pattern: .charuco(
        CharucoPattern(dictionary: dictionary, markerShare: share, layout: layout)))
  }

  /// The mean distance to the truth in pixels, and how many corners there are.
  static func error(_ view: BoardView, _ truth: [SIMD2<Double>]) -> (mean: Double, worst: Double) {
    let errors = view.corners.map { corner in
      let d = corner.pixel - truth[corner.id]
      return (d * d).sum().squareRoot()
    }
    return (errors.reduce(0, +) / Double(errors.count), errors.max() ?? 0)
  }

  /// How many corners lie so deep in the image that they can be refined and proven.
  static func inside(_ image: SimulatedBoardImage, margin: Double) -> Int {
    image.corners.count {
      $0.x > margin && $0.y > margin && $0.x < Double(image.luma.width) - 1 - margin
        && $0.y < Double(image.luma.height) - 1 - margin
    }
  }

  @Test("Finds every corner of exact images within 0.05 pixels on average", arguments: [0, 2, 3])
  func accuracy(seed: Int) throws {
    let board = Self.board(share: seed % 2 == 0 ? 0.75 : 0.5, layout: .legacy)
    var shot = SimulatedBoardImage.Shot()
    shot.sampling = 6
    shot.turn = 0.3 * Double(seed) - 0.5
    shot.blurPixels = [0.7, 0.9, 1.2, 1.5][seed]
    shot.noise = [2, 4, 3, 2][seed]
    shot.seed = UInt64(seed)
    shot.middle = SIMD2(0.49, 0.52)
    let image = SimulatedBoardImage(board, shot)
    let view = try #require(BoardDetector(board: board).view(in: image.luma))
    #expect(view.corners.count == Self.inside(image, margin: 8))
    let error = Self.error(view, image.corners)
    // The bound; the worst of some forty is seldom above three times the mean.
    #expect(error.mean < 0.05 && error.worst < 0.2, "\(error)")
    #expect(view.corners.map(\.id) == view.corners.map(\.id).sorted())
  }

  @Test("Takes any turn, either layout and a mirror, whatever layout the board claims")
  func turnsAndLayouts() throws {
    for (number, turn) in stride(from: -2.9, through: 2.9, by: 1.45).enumerated() {
      for layout in [CharucoPattern.Layout.current, .legacy]
      where (number % 2 == 0) == (layout == .legacy) {
        var shot = SimulatedBoardImage.Shot()
        shot.size = RasterSize(width: 260, height: 260)
        shot.squarePixels = 24
        shot.sampling = 3
        shot.turn = turn
        shot.isMirrored = number % 3 == 1
        let image = SimulatedBoardImage(Self.board(7, 6, layout: layout), shot)
        let view = try #require(BoardDetector(board: Self.board(7, 6)).view(in: image.luma))
        #expect(view.isMirrored == shot.isMirrored)
        #expect(view.board == Self.board(7, 6, layout: layout))
        #expect(view.corners.count == 30)
        #expect(Self.error(view, image.corners).worst < 0.3)
      }
    }
  }

  @Test(
    "Reads dictionaries of every size",
    arguments: [
      MarkerDictionary.Name.aruco4x4x50, .aruco6x6x250, .aruco7x7x1000, .aprilTag36h11,
    ])
  func dictionaries(name: MarkerDictionary.Name) throws {
    let board = Self.board(5, 4, name, share: 0.8)
    var shot = SimulatedBoardImage.Shot()
    shot.size = RasterSize(width: 260, height: 220)
    shot.squarePixels = 40
    shot.sampling = 3
    let image = SimulatedBoardImage(board, shot)
    let view = try #require(BoardDetector(board: board).view(in: image.luma))
    #expect(view.corners.count == 12)
    #expect(Self.error(view, image.corners).worst < 0.3)
  }

  @Test("Sees a third of the board outside, strong blur, dim and uneven light, a wrong share")
  func hardImages() throws {
    let board = Self.board(layout: .legacy)
    var partial = SimulatedBoardImage.Shot()
    partial.middle = SIMD2(0.1, 0.55)
    partial.sampling = 3
    var blurred = SimulatedBoardImage.Shot()
    blurred.blurPixels = 2
    blurred.noise = 3
    blurred.sampling = 3
    var uneven = SimulatedBoardImage.Shot()
    uneven.dimming = 0.85
    uneven.levels = (20, 160)
    uneven.sampling = 3
    for (name, shot, share) in [
      ("partial", partial, 0.7), ("blur", blurred, 1), ("light", uneven, 1),
    ] {
      let image = SimulatedBoardImage(board, shot)
      // The share is only a hint.
      let view = try #require(
        BoardDetector(board: Self.board(share: 0.5)).view(in: image.luma), "\(name)")
      let visible = Self.inside(image, margin: 8)
      #expect(Double(visible) < 40 * share + 1)
      #expect(view.corners.count >= visible - 1, "\(name): \(view.corners.count) of \(visible)")
      #expect(Self.error(view, image.corners).mean < 0.1, "\(name)")
      #expect(view.board.pattern == Self.board(share: 0.5, layout: .legacy).pattern)
    }
  }

  @Test("Finds a board in an image that is reduced first, and refines in the full one")
  func largeImage() throws {
    let board = Self.board(4, 3)
    var shot = SimulatedBoardImage.Shot()
    shot.size = RasterSize(width: 2520, height: 120)
    shot.squarePixels = 34
    shot.sampling = 2
    let image = SimulatedBoardImage(board, shot)
    let view = try #require(BoardDetector(board: board).view(in: image.luma))
    #expect(view.corners.count == 6 && view.imageSize == shot.size)
    #expect(Self.error(view, image.corners).worst < 0.2)
  }

  @Test("Says nothing where there is no board: noise, stripes, flat images, another board")
  func noBoard() {
    let detector = BoardDetector(board: Self.board())
    var random = SeededGenerator(seed: 11)
    let size = RasterSize(width: 200, height: 160)
    let noise = Raster<UInt8>(size: size) { _, _ in UInt8.random(in: 0...255, using: &random) }
    let coarse = Raster<UInt8>(size: size) { x, y in noise[x / 9, y / 9] }
    let stripes = Raster<UInt8>(size: size) { x, y in (x / 10 + y / 10) % 2 == 0 ? 20 : 220 }
    for image in [noise, coarse, stripes] { #expect(detector.view(in: image) == nil) }
    for level in [UInt8(0), 128, 255] {
      #expect(detector.view(in: Raster(size: size, repeating: level)) == nil)
    }
    var shot = SimulatedBoardImage.Shot()
    shot.sampling = 2
    let other = SimulatedBoardImage(Self.board(9, 6, .aruco6x6x250), shot)
    #expect(detector.view(in: other.luma) == nil)
  }

  @Test("Takes images of any size without a trap")
  func hostileSizes() {
    let detector = BoardDetector(board: Self.board())
    var random = SeededGenerator(seed: 3)
    let sizes = [
      (0, 0), (1, 1), (3, 3), (0, 9), (9, 0), (15, 4000), (16, 16), (17, 19), (30_000, 1),
      (1, 30_000), (20_000, 17), (70_000, 16),
    ]
    for (width, height) in sizes {
      let size = RasterSize(width: width, height: height)
      let image = Raster<UInt8>(size: size) { x, y in UInt8(truncatingIfNeeded: x &* 7 ^ y &* 13) }
      #expect(detector.view(in: image) == nil)
    }
    for (columns, rows, first) in [(Int.max, Int.max, 0), (100_000, 100_000, 5), (9, 6, Int.max)] {
      let pattern = CharucoPattern(dictionary: .aruco4x4x50, firstMarker: first)
      let board = Board(
        columns: columns, rows: rows, squareMeters: 1, pattern: .charuco(pattern))
      let image = Raster<UInt8>(size: RasterSize(width: 40, height: 30), repeating: 90)
      #expect(BoardDetector(board: board).view(in: image) == nil)
    }
    // Rows may be padded.
    var shot = SimulatedBoardImage.Shot()
    shot.sampling = 2
    let image = SimulatedBoardImage(Self.board(), shot).luma
    let padded = (0..<image.height).flatMap { y in
      Array(image.row(y)) + (0..<5).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    let wide = Raster(size: image.size, rowStride: image.width + 5, samples: padded)
    #expect(detector.view(in: wide) == detector.view(in: image))
    #expect(detector.view(in: image) != nil)
  }
}
