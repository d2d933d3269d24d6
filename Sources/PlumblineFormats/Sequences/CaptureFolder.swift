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
}
