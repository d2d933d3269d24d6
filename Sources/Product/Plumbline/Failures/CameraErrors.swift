public import PlumblineCapture
public import PlumblineStreams

// A command reports the end of a camera or a stream by itself; as its error none of these is expected.

extension DepthCameraError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch self {
    case .notAuthorized, .noDevice, .noFormat, .configuration, .interrupted, .failed: .programFault
    }
  }
}

extension FormatChoiceError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch self {
    case .deviceTooNew, .nothingFits: .programFault
    }
  }
}

extension StreamLinkError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch part {
    case .length, .scheme, .host, .port, .token, .fingerprint: .programFault
    }
  }
}

extension StreamTransportError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch self {
    case .unreachable, .refused, .untrusted, .otherCertificate, .closed: .programFault
    }
  }
}

extension PublishingFailure: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch self {
    case .connection, .refused: .programFault
    }
  }
}

extension StreamFailure: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch code {
    case .badRequest, .noWebSocket, .noToken, .foreignOrigin, .missing, .notAllowed, .limitExceeded,
      .malformed, .unsupported, .expectation, .foreignHost, .failed:
      .programFault
    }
  }
}
