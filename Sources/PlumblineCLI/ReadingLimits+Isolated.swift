import Plumbline

extension ReadingLimits {
  /// The default limits, with the codecs of others in processes of their own where there are any
  /// (Linux); each use makes its own.
  static var isolated: ReadingLimits {
    var limits = ReadingLimits()
    limits.codecs = .ownProgram()
    return limits
  }
}
