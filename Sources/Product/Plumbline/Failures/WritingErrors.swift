public import PlumblineIO
public import PlumblineImages
public import PlumblineRecordings
public import PlumblineStreams

extension OutputError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory { reason.category }

  /// `true`: it is about an output.
  public var namesItsPath: Bool { true }
}

extension OutputError.Reason {
  /// Who can act on it.
  fileprivate var category: FailureCategory {
    switch self {
    case .isRead: .usage
    case .exists, .cannotCreate: .cannotCreate
    case .inputOutput: .inputOutput
    }
  }
}

extension RecordingWritingError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch self {
    case .unrepresentable: .unusableInput
    case .output(_, _, let reason, _): reason.category
    }
  }

  /// `true`: it is about an output.
  public var namesItsPath: Bool { true }
}

extension MCAPRecovery.Failure: CategorizedError {
  /// That of the side that failed.
  public var category: FailureCategory {
    switch self {
    case .reading(let error): error.category
    case .writing(let error): error.category
    }
  }
}

extension PhotoWritingError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch self {
    case .unreadable, .unrepresentable: .unusableInput
    // A program that is not installed is an input that is not there.
    case .encoder: .missingInput
    }
  }
}

extension LoopEncodingError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch reason {
    // A program that is not installed is an input that is not there.
    case .absent: .missingInput
    case .failed: .programFault
    case .frames: .unusableInput
    case .outOfRange: .usage
    }
  }
}
