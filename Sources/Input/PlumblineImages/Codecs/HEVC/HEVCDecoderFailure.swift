import PlumblineIO

/// Why a platform codec gave no image.
enum HEVCDecoderFailure: Error, Sendable, Hashable {
  /// The codec answered with a status at a step.
  case status(Int32, step: String)
  /// The codec reported success but gave no image.
  case noImage
  /// The image is not in the layout that the stream states.
  case unfit(CaptureReadingError)

  /// `kVTInvalidSessionErr`: the system has taken the session away.
  private static let invalidSession: Int32 = -12_903
  /// `kVTVideoDecoderMalfunctionErr`: the decoder of the session does not work any more.
  private static let malfunction: Int32 = -12_911
  /// `kVTVideoDecoderBadDataErr`: the codec has found damage.
  private static let badData: Int32 = -12_909

  /// Whether the same image may be decoded by a session that is opened anew.
  var mayPassWithNewSession: Bool {
    if case .status(let code, _) = self {
      return code == Self.invalidSession || code == Self.malfunction
    }
    return false
  }

  /// The error for a reader: `.malformed` for damage, else `.unsupported`.
  func readingError(_ path: [String]) -> CaptureReadingError {
    switch self {
    case .unfit(let error): return error
    case .noImage:
      return CaptureReadingError(
        .malformed, path: path, expected: "a sound HEVC image", found: "no image")
    case .status(let code, let step):
      let isDamage = code == Self.badData
      return CaptureReadingError(
        isDamage ? .malformed : .unsupported, path: path,
        expected: isDamage ? "a sound HEVC image" : "an HEVC image that VideoToolbox decodes",
        found: "status \(code) at \(step)")
    }
  }
}
