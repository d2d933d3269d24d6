public import PlumblineCorrection
public import PlumblineEffects
public import PlumblineInference
public import PlumblineGeometry
public import PlumblineStereo

extension CorrectionError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch reason {
    case .missing, .mismatch, .unsupported, .relative: .unusableInput
    }
  }
}

extension DistanceFitError: CategorizedError {
  /// Who can act on it.
  package var category: FailureCategory {
    switch self {
    case .outside, .notMeasured, .tooSimilar, .reversed, .count: .usage
    }
  }
}

extension StereoError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch reason {
    case .missing, .mismatch, .degenerate, .unsupported, .relative, .limitExceeded: .unusableInput
    }
  }
}

extension InferenceError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch reason {
    // What is not installed is an input that is not there.
    case .notInstalled: .missingInput
    case .malformed, .unsupported, .mismatch: .unusableInput
    case .failed: .programFault
    }
  }
}

extension EstimationError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch reason {
    case .missing, .cameraUnknown, .mismatch, .degenerate: .unusableInput
    }
  }
}

extension EffectError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch reason {
    case .missing, .mismatch: .unusableInput
    case .outOfRange: .usage
    }
  }
}

extension MeshError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch reason {
    case .mismatch, .outOfRange, .degenerate, .limitExceeded: .unusableInput
    }
  }
}

extension ProximityError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch self {
    case .notMetric, .relativeEstimate: .notMeasurable
    }
  }
}
