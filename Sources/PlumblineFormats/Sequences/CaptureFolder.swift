/// The files of a folder, or of an archive, as a reader of sequences sees them.
///
/// It lets Formats read folders without touching the disk itself: the command line hands in a real
/// folder, tests hand in bytes.
public protocol CaptureFolder: Sendable {
  /// The names of its regular files, without folders inside, in ascending order of their bytes.
  var fileNames: [String] { get }

  /// All bytes of a file.
  ///
  /// - Throws: ``CaptureReadingError`` when it cannot be read or is over a limit.
  func bytes(of fileName: String) throws(CaptureReadingError) -> [UInt8]

  /// The first bytes of a file, at most `count`; all of them when it has no more.
  ///
  /// Layouts are told apart and frames put in order by them, so a folder on a disk should read no
  /// more than it is asked for.
  ///
  /// - Throws: As ``bytes(of:)`` does.
  func firstBytes(of fileName: String, count: Int) throws(CaptureReadingError) -> [UInt8]
}

extension CaptureFolder {
  /// The first bytes of a file, by way of all of them.
  public func firstBytes(
    of fileName: String, count: Int
  ) throws(CaptureReadingError) -> [UInt8] {
    Array(try bytes(of: fileName).prefix(count))
  }
}
