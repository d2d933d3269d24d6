import PlumblineVision

extension CalibrationComparison {
  /// The sides that state how far their pixels can be off.
  enum StatedUncertainties: String {
    /// The first side alone.
    case first = "a"
    /// The second side alone.
    case second = "b"
    /// Both sides.
    case both

    /// The sides that state a ±, as words after "the ± that".
    var words: String {
      switch self {
      case .first: "the first states"
      case .second: "the second states"
      case .both: "both state"
      }
    }
  }

  /// The sides that state a ± of pixels; `nil` where no side does.
  var statedUncertainties: StatedUncertainties? {
    switch (first.uncertainty?.projection, second.uncertainty?.projection) {
    case (nil, nil): nil
    case (_?, nil): .first
    case (nil, _?): .second
    case (_?, _?): .both
    }
  }

  /// How far apart both see rays once the rotation of the whole camera is taken out, in a clause.
  public var rotationText: String {
    guard let rotated = projection.summaryWithoutRotation, let whole = projection.summary,
      let degrees = projection.angleDegrees
    else { return "not known: too few rays of the first are in the image of the second" }
    let angle = degrees < 0.0005 ? "under 0.001°" : "\(degrees.fixed(degrees < 1 ? 3 : 2))°"
    return "up to \(rotated.maximumPixels.fixed(2)) px apart instead of "
      + "\(whole.maximumPixels.fixed(2)) once a rotation of \(angle) is taken out (median "
      + "\(rotated.medianPixels.fixed(2)) px\(sigmasText))"
  }

  /// How many times the ± the difference is at most, after a semicolon; empty where no side states
  /// one.
  private var sigmasText: String {
    guard let stated = statedUncertainties, let sigmas = projection.maximumSigmas else { return "" }
    return "; at most \(sigmas.fixed(1)) times the ± that \(stated.words)"
  }
}
