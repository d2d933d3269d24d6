public import Plumbline
public import PlumblineServer

// Here, since the server does not know the module of the protocol.

extension ServerError: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory {
    switch self {
    case .notListening, .state: .inputOutput
    case .certificate: .unusableInput
    }
  }

  /// `true`: it is about the server's own files and address.
  public var namesItsPath: Bool { true }
}

extension QRCode.TooLong: CategorizedError {
  /// Who can act on it.
  public var category: FailureCategory { .programFault }
}
