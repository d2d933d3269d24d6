package import PlumblineIO
extension CaptureReadingError {
  /// What a JSON text of a capture lacks, below the structures that hold it.
  package init(_ error: JSONReadingError, inside path: [String] = []) {
    let reason: Reason =
      switch error.reason {
      case .malformed: .malformed
      case .unsupported: .unsupported
      case .missing: .missing
      case .limitExceeded: .limitExceeded
      }
    self.init(
      reason, path: path + error.path, offset: error.offset, expected: error.expected,
      found: error.found)
  }
}
