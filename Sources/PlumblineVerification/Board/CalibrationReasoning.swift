import PlumblineModel
import PlumblineVision

/// From the numbers of a verification to its verdict, and why.
struct CalibrationReasoning {
  private let verification: CalibrationVerification

  init(_ verification: CalibrationVerification) { self.verification = verification }

  /// The verdict with its reason.
  ///
  /// The focal length decides where the frames determine it; else the lengths that the sensor's
  /// depth gives. Where both speak and contradict each other nothing is certain: most often the side
  /// of the squares is not what was said.
  var conclusion: (CalibrationVerdict, String) {
    guard let factory = verification.factory else {
      return (.cannotTell, "The frames carry no calibration of their own to judge." + measuredText)
    }
    let focal = factory.intrinsics.focalLength.x
    guard let known = knownFocal else { return withoutFocal(focal) }
    let test = ToleranceTest(share: known.focal / focal - 1, sigmaShare: known.sigma / focal)
    let numbers =
      "\(known.focal.fixed(2)) ± \(known.sigma.fixed(2)) px \(known.source) "
      + "(\(signed(100 * test.share, 2)) %)"
    switch test.verdict {
    case .doesNotFit:
      return (
        .doesNotFit,
        "The factory focal length of \(focal.fixed(2)) px does not fit: \(numbers)."
          + rectificationText + lengthText
      )
    case .cannotTell:
      return (
        .cannotTell,
        "The factory focal length of \(focal.fixed(2)) px is neither confirmed within 1 % nor "
          + "refuted: \(numbers). Take more frames with the board leaning in more directions."
      )
    case .fits: break
    }
    if let length = verification.factoryDepth?.length,
      ToleranceTest(length).verdict == .doesNotFit
    {
      return (
        .cannotTell,
        "The factory focal length of \(focal.fixed(2)) px fits: \(numbers); yet lengths measured "
          + "with it are \(percent(length)) off. Check the side of the board's squares; if it is "
          + "right, the sensor's depth is not."
      )
    }
    return (
      .fits,
      "The factory focal length of \(focal.fixed(2)) px fits: \(numbers)." + rectificationText
    )
  }

  /// The plumb-bob mode: a known length against the sensor's own depth.
  private func withoutFocal(_ focal: Double) -> (CalibrationVerdict, String) {
    let views = verification.frames.count
    let directions = verification.orientationCount
    let seen = directions == 1 ? "1 direction" : "\(directions) truly different directions"
    let why =
      views == 1
      ? "One frame does not determine the focal length"
      : "The \(views) frames show the board from \(seen), which does not determine the focal length"
    let advice = " Take 20 frames with the board leaning every way."
    guard let length = verification.factoryDepth?.length else {
      return (.cannotTell, why + ", and there is no depth on the board to measure with." + advice)
    }
    if ToleranceTest(length).verdict == .doesNotFit {
      return (
        .doesNotFit,
        why + "; but lengths measured with the factory's \(focal.fixed(2)) px are "
          + "\(percent(length)) off, which the sensor alone cannot explain." + advice
      )
    }
    return (
      .cannotTell,
      why
        + "; lengths measured with the factory's \(focal.fixed(2)) px are \(percent(length)) off, "
        + "which is no fault that one can see." + advice
    )
  }

  /// The focal length that the verdict rests on: the given one, else the measured one.
  private var knownFocal: (focal: Double, sigma: Double, source: String)? {
    if let given = verification.given, let sigma = given.focalSigma {
      return (given.camera.intrinsics.focalLength.x, sigma, "in the given calibration")
    }
    guard let measured = verification.measured else { return nil }
    let source =
      switch measured.lens {
      case .tableInverse: "measured through the lens's own table"
      case .radial: "measured together with the lens"
      case .focal, .tableForward: "measured"
      }
    return (measured.focal, measured.focalSigma, source)
  }

  private var measuredText: String {
    verification.measured.map {
      " The measured focal length is \($0.focal.fixed(2)) ± \($0.focalSigma.fixed(2)) px."
    } ?? ""
  }

  private var rectificationText: String {
    switch verification.rectification {
    case .rectified where verification.verdictNeedsLens:
      " The images are already rectified, so the tables do not apply to them."
    case .rectified: " The images are already rectified."
    case .distorted: " The images are not rectified: the lens's table applies to them."
    case .unknown: ""
    }
  }

  private var lengthText: String {
    verification.factoryDepth?.length.map {
      " Lengths measured with the factory's number are \(percent($0)) off."
    } ?? ""
  }

  private func percent(_ length: BoardDepthCheck.LengthError) -> String {
    "\(signed(100 * length.share, 1)) ± \((100 * length.sigmaShare).fixed(1)) %"
  }

  private func signed(_ value: Double, _ decimals: Int) -> String {
    (value > 0 ? "+" : "") + value.fixed(decimals)
  }
}

extension CalibrationVerification {
  /// Whether the factory describes a lens that the images do not have any more.
  var verdictNeedsLens: Bool { factory?.distortion.map { !$0.isZero } ?? false }

  /// What to say of frames without a usable board.
  static func noBoardReason(frameCount: Int, tooFew: Int) -> String {
    let frames =
      frameCount == 1 ? "The only frame does not show" : "None of \(frameCount) frames shows"
    return tooFew == 0
      ? "\(frames) the board. Is it another dictionary, another size, or out of view?"
      : "\(frames) at least \(minimumCorners) corners of the board; "
        + "\(tooFew) show\(tooFew == 1 ? "s" : "") fewer. Hold it nearer and flatter to the light."
  }
}

extension ToleranceTest {
  /// The test of a length error.
  init(_ length: BoardDepthCheck.LengthError) {
    self.init(share: length.share, sigmaShare: length.sigmaShare)
  }
}
