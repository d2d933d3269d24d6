import Plumbline

extension BlurReport {
  /// The focus in meters with its ±; `nil` for relative depth.
  private var focus: (meters: Double, sigma: Double)? {
    guard isMetric, focusDisparity > 0 else { return nil }
    // The slope of 1/d.
    return (1 / focusDisparity, focusSigma / (focusDisparity * focusDisparity))
  }

  /// Focus, opening and blur circles in a line.
  var sentence: String {
    // Disparities without a unit have any size.
    let decimals = abs(focusDisparity) < 0.1 ? 5 : 3
    let place =
      focus.map { "\($0.meters.fixed(3)) m ± \(Self.text(1000 * $0.sigma, 1)) mm" }
      ?? "disparity \(focusDisparity.fixed(decimals)) ± \(Self.text(focusSigma, decimals)), relative"
    return "blur: focus at \(place); f/\(fNumber.fixed(fNumber < 0.5 ? 3 : 1)), an opening of "
      + "\(apertureMillimeters.fixed(1)) mm; circles of \(Self.text(near)) at the nearest and "
      + "\(Self.text(far)) at the farthest hundredth of the photo "
      + "(± of the map's codes and of its own sigma; that of the sensor: plumbline check)"
  }

  /// The key `blur` of a document; what is not known is `null`.
  var document: JSONValue {
    func circle(_ circle: Circle) -> JSONValue {
      .object([
        ("diameterPixels", .number(circle.diameterPixels)),
        ("sigmaPixels", .number(circle.sigmaPixels)),
      ])
    }
    return .object([
      ("focusMeters", .number(focus?.meters)), ("focusSigmaMeters", .number(focus?.sigma)),
      ("focusDisparity", .number(focusDisparity)), ("focusSigma", .number(focusSigma)),
      ("fNumber", .number(fNumber)), ("apertureMillimeters", .number(apertureMillimeters)),
      ("near", circle(near)), ("far", circle(far)),
      ("largestRadiusPixels", .number(largestRadiusPixels)),
    ])
  }

  private static func text(_ circle: Circle) -> String {
    "\(circle.diameterPixels.fixed(1)) ± \(text(circle.sigmaPixels, 1)) px"
  }

  private static func text(_ sigma: Double, _ decimals: Int) -> String {
    sigma.isFinite ? sigma.fixed(decimals) : "?"
  }
}
