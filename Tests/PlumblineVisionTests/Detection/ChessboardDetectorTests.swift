import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineVision

@Suite struct ChessboardDetectorTests {
  private func board(_ columns: Int, _ rows: Int) -> Board {
    Board(columns: columns, rows: rows, squareMeters: 0.025, pattern: .chessboard)
  }

  /// The mean distance to the truth in pixels; not a number when numbers are not the truth's.
  private func meanError(_ view: BoardView, _ truth: [SIMD2<Double>]) -> Double {
    let distances = view.corners.map { corner in
      let miss = corner.pixel - truth[corner.id]
      return (miss * miss).sum().squareRoot()
    }
    return distances.reduce(0, +) / Double(distances.count)
  }

  @Test(
    "All corners within a twentieth of a pixel, through noise, slant, lens and uneven light",
    arguments: 1...4)
  func truth(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let image = SimulatedChessboard(board(10, 7), using: &random)
    let view = try #require(ChessboardDetector(board: board(10, 7)).view(in: image.luma))
    #expect(view.corners.map(\.id) == Array(0..<54))
    #expect(view.imageSize == SimulatedChessboard.size)
    #expect(!view.isMirrored)
    #expect(meanError(view, image.corners) < 0.05, "pixels")
  }

  @Test("Squares of 9 pixels and a blur of 2 pixels are found too")
  func hardShots() throws {
    var random = SeededGenerator(seed: 9)
    let small = SimulatedChessboard.Shot(blurPixels: 0.7, tilt: 0.2, squarePixels: 9)
    let blurred = SimulatedChessboard.Shot(blurPixels: 2, tilt: 0.4)
    for (name, shot, limit) in [("small", small, 0.08), ("blurred", blurred, 0.08)] {
      let image = SimulatedChessboard(board(10, 7), shot, using: &random)
      let view = ChessboardDetector(board: board(10, 7)).view(in: image.luma)
      #expect(view?.corners.count == 54, "\(name)")
      #expect(view.map { meanError($0, image.corners) < limit } == true, "\(name), pixels")
    }
  }

  @Test("Color tells which way up a board of 10 by 7 is; one of 8 by 6 starts at the top left")
  func numbering() throws {
    var random = SeededGenerator(seed: 21)
    let odd = SimulatedChessboard(board(10, 7), using: &random)
    let even = SimulatedChessboard(board(8, 6), using: &random)
    for quarters in 0..<4 {
      // A quarter turn takes pixel (x, y) of a raster with height h to (h − 1 − y, x).
      func turned(_ luma: Raster<UInt8>) -> Raster<UInt8> {
        Raster(size: luma.size.transposed) { x, y in luma[y, luma.height - 1 - x] }
      }
      func turned(_ pixel: SIMD2<Double>, height: Int) -> SIMD2<Double> {
        SIMD2(Double(height - 1) - pixel.y, pixel.x)
      }
      var (luma, corners) = (odd.luma, odd.corners)
      var (evenLuma, evenCorners) = (even.luma, even.corners)
      for _ in 0..<quarters {
        corners = corners.map { turned($0, height: luma.height) }
        evenCorners = evenCorners.map { turned($0, height: evenLuma.height) }
        luma = turned(luma)
        evenLuma = turned(evenLuma)
      }
      let view = try #require(ChessboardDetector(board: board(10, 7)).view(in: luma))
      #expect(meanError(view, corners) < 0.1, "pixels, after \(quarters) quarters")
      let other = try #require(ChessboardDetector(board: board(8, 6)).view(in: evenLuma))
      let halfTurned = Array(evenCorners.reversed())
      let isFirst = try #require(evenCorners.first).sum() < (try #require(evenCorners.last)).sum()
      #expect(meanError(other, isFirst ? evenCorners : halfTurned) < 0.1, "\(quarters) quarters")
    }
  }

  @Test("A mirror image is numbered as a right-handed board and not told")
  func mirror() throws {
    var random = SeededGenerator(seed: 4)
    let image = SimulatedChessboard(board(10, 7), using: &random)
    let width = image.luma.width
    let mirrored = Raster(size: image.luma.size) { x, y in image.luma[width - 1 - x, y] }
    let view = try #require(ChessboardDetector(board: board(10, 7)).view(in: mirrored))
    #expect(!view.isMirrored)
    // Ten columns: mirrored left to right colors change places, so the board reads upside down.
    let expected = (0..<54).map { id in
      let pixel = image.corners[(5 - id / 9) * 9 + id % 9]
      return SIMD2(Double(width - 1) - pixel.x, pixel.y)
    }
    #expect(meanError(view, expected) < 0.1, "pixels")
  }

  @Test("Covered corners are left out; a covered side makes numbers uncertain")
  func partialViews() throws {
    var random = SeededGenerator(seed: 13)
    let shot = SimulatedChessboard.Shot(tilt: 0.2, roll: 0.1)
    let image = SimulatedChessboard(board(10, 7), shot, using: &random)
    var covered = image.luma
    let center = image.corners[12]
    for y in 0..<covered.height {
      for x in 0..<covered.width
      where abs(Double(x) - center.x) < 14 && abs(Double(y) - center.y) < 14 { covered[x, y] = 128 }
    }
    let view = try #require(ChessboardDetector(board: board(10, 7)).view(in: covered))
    #expect(view.corners.count >= 45 && view.corners.count < 54)
    #expect(!view.corners.contains { $0.id == 12 })
    #expect(meanError(view, image.corners) < 0.05, "pixels")

    let edge = Int(image.corners[8].x - 12)
    let cut = Raster(size: covered.size) { x, y in x > edge ? 128 : image.luma[x, y] }
    #expect(ChessboardDetector(board: board(10, 7)).view(in: cut) == nil)
  }

  @Test("Another board, noise, and nothing are no board")
  func noBoard() {
    var random = SeededGenerator(seed: 17)
    let image = SimulatedChessboard(board(10, 7), using: &random)
    for other in [board(9, 7), board(10, 6), board(11, 7), board(7, 7), board(4, 4)] {
      let name = "\(other.columns) × \(other.rows)"
      #expect(ChessboardDetector(board: other).view(in: image.luma) == nil, "\(name)")
    }
    let noise = Raster(size: image.luma.size) { _, _ in UInt8(random.integer(below: 256)) }
    #expect(ChessboardDetector(board: board(4, 4)).view(in: noise) == nil)
    for side in [0, 1, 2, 15, 16, 17, 40] {
      let flat = Raster<UInt8>(size: RasterSize(width: side, height: side + 1), repeating: 9)
      #expect(ChessboardDetector(board: board(3, 3)).view(in: flat) == nil)
    }
  }

  @Test(
    "On photographs of 9 × 6 corners all are found that OpenCV finds, at most 0.2 px from its own",
    .enabled(
      if: RealData.isPresent && PythonPeer.has("cv2", "numpy"),
      "\(RealData.absence), or \(PythonPeer.absence("cv2"))"))
  func besideOpenCV() throws {
    let names = ["left06", "right04", "right07"]
    for name in names {
      let file = try RealData.url("boards/\(name).jpg").path
      let answer = try PythonPeer.run("chessboard_corners.py", file, "9", "6")
      let header = answer.prefix { $0 != UInt8(ascii: "\n") }
      let numbers = String(decoding: header, as: UTF8.self).split(separator: " ").compactMap {
        Int($0)
      }
      let size = RasterSize(width: numbers[0], height: numbers[1])
      let pixels = answer.dropFirst(header.count + 1)
      let luma = Raster(size: size, samples: Array(pixels.prefix(size.pixelCount)))
      let values = Array(pixels.dropFirst(size.pixelCount)).withUnsafeBytes { bytes in
        (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
      }
      let theirs = (0..<numbers[2]).map { SIMD2(values[2 * $0], values[2 * $0 + 1]) }
      let view = try #require(ChessboardDetector(board: board(10, 7)).view(in: luma), "\(name)")
      #expect(view.corners.count == 54)
      if theirs.isEmpty { continue }
      // OpenCV's own corners move by 0.15 px between windows of 5 and of 11 pixels.
      let distance = min(meanError(view, theirs), meanError(view, theirs.reversed()))
      #expect(distance < 0.2, "pixels, \(name)")
    }
  }
}
