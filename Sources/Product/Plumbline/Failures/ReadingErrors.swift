public import PlumblineVerification
public import PlumblineExport
public import PlumblineIO

extension InputError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch self {
    case .notFound: .missingInput
    case .unreadable(_, _, let isPermission): isPermission ? .missingInput : .inputOutput
    case .notAFile, .notAFolder, .notARecording, .tooLarge, .tooManyFiles, .unfinishedSet:
      .unusableInput
    }
  }

  /// `true`: the sentence begins with the file or ends with it.
  public var namesItsPath: Bool { true }
}

extension CaptureReadingError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch reason {
    case .malformed, .unsupported, .missing, .limitExceeded: .unusableInput
    }
  }
}

extension JSONReadingError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch reason {
    case .malformed, .unsupported, .missing, .limitExceeded: .unusableInput
    }
  }
}

extension CalibrationReadingError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch reason {
    case .malformed, .unsupported, .missing, .limitExceeded: .unusableInput
    }
  }
}

extension CalibrationFileError: CategorizedError {
  /// The category of the error in the file.
  public var category: FailureCategory { error.category }

  /// `true`: the file is not the capture but another one.
  public var namesItsPath: Bool { true }
}

extension DeviceCatalogError: CategorizedError {
  /// Who can act on it: the catalog is a part of the program.
  public var category: FailureCategory {
    switch reason {
    case .malformed, .inconsistent: .programFault
    }
  }
}

extension DeviceMeasurementError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch reason {
    case .malformed, .limitExceeded, .missing: .unusableInput
    }
  }

  /// `true` where it names the file, which is not the capture but another one.
  public var namesItsPath: Bool { file != nil }
}
