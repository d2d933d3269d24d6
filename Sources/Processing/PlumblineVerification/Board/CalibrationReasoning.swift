import PlumblineModel
import PlumblineVision

/// From the numbers of a verification to its verdict, and why.
struct CalibrationReasoning {
  let verification: CalibrationVerification

  init(_ verification: CalibrationVerification) { self.verification = verification }

  /// The verdict with its reason.
  ///
  /// First what would make the numbers worthless: a board that is not the stated one, a depth map
  /// that does not lie on its image. Then focal length and lengths together: each alone has
  /// accused sound devices.
  var conclusion: (CalibrationVerdict, String) {
    if let text = boardDoubt { return (.cannotTell, text) }
    guard let factory = verification.factory else {
      return (.cannotTell, "The frames carry no calibration of their own to judge." + measuredText)
    }
    if let text = depthFaultText { return (.cannotTell, text) }
    let focal = factory.intrinsics.focalLength
    guard let known = knownFocal else { return withoutFocal(focal.x) }
    let evidence = CalibrationEvidence(
      focalShare: known.focal / focal.x - 1, focalSigma: known.sigma.divided(by: focal.x),
      lengthShare: verification.factoryDepth?.length?.share,
      lengthSigma: verification.factoryDepth?.length?.sigmaShare
        ?? DepthAgainstBoard.sensorScaleSigma,
      viewCount: known.viewCount)
    let numbers =
      "\(known.focal.fixed(2)) ± \(known.sigma.plusMinus.fixed(2)) px \(known.source) "
      + "(\(signed(100 * evidence.focalShare, 2)) %)"
    let claim = "The factory focal length of \(focal.x.fixed(2)) px"
    let further = rectificationText + givenText
    if !impossibleText.isEmpty, verification.measuredDepth?.length.map(Self.isNear) ?? true {
      // What is impossible needs no lengths that agree with it; the measured camera must make them
      // right.
      return (
        .doesNotFit, "\(claim) does not fit: \(numbers)." + impossibleText + further + lengthText
      )
    }
    switch evidence.conclusion {
    case .doesNotFit:
      return (
        .doesNotFit, "\(claim) does not fit: \(numbers)." + further + lengthText + depthlessText
      )
    case .fits:
      return (.fits, "\(claim) fits: \(numbers)." + further + lensText + driftText + depthlessText)
    case .contradiction:
      return (
        .cannotTell, "\(claim) and its lengths contradict each other: " + contradiction(numbers)
      )
    case .unconfirmed:
      return (
        .cannotTell,
        "\(claim) differs from \(numbers), but \(known.viewCount) views without depth are too few to "
          + "accuse it. Take \(CalibrationEvidence.viewsWithoutLengths) frames or more, or frames with "
          + "depth." + further
      )
    case .undecided:
      return (
        .cannotTell,
        "\(claim) is neither confirmed nor refuted: \(numbers)\(lengthClause). Take 20 frames with the "
          + "board leaning in more directions." + driftText + further
      )
    }
  }

  private func contradiction(_ numbers: String) -> String {
    "the focal length is \(numbers), while lengths measured with the factory's number are "
      + "\(verification.factoryDepth?.length.map(percent) ?? "unknown") off. A wrong focal length "
      + "would change both alike. Check the side of the board's squares; if it is right, the sensor's "
      + "depth is not." + givenText
  }

  /// Frames that leave the focal length open: lengths alone can warn, never decide.
  private func withoutFocal(_ focal: Double) -> (CalibrationVerdict, String) {
    let views = verification.frames.count
    let directions = verification.orientationCount
    let seen = directions == 1 ? "1 direction" : "\(directions) truly different directions"
    let why =
      views == 1
      ? "One frame does not determine the focal length"
      : views < BoardFitter.minimumViews
        ? "\(views) frames do not determine the focal length; \(BoardFitter.minimumViews) are the least"
        : directions < CalibrationVerification.minimumOrientations
          ? "The \(views) frames show the board from \(seen), which does not determine the focal length"
          : "The \(views) frames do not determine the focal length"
    let advice = " Take 20 frames with the board leaning every way."
    guard let length = verification.factoryDepth?.length else {
      return (.cannotTell, why + ", and there is no depth on the board to measure with." + advice)
    }
    let isFar =
      abs(length.share) > max(CalibrationEvidence.tolerance, 3 * length.sigmaShare)
    return (
      .cannotTell,
      why
        + "; lengths measured with the factory's \(focal.fixed(2)) px are \(percent(length)) off, "
        + (isFar
          ? "more than the sensor explains: do not rely on lengths before more frames tell whether the "
            + "focal length, the side of the squares or the depth is wrong."
          : "which is no fault that one can see.") + advice
    )
  }

  /// The focal length that the verdict rests on: the measured one; a given one only where the
  /// frames determine none.
  private var knownFocal: (focal: Double, sigma: BlockSigma, source: String, viewCount: Int)? {
    if let measured = verification.measured {
      let source =
        switch measured.lens {
        case .tableInverse: "measured through the lens's own table"
        case .radial, .spline: "measured together with the lens"
        case .focal, .tableForward: "measured"
        }
      return (measured.focal, measured.sigma, source, verification.frames.count)
    }
    guard let given = verification.given, let sigma = given.focalSigma,
      verification.measuredDepth?.length.map(Self.isNear) ?? false
    else { return nil }
    return (
      given.camera.intrinsics.focalLength.x, BlockSigma(sigma: sigma), "in the given calibration",
      CalibrationEvidence.viewsWithoutLengths
    )
  }

  /// Whether lengths through a camera are as right as the sensor's own scale lets one see.
  static func isNear(_ length: BoardDepthCheck.LengthError) -> Bool {
    abs(length.share) <= CalibrationEvidence.lengthTolerance
  }

  func percent(_ length: BoardDepthCheck.LengthError) -> String {
    "\(signed(100 * length.share, 1)) ± \((100 * length.sigmaShare).fixed(1)) %"
  }

  func signed(_ value: Double, _ decimals: Int) -> String {
    (value > 0 ? "+" : "") + value.fixed(decimals)
  }
}

extension BlockSigma {
  /// The ± of the number over a constant.
  fileprivate func divided(by divisor: Double) -> BlockSigma {
    BlockSigma(sigma: sigma / divisor, freedom: freedom)
  }
}
