import CKernels

/// What a path pays for changing its disparity, in units of ``MatchingCost``.
struct PathPenalties {
  /// For a change by 1.
  let smallStep: UInt8
  /// The most that a penalty may be: with the highest cost it still fits a byte.
  static let limit = Int(PLB_PENALTY_MOST)
  /// For a larger change, by the difference of the gray levels, 0…255.
  let largeSteps: [UInt8]

  /// Penalties that shrink where gray levels change, as surfaces end there.
  ///
  /// - Source: Hirschmüller 2008, equation 13 and below: P2′ = P2 / |ΔI|, never below P1; here
  ///   P2 / (1 + |ΔI| / scale), which is finite at 0.
  init(smallStep: Int, largeStep: Int, levelScale: Float) {
    self.smallStep = UInt8(min(max(smallStep, 0), Self.limit))
    let floor = Float(smallStep) * 1.5
    largeSteps = (0...255).map { difference in
      let step = Float(largeStep) / (1 + Float(difference) / levelScale)
      return UInt8(min(max(step, floor, 0), Float(Self.limit)))
    }
  }
}

extension PathPenalties {
  /// The penalties of a matcher.
  init(_ matcher: StereoMatcher) {
    self.init(
      smallStep: matcher.smallStepPenalty, largeStep: matcher.largeStepPenalty,
      levelScale: matcher.largeStepLevelScale)
  }
}
