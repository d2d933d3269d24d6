import Foundation
import Plumbline

/// Times the board detector for `Benchmarks/run`, which asks on standard input.
///
/// Each answer is one line of JSON. Commands:
///
///     board COLUMNS ROWS DICTIONARY SHARE   a ChArUco board, its layout left open
///     load PATH WIDTH HEIGHT                raw 8-bit gray levels
///     time detect COUNT                     nanoseconds of COUNT calls, one by one
///     corners                               what the last call found: [[number, x, y], …]
@main
struct BoardBenchmark {
  private var detector: BoardDetector?
  private var luma = Raster<UInt8>(size: RasterSize(width: 0, height: 0), samples: [])
  private var view: BoardView?

  static func main() {
    var benchmark = BoardBenchmark()
    while let line = readLine() {
      do {
        print(try benchmark.answer(line.split(separator: " ").map(String.init)))
      } catch {
        print("{\"error\": \"\(String(describing: error).replacing("\"", with: "'"))\"}")
      }
      fflush(nil)
    }
  }

  private mutating func answer(_ words: [String]) throws -> String {
    switch (words.first, words.count) {
    case ("board", 5):
      guard let columns = Int(words[1]), let rows = Int(words[2]), columns > 1, rows > 1,
        let dictionary = MarkerDictionary.Name(rawValue: words[3]),
        let share = Double(words[4]), share > 0, share < 1
      else { throw Refusal(words: words) }
      let pattern = CharucoPattern(dictionary: dictionary, markerShare: share)
      let board = Board(columns: columns, rows: rows, squareMeters: 1, pattern: .charuco(pattern))
      detector = BoardDetector(board: board)
    case ("load", 4):
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: words[1])))
      guard let width = Int(words[2]), let height = Int(words[3]), width > 0, height > 0,
        bytes.count == width * height
      else { throw Refusal(words: words) }
      luma = Raster(size: RasterSize(width: width, height: height), samples: bytes)
    case ("time", 3):
      guard let count = Int(words[2]), count > 0, words[1] == "detect", let detector else {
        throw Refusal(words: words)
      }
      let clock = ContinuousClock()
      let times = (0..<count).map { _ in
        let elapsed = clock.measure { view = detector.view(in: luma) }.components
        return Int(elapsed.seconds) * 1_000_000_000 + Int(elapsed.attoseconds / 1_000_000_000)
      }
      return "{\"nanoseconds\": [\(times.map(String.init).joined(separator: ", "))]}"
    case ("corners", 1):
      let corners = (view?.corners ?? []).map { "[\($0.id), \($0.pixel.x), \($0.pixel.y)]" }
      return "{\"corners\": [\(corners.joined(separator: ", "))]}"
    default: throw Refusal(words: words)
    }
    return "{}"
  }
}

/// A command that was not carried out.
struct Refusal: Error {
  var words: [String]
}
