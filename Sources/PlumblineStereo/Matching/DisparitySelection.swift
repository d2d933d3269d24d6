import CStereoKernels
import PlumblineModel

/// The best disparity of each pixel, unless a check speaks against it.
struct DisparitySelection {
  let matcher: StereoMatcher
  let size: RasterSize
  let lanes: Int
  let leftCoverage: Raster<UInt8>?
  let rightCoverage: Raster<UInt8>?

  /// What one row gave.
  struct Row: Sendable {
    var uncovered = 0
    var ambiguous = 0
    var inconsistent = 0
  }

  /// Chooses the disparities of one row from its sums.
  func choose(
    row y: Int, sums: UnsafePointer<UInt16>, disparity: UnsafeMutablePointer<Float>,
    sigma: UnsafeMutablePointer<Float>
  ) -> Row {
    let width = size.width
    let first = matcher.disparities.lowerBound, count = matcher.disparities.count
    let isMasked = leftCoverage != nil || rightCoverage != nil
    var row = Row()
    withUnsafeTemporaryAllocation(of: plb_stereo_choice.self, capacity: width) { choices in
      guard let choices = choices.baseAddress else { return }
      plb_stereo_choose(sums, width, count, lanes, choices)
      // The disparity, and its sum, of the left pixel that fits each right one best.
      var winner = [Int32](repeating: .min, count: width)
      var winnerSum = [UInt16](repeating: .max, count: width)
      for x in 0..<width {
        disparity[x] = .nan
        sigma[x] = .nan
        let choice = choices[x]
        let whole = first + Int(choice.best)
        let match = x - whole
        guard match >= 0, match < width,
          !isMasked || (leftCoverage?[x, y] != 0 && rightCoverage?[match, y] != 0)
        else {
          row.uncovered += 1
          continue
        }
        let fit = SubpixelFit(
          down: choice.down == .max ? Float(choice.least) : Float(choice.down),
          least: Float(choice.least), up: choice.up == .max ? Float(choice.least) : Float(choice.up))
        if count > 1 && isAmbiguous(choice, rise: fit.rise) {
          row.ambiguous += 1
          continue
        }
        disparity[x] = Float(whole) + (choice.down == .max || choice.up == .max ? 0 : fit.offset)
        sigma[x] = MatchingSigma.pixels(
          rise: fit.rise, least: Float(choice.least), paths: matcher.paths, count: count)
        if choice.least < winnerSum[match] {
          winnerSum[match] = choice.least
          winner[match] = Int32(whole)
        }
      }
      guard let tolerance = matcher.leftRightTolerancePixels else { return }
      for x in 0..<width where !disparity[x].isNaN {
        var low = Int(disparity[x])
        if Float(low) > disparity[x] { low -= 1 }
        let high = Float(low) < disparity[x] ? low + 1 : low
        func disagrees(_ whole: Int) -> Bool {
          let match = x - whole
          guard match >= 0, match < width, winner[match] != .min else { return false }
          return abs(Int(winner[match]) - whole) > tolerance
        }
        if disagrees(low) && disagrees(high) {
          disparity[x] = .nan
          sigma[x] = .nan
          row.inconsistent += 1
        }
      }
    }
    return row
  }

  private func isAmbiguous(_ choice: plb_stereo_choice, rise: Float) -> Bool {
    // A flat curve prefers nothing.
    if rise <= 0 { return true }
    return choice.second != .max
      && Float(choice.second) * (1 - matcher.uniqueness) < Float(choice.least)
  }
}
