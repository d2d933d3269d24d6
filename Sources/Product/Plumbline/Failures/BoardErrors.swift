public import PlumblineVerification
public import PlumblineVision

extension BoardNotationError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory { .usage }
}

extension BoardFitError: CategorizedError {
  /// Who can act on it.
  package var category: FailureCategory { .usage }
}

extension BoardFramesError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch self {
    case .unequalImages, .unequalBoards, .otherCalibrationSize: .unusableInput
    }
  }
}

extension CalibrationError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch reason {
    case .tooFewCorners, .cornersOnLine, .mirroredView, .noPose, .tooFewViews, .unequalSizes,
      .viewsAlike, .focalUnobservable, .parameterUnobservable, .notConverged:
      .notMeasurable
    }
  }
}
