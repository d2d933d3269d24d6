import PlumblineModel
public import PlumblineVerification
import PlumblineExport
public import PlumblineVision

extension DepthAgainstBoard {
  /// The number of frames it rests on and their distances, in words.
  var framesText: String {
    let count = frames.count.counting(isFrontal ? "frontal frame" : "frame")
    let near = (1000 * (frames.map(\.distanceMeters).min() ?? distanceMeters)).fixed(0)
    let far = (1000 * (frames.map(\.distanceMeters).max() ?? distanceMeters)).fixed(0)
    return near == far ? "\(count) at \(near) mm" : "\(count) from \(near) to \(far) mm"
  }
}

extension CalibrationMeasurement {
  /// The measurement in a sentence.
  var sentence: String {
    "The focal length is \(focalText) from \(frameNames.count.counting("frame")), with "
      + (uncertainty.principalPointPixels == nil ? "the device's" : "a measured")
      + " principal point and \(lensText == "none" ? "no lens" : lensText)."
  }

  private var focalText: String {
    let sigma = uncertainty.focalLengthPixels.map { " ± \($0.x.fixed(2))" } ?? ""
    return "\(camera.intrinsics.focalLength.x.fixed(2))\(sigma) px"
  }

  private var lensText: String {
    switch camera.lens {
    case .none: "none"
    case .radial: lens == .spline ? "a spline of the radius" : "the device's table"
    case .polynomial: "a polynomial"
    }
  }

  /// How far corners miss: those that count, all of them, and those of frames left out.
  public var missText: String {
    let left = leftOutRMSPixels.map { ", frames left out \($0.fixed(3))" } ?? ""
    return "\(rmsPixels.fixed(3)) px RMS (all corners \(rmsOfAllPixels.fixed(3))\(left))"
  }

  /// The camera's numbers for cards.
  var numbers: [FigurePage.Number] {
    let center = camera.intrinsics.principalPoint
    let sigma = uncertainty.principalPointPixels
    func text(_ value: Double, _ sigma: Double?) -> String {
      value.fixed(2) + (sigma.map { " ± \($0.fixed(2))" } ?? "")
    }
    return [
      .init(
        name: "Focal length", value: focalText.boundUnits,
        note: "in images of \(camera.intrinsics.size)"),
      .init(
        name: "Principal point",
        value: "\(text(center.x, sigma?.x)), \(text(center.y, sigma?.y)) px".boundUnits,
        note: sigma == nil ? "the device's, kept" : "measured"),
      .init(
        name: "Lens", value: lensText,
        note: isRectified ? "the images are rectified" : "the images are not rectified"),
      .init(
        name: "Reprojection", value: "\(rmsPixels.fixed(3))\u{A0}px", note: missText.boundUnits),
      .init(
        name: "Frames", value: "\(frameNames.count)", note: "that did not move"),
    ]
  }
}

extension LensEstimate {
  /// How far corners miss, shortly: of frames left out where that is known.
  package var missText: String {
    leftOut.map { "left-out RMS \($0.rmsPixels.fixed(2)) px" } ?? "RMS \(rmsPixels.fixed(2)) px"
  }

  /// The errors of corners by each way of counting.
  var missNote: String {
    "RMS of the corners that count; all corners \(fit.rmsOfAllPixels.fixed(3)) px"
      + (leftOut.map { "; of frames left out \($0.rmsPixels.fixed(3)) px" } ?? "")
  }
}

extension LensEstimate.Lens {
  /// The assumption in a few words.
  package var words: String {
    switch self {
    case .focal: "focal length alone"
    case .radial: "with two radial terms"
    case .spline: "with a spline of the radius"
    case .tableInverse: "through the device's table"
    case .tableForward: "through its other table"
    }
  }

  /// The same for a figure on a narrow screen.
  var name: String {
    switch self {
    case .focal: "focal alone"
    case .radial: "radial terms"
    case .spline: "spline"
    case .tableInverse: "device's table"
    case .tableForward: "other table"
    }
  }
}

extension BoardNotation {
  /// The board in words, such as “ChArUco 10 × 8, squares of 30 mm, DICT_4X4_50, legacy layout”.
  public var words: String {
    let parts = text.split(separator: ":")
    let size =
      "\(board.columns) × \(board.rows), squares of "
      + (parts.count > 2 ? parts[2].replacing("mm", with: " mm") : "")
    guard case .charuco(let pattern) = board.pattern else { return "chessboard \(size)" }
    return "ChArUco \(size), \(pattern.dictionary.rawValue)"
      + (pattern.layout == .legacy ? ", legacy layout" : "")
  }
}

extension String {
  /// The text with numbers, ± and units that no line break parts.
  var boundUnits: String {
    replacing(" ± ", with: "\u{A0}±\u{A0}").replacing("± ", with: "±\u{A0}")
      .replacing(" px", with: "\u{A0}px").replacing(" %", with: "\u{A0}%")
      .replacing(" mm", with: "\u{A0}mm")
  }
}

extension Double {
  /// The number with a sign.
  func signed(_ decimals: Int) -> String {
    let text = fixed(decimals)
    return (self > 0 && text.contains { $0 != "0" && $0 != "." } ? "+" : "") + text
  }
}

extension CalibrationVerification {
  /// How far apart the device's own camera and the measured one see the same rays, the rotation of
  /// the whole camera taken out.
  ///
  /// - Parameter measurement: The camera that `calibrate` took; `nil` for that of the verdict.
  /// - Returns: The figure; `nil` where one of the cameras is not known.
  func differenceFigure(_ measurement: CalibrationMeasurement?) -> FigurePage.Figure? {
    guard let factory = factoryCamera, let own = measurement?.camera ?? measured?.camera,
      factory.intrinsics.size == own.intrinsics.size
    else { return nil }
    let difference = ProjectionDifference(factory, own, secondUncertainty: projection)
    guard let whole = difference.summary, let rotated = difference.summaryWithoutRotation,
      let degrees = difference.angleDegrees
    else { return nil }
    let sigmas = difference.maximumSigmas.map { ", at most \($0.fixed(1)) times its ±" } ?? ""
    return FigurePage.Figure(
      title: "Factory and measured camera",
      caption: ("Each arrow leads from where the factory's camera sees a ray, its dot, to where the "
        + "measured one sees it, once a rotation of \(degrees.fixed(3))° is taken out: up to "
        + "\(rotated.maximumPixels.fixed(2)) px\(sigmas); \(whole.maximumPixels.fixed(2)) px with the "
        + "rotation. Arrows along the radius alone mean another focal length or lens.").boundUnits,
      drawing: .vectors(
        difference.figure(of: own.intrinsics.size, \.differenceWithoutRotation)))
  }
}
