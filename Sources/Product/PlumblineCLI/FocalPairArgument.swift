import ArgumentParser
import Plumbline

/// Two stated focal lengths as they are written on the command line: `F_AV@W,F_AR@W`, or a
/// calibration file or capture for either.
struct FocalPairArgument {
  private enum Side {
    case stated(FocalFromPair.Statement)
    case path(String)
  }

  private let sides: [Side]
  private let text: String

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard words.count == 2, words.allSatisfy({ !$0.isEmpty }) else {
      throw ValidationError(
        "write AVFoundation's focal length and width, then ARKit's, as in "
          + "1781.78@2016,1916.17@2880, or two files")
    }
    text = argument
    sides = try words.map { word in
      let numbers = word.split(separator: "@", omittingEmptySubsequences: false)
      guard numbers.count == 2, let focal = Double(numbers[0]), let width = Double(numbers[1])
      else { return .path(String(word)) }
      // No camera of a phone has fewer or more.
      guard (10...100_000).contains(focal), (16...65_536).contains(width) else {
        throw ValidationError(
          "the focal length must be between 10 and 100000 pixels, the width between 16 and 65536")
      }
      return .stated(FocalFromPair.Statement(focalLength: focal, referenceWidth: width))
    }
  }

  /// The pair, its files read, and where it is from.
  ///
  /// - Throws: What reading a capture throws; said with the file's own name.
  func pair() throws -> (pair: FocalFromPair, origin: String) {
    let statements = try sides.map { side in
      switch side {
      case .stated(let statement): return statement
      case .path(let path):
        do {
          let side = try CalibrationComparison.Side.read(path: path)
          let camera = side.calibration.intrinsics
          return FocalFromPair.Statement(
            focalLength: camera.focalLength.x, referenceWidth: Double(camera.size.width),
            sigma: side.uncertainty?.focalLengthPixels?.x)
        } catch {
          throw try CommandExit.running(path) { throw error }
        }
      }
    }
    return (
      FocalFromPair(avfoundation: statements[0], arkit: statements[1]), printable(text: text)
    )
  }
}
