public import PlumblineIO
public import PlumblineModel

/// The files of a folder, or of an archive, as a reader of recordings sees them.
///
/// It lets Formats read folders without touching the disk itself: the command line hands in a real
/// folder or an archive, tests hand in bytes. Names are paths with `/` between folders, such as
/// `depth/000012.png`; none starts with `/` or has a part `..`.
public protocol CaptureFolder: Sendable {
  /// The paths of its regular files, those of folders inside too, in ascending order of their bytes.
  var fileNames: [String] { get }

  /// What is odd about the folder itself, such as entries that cannot be read.
  var findings: [Finding] { get }

  /// All bytes of a file.
  ///
  /// - Throws: ``CaptureReadingError`` when it cannot be read or is over a limit.
  func bytes(of fileName: String) throws(CaptureReadingError) -> [UInt8]

  /// The first bytes of a file, at most `count`; all of them when it has no more.
  ///
  /// Layouts are distinguished and frames ordered by them, so a folder on a disk should read no
  /// more than is requested.
  ///
  /// - Throws: As ``bytes(of:)`` does.
  func firstBytes(of fileName: String, count: Int) throws(CaptureReadingError) -> [UInt8]

  /// A file for reading piece by piece, such as a video; no limit of size holds for it.
  ///
  /// - Throws: As ``bytes(of:)`` does.
  func source(of fileName: String) throws(CaptureReadingError) -> any ByteSource
}

extension CaptureFolder {
  /// Nothing.
  public var findings: [Finding] { [] }

  /// The first bytes of a file, by way of all of them.
  public func firstBytes(
    of fileName: String, count: Int
  ) throws(CaptureReadingError) -> [UInt8] {
    Array(try bytes(of: fileName).prefix(count))
  }

  /// A file as a source, by way of all of its bytes.
  public func source(of fileName: String) throws(CaptureReadingError) -> any ByteSource {
    MemoryBytes(try bytes(of: fileName))
  }

  /// The names of the files that lie in no folder inside.
  var topFileNames: [String] { fileNames.filter { !$0.utf8.contains(UInt8(ascii: "/")) } }
}
