import CKernels
import PlumblineModel

/// The best disparity of each pixel, unless a check speaks against it.
struct DisparitySelection {
  let matcher: StereoMatcher
  let size: RasterSize
  let lanes: Int
  let leftCoverage: Raster<UInt8>?
  let rightCoverage: Raster<UInt8>?

  /// What a step of 1 costs on all paths together.
  private var stepCosts: Float {
    let paths =
      switch matcher.paths {
      case .four: 4
      case .five: 5
      case .eight: 8
      }
    return Float(paths * min(max(matcher.smallStepPenalty, 0), PathPenalties.limit))
  }

  /// Room for the choices of one row.
  struct Room: ~Copyable {
    fileprivate let numbers: MatchingMemory<UInt16>
    fileprivate let flags: MatchingMemory<UInt8>
    fileprivate let right: MatchingMemory<UInt16>
    fileprivate let counts: MatchingMemory<Int32>

    /// The numbers that are kept of the right pixels of a row.
    fileprivate static func rightCount(width: Int, lanes: Int) -> Int {
      width + lanes + Int(PLB_DISPARITY_LANES)
    }

    init(width: Int, lanes: Int) {
      numbers = MatchingMemory(unwritten: 4 * width)
      flags = MatchingMemory(unwritten: 2 * width)
      counts = MatchingMemory(unwritten: Int(PLB_INCONSISTENT) + 1)
      right = MatchingMemory(unwritten: 2 * Self.rightCount(width: width, lanes: lanes))
    }
  }

  /// Chooses the disparities of one row from its sums; returns which check removed how many.
  ///
  /// `ratios` get q of ``MatchingSigma``, whether a pixel is kept or not; `frontal` what is to be added
  /// where the surface faces the cameras, see ``FacingSurfaces``.
  func choose(
    row y: Int, sums: UnsafePointer<UInt16>, room: borrowing Room,
    disparity: UnsafeMutablePointer<Float>, ratios: UnsafeMutablePointer<Float>,
    frontal: UnsafeMutablePointer<Float>
  ) -> StereoMatch.Removals {
    let width = size.width
    let first = Int32(matcher.disparities.lowerBound), count = matcher.disparities.count
    let numbers = room.numbers.base, state = room.flags.base + width
    let choices = plb_stereo_choices(
      best: numbers, least: numbers + width, down: numbers + 2 * width, up: numbers + 3 * width,
      has_rival: room.flags.base, state: state)
    // A share of 1 or more would leave nothing to prefer.
    let share = min(max(matcher.uniqueness, 0), 0.999)
    plb_stereo_choose(sums, width, count, lanes, 1 / (1 - share), choices)
    plb_stereo_place(
      choices, width, first, Int32(count), MatchingSigma.floor, MatchingSigma.mostRatio,
      stepCosts, disparity, ratios, frontal)
    if leftCoverage != nil || rightCoverage != nil {
      for x in 0..<width where state[x] != PLB_UNCOVERED {
        let match = x - Int(first) - Int(choices.best[x])
        if leftCoverage?[x, y] == 0 || rightCoverage?[match, y] == 0 {
          state[x] = UInt8(PLB_UNCOVERED)
        }
      }
    }
    let right = room.right.base + Room.rightCount(width: width, lanes: lanes)
    if matcher.leftRightTolerancePixels != nil {
      plb_stereo_choose_right(sums, width, lanes, room.right.base, right)
    }
    plb_stereo_check(
      choices, width, first, Int32(count), Int32(clamping: matcher.leftRightTolerancePixels ?? 0),
      matcher.leftRightTolerancePixels == nil ? nil : right, disparity)
    plb_stereo_count(state, width, room.counts.base)
    var removed = StereoMatch.Removals()
    removed.uncovered = Int(room.counts.base[Int(PLB_UNCOVERED)])
    removed.ambiguous = Int(room.counts.base[Int(PLB_AMBIGUOUS)])
    removed.inconsistent = Int(room.counts.base[Int(PLB_INCONSISTENT)])
    return removed
  }
}
