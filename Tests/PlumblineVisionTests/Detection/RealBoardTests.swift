import Foundation
import PlumblineImages
import PlumblineModel
import PlumblineTestSupport
import PlumblineVision
import Testing

@Suite("Real boards")
struct RealBoardTests {
  private static let folder = "zeiss-truedepth"

  /// Frames of both devices, far apart; all 110 are compared by Benchmarks/run.
  private static let frames = [
    "FrontCamCalibrationDataset/iPadPro12_4gen_iOS15/rgb_144636.png",
    "DepthEvalDataset/iPadPro12_4gen_iOS15/rgb_214501.png",
    "DepthEvalDataset/iPadPro12_5gen_iOS15/rgb_144277.png",
  ]

  /// The board of that dataset; the share of 0.75 is wrong on purpose, and the layout too.
  private static let board = BoardDetectorTests.board(10, 8, .arucoOriginal, share: 0.75)

  private static func luma(_ frame: String) throws -> Raster<UInt8> {
    let image = try PNGImage(RealData.bytes("\(folder)/\(frame)")[...])
    guard case .color(let color) = image else { throw CocoaError(.fileReadCorruptFile) }
    return color.luma
  }

  /// OpenCV's corners by number for each image, with the settings that the frames need.
  private static func opencv(
    _ board: [String], _ paths: [String]
  ) throws -> [[Int: SIMD2<Double>]] {
    let answer = try PythonPeer.run("charuco_corners.py", arguments: board + paths)
    return String(decoding: answer, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).prefix(paths.count).map { line in
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      var corners: [Int: SIMD2<Double>] = [:]
      for place in stride(from: 0, to: numbers.count, by: 3) {
        corners[Int(numbers[place])] = SIMD2(numbers[place + 1], numbers[place + 2])
      }
      return corners
    }
  }

  /// Distances of the corners that both have, in pixels.
  private static func distances(
    _ view: BoardView, _ opencv: [Int: SIMD2<Double>]
  ) -> [Double] {
    view.corners.compactMap { corner in
      opencv[corner.id].map { other in
        let d = corner.pixel - other
        return (d * d).sum().squareRoot()
      }
    }
  }

  @Test(
    "Frames of two iPads show all that OpenCV sees, close to where it sees it",
    .enabled(if: RealData.isPresent, "\(RealData.absence)"),
    .enabled(if: PythonPeer.has("cv2"), "\(PythonPeer.absence("cv2"))"))
  func frames() throws {
    let paths = try Self.frames.map { try RealData.url("\(Self.folder)/\($0)").path }
    let opencv = try Self.opencv(["10", "8", "0.5", "DICT_ARUCO_ORIGINAL", "legacy"], paths)
    let detector = BoardDetector(board: Self.board)
    var apart: [Double] = []
    for (frame, other) in zip(Self.frames, opencv) {
      let view = try #require(detector.view(in: Self.luma(frame)), "\(frame)")
      guard case .charuco(let pattern) = view.board.pattern else { continue }
      #expect(pattern.layout == .legacy && !view.isMirrored)
      #expect(view.corners.count >= other.count)
      #expect(view.corners.count >= 40)
      apart += Self.distances(view, other)
    }
    // OpenCV itself is off by 0.03 to 0.1 pixels on images whose truth is known.
    #expect(apart.count >= 60)
    #expect(apart.reduce(0, +) / Double(apart.count) < 0.12)
  }

  @Test(
    "The board of a photo is found out and detected",
    .enabled(if: RealData.isPresent, "\(RealData.absence)"),
    .enabled(if: PythonPeer.has("cv2"), "\(PythonPeer.absence("cv2"))"))
  func photo() throws {
    let path = try RealData.url("boards/choriginal.jpg").path
    let bytes = try PythonPeer.run("image_gray.py", path)
    let luma = Raster(size: RasterSize(width: 640, height: 480), samples: bytes)
    let board = try #require(BoardSearch().board(in: [luma], squareMeters: 0.04))
    #expect(board.columns == 5 && board.rows == 7)
    let view = try #require(BoardDetector(board: board).view(in: luma))
    let opencv = try Self.opencv(["5", "7", "0.5", "DICT_6X6_250", "current"], [path])[0]
    #expect(view.corners.count == 24 && view.corners.count >= opencv.count)
    let apart = Self.distances(view, opencv)
    // One plane fits OpenCV's corners of this photo to 0.22 pixels, these to 0.16.
    #expect(apart.reduce(0, +) / Double(apart.count) < 0.2)
  }

  @Test(
    "Photos without a board show none",
    .enabled(if: RealData.isPresent, "\(RealData.absence)"),
    .enabled(if: PythonPeer.has("cv2"), "\(PythonPeer.absence("cv2"))"))
  func photosWithoutBoard() throws {
    // A face of 512 × 512 pixels, full of edges.
    let path = try RealData.url("faces/astronaut.png").path
    let bytes = try PythonPeer.run("image_gray.py", path)
    let luma = Raster(size: RasterSize(width: 512, height: 512), samples: bytes)
    #expect(BoardDetector(board: Self.board).view(in: luma) == nil)
    #expect(BoardSearch().board(in: [luma], squareMeters: 1) == nil)
  }
}
