import PlumblineModel
import PlumblineVision

extension CalibrationReasoning {
  /// How far corners of left-out frames may miss before the board is doubted, in pixels of 640
  /// columns.
  ///
  /// - Source: sound frames of two iPads miss by 0.13 to 0.16 px, wrong boards by 1.9 and 5.8 px.
  static let boardDoubtPixels = 0.5
  /// The share of the frames with an image that must show the board.
  static let boardFrameShare = 0.2
  /// What half of the corners may miss in depth, as a share of the distance.
  ///
  /// - Source: 0.2 % on two iPads; a map mirrored left to right misses by 8 %.
  static let depthMissShare = 0.015

  /// Why the frames cannot be assessed with this board; `nil` where nothing speaks against it.
  var boardDoubt: String? {
    let usable = verification.frames.count
    let withImage = verification.frameCount - verification.imagelessCount
    guard verification.shownBoard == nil else {
      return "The images do not show the board that was stated." + shownText
    }
    guard usable > 0 else { return noBoardText(withImage) }
    let shown = verification.frames.count + verification.rejectedCount + verification.movingCount
    if withImage >= BoardFitter.minimumViews,
      Double(shown) < Self.boardFrameShare * Double(withImage)
    {
      return "Only \(shown) of \(withImage) frames show the board, which may be chance. Check the "
        + "board: columns, rows, dictionary and the side of its squares."
    }
    if let measured = verification.measured, let left = measured.leftOut,
      let width = verification.frames.first?.view.imageSize.width,
      left.rmsPixels > Self.boardDoubtPixels * max(1, Double(width) / 640)
    {
      return "Corners of frames that were left out miss by \(left.rmsPixels.fixed(2)) px, which no "
        + "camera explains. Check the board: columns, rows, layout and the side of its squares."
    }
    return nil
  }

  private var shownText: String {
    guard let board = verification.shownBoard else { return "" }
    var text = "\(board.columns) × \(board.rows) squares"
    if case .charuco(let pattern) = board.pattern {
      text = "a ChArUco board of \(text), \(pattern.dictionary.rawValue)"
      if pattern.layout == .legacy { text += ", legacy layout" }
    } else {
      text = "a chessboard of \(text)"
    }
    return " They show \(text); measure the side of its squares and state it with the board."
  }

  private func noBoardText(_ withImage: Int) -> String {
    let count = verification.frameCount
    if withImage == 0, count > 0 {
      return count == 1
        ? "The only frame has no color image, so no board can be looked for."
        : "None of \(count) frames has a color image, so no board can be looked for."
    }
    let frames =
      withImage == 1 ? "The only image does not show" : "None of \(withImage) images shows"
    let without =
      verification.imagelessCount == 0
      ? "" : " \(verification.imagelessCount) of \(count) frames have no image."
    let tooFew = verification.rejectedCount
    return
      (tooFew == 0
      ? "\(frames) the board. Is it another dictionary, another size, or out of view?"
      : "\(frames) at least \(CalibrationVerification.minimumCorners) corners of the board; "
        + "\(tooFew) show\(tooFew == 1 ? "s" : "") fewer. Hold it nearer and flatter to the light.")
      + without
  }

  /// Why the depth map does not belong to its image; `nil` where nothing speaks against it.
  var depthFaultText: String? {
    guard let depth = verification.measuredDepth ?? verification.factoryDepth else { return nil }
    let miss = depth.missInFrameMeters
    let half = "half of the corners miss by more than \((1000 * miss).fixed(1)) mm"
    let tail = " Depth cannot be combined with these images before that is set right."
    switch depth.slopes?.fault {
    case .mirroredLeftRight:
      return "The depth map is mirrored left to right against its image: \(half)." + tail
    case .mirroredTopBottom:
      return "The depth map is mirrored top to bottom against its image: \(half)." + tail
    case .upsideDown: return "The depth map is upside down against its image: \(half)." + tail
    case .enlarged(let share):
      return "The depth map does not show the view of its image: it slopes "
        + "\((100 * share).fixed(1)) % as much as the board, as a map does that shows "
        + "\(share < 1 ? "a part of the view enlarged" : "more than the view")." + tail
    case nil: break
    }
    guard miss > Self.depthMissShare * depth.distanceMeters else { return nil }
    return "The depth map does not show the board where the image does: \(half) at "
      + "\((1000 * depth.distanceMeters).fixed(0)) mm." + tail
  }

  var measuredText: String {
    verification.measured.map {
      " The measured focal length is \($0.focal.fixed(2)) ± \($0.focalSigma.fixed(2)) px."
    } ?? ""
  }

  /// What the images say of their lens, and whether the device's table is theirs.
  var rectificationText: String {
    let hasTable = verification.factory?.distortion.map { !$0.isZero } ?? false
    switch verification.rectification {
    case .rectified where hasTable:
      return " The images are already rectified, so the tables do not apply to them."
    case .rectified: return " The images are already rectified."
    case .distorted where !hasTable:
      return
        " The images are not rectified, and the device describes no lens: use the measured one."
    case .distorted where verification.tableFits == false:
      return
        " The images are not rectified, and the device's table does not describe their lens: use "
        + "the measured one."
    case .distorted: return " The images are not rectified: the lens's table applies to them."
    case .unknown: return ""
    }
  }

  /// Numbers that no phone's camera has: a principal point far from the middle, pixels that are not
  /// square; empty where there are none.
  var impossibleText: String {
    guard let intrinsics = verification.factory?.intrinsics else { return "" }
    let size = intrinsics.size
    let middle = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
    let away = intrinsics.principalPoint - middle
    let focal = intrinsics.focalLength
    if max(abs(away.x), abs(away.y)) > BoardFitter.plausibleCenterShare * Double(size.width) {
      return
        " Its principal point is \((away * away).sum().squareRoot().fixed(0)) px from the middle: "
        + "the numbers may belong to an image of another size."
    }
    if abs(focal.x / focal.y - 1) > CalibrationEvidence.tolerance {
      return
        " Its two focal lengths differ by \((100 * abs(focal.x / focal.y - 1)).fixed(1)) %, while "
        + "pixels are square."
    }
    return ""
  }

  /// That depth had no part in the verdict; empty where it had.
  var depthlessText: String {
    verification.factoryDepth == nil
      ? " No depth in meters was compared, so lengths are not confirmed." : ""
  }

  /// How far the focal length changed on the way; empty where that is little.
  var driftText: String {
    guard let percent = verification.measured?.splitHalfPercent, abs(percent) > Self.driftPercent
    else {
      return ""
    }
    return " The first and the second half of the frames differ by \(abs(percent).fixed(1)) %: the "
      + "focus may have moved on the way."
  }

  /// From what on halves of a sequence differ by more than those of sound devices: 0.4 and 0.5 %
  /// on two iPads.
  static let driftPercent = 0.75

  /// What a given calibration is worth by the same frames.
  var givenText: String {
    guard let given = verification.given else { return "" }
    let focal = given.camera.intrinsics.focalLength.x
    guard let measured = verification.measured, let ratio = verification.givenMissRatio else {
      return ""
    }
    let sigma = measured.sigma.adding(given.focalSigma ?? 0)
    let isOff = abs(focal - measured.focal) > sigma.plusMinus(normal: 3)
    guard ratio > Self.givenMissRatio || isOff else {
      return " The given calibration (\(focal.fixed(2)) px) agrees with these frames."
    }
    return
      " The given calibration (\(focal.fixed(2)) px) does not belong to these frames: corners miss "
      + "\(ratio.fixed(1)) times as far through it as through the measured camera, which is used instead."
  }

  /// How many times farther than through the measured camera corners may miss through a given one.
  ///
  /// - Source: right calibrations 1.0, 2 % off 1.8 to 2.2, of another device 10;
  ///   `Documentation/decisions/0030-when-a-calibration-fits.md`.
  static let givenMissRatio = 1.5

  var lensText: String {
    guard verification.rectification == .distorted, let outer = verification.measured?.leftOut
    else {
      return ""
    }
    return outer.outerRMSPixels > 1
      ? " Corners at the border of the image miss by \(outer.outerRMSPixels.fixed(1)) px: measure in the "
        + "middle." : ""
  }

  var lengthText: String {
    verification.factoryDepth?.length.map {
      " Lengths measured with the factory's number are \(percent($0)) off."
    } ?? ""
  }

  var lengthClause: String {
    verification.factoryDepth?.length.map { ", lengths \(percent($0)) off" } ?? ""
  }
}
