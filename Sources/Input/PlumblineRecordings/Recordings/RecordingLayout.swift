public import PlumblineImages
public import PlumblineIO
import PlumblineStreams

/// A way in which an app or a data set lays its frames out in files.
///
/// A new layout is a type that conforms, with a line in ``Recording/layouts`` and a page in
/// `Documentation/formats`.
package protocol RecordingLayout: Sendable {
  /// The name of the layout, such as `Record3D`.
  static var name: String { get }

  /// The files that give it away, in words for someone whose folder was not recognized, such as
  /// `metadata and rgbd/0.depth`.
  static var signs: String { get }

  /// Whether a folder is one, by names and, where they are not enough, the first bytes of files.
  ///
  /// A folder that is one but damaged is recognized all the same, so that the user hears what is
  /// wrong with it.
  ///
  /// `names` are ``CaptureFolder/fileNames`` as a set, for quick look-up.
  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool

  /// Reads what identifies the frames and puts them in order; decodes no image.
  ///
  /// - Throws: ``CaptureReadingError`` for a folder of this layout that cannot be used at all; what
  ///   costs single frames or fields becomes a finding.
  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording
}

extension Recording {
  /// Whether its frames are photos that need not belong together.
  package var isPhotoFolder: Bool { layout == PhotoFolderLayout.name }

  /// All layouts, the most telling signs first: the first that recognizes a folder reads it.
  package static let layouts: [any RecordingLayout.Type] = [
    PolycamLayout.self,
    ScannerApp3DLayout.self,
    ARKitScenesLayout.self,
    NerfstudioLayout.self,
    COLMAPLayout.self,
    AVFoundationDumpLayout.self,
    StrayScannerLayout.self,
    Record3DLayout.self,
    StandardCyborgLayout.self,
    RGBDJSONLayout.self,
    TUMLayout.self,
    Open3DLayout.self,
    LoosePairsLayout.self,
    PhotoFolderLayout.self,
    MCAPFolderLayout.self,
  ]

  /// Finds out what a folder or an archive holds and puts its frames in the order of their time.
  ///
  /// - Parameters:
  ///   - folder: The files.
  ///   - limits: What may be spent on one frame, and on their number.
  /// - Throws: `.missing` for a folder without frames of a known layout, which says what it
  ///   holds, and which layouts are known in ``CaptureReadingError/choices``;
  ///   `.limitExceeded`; what its files throw. Cost: the metadata, and the first bytes of each file.
  public init(
    folder: any CaptureFolder, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    let fileNames = folder.fileNames
    try limits.require(fileNames.count, atMost: limits.folderFiles, "files of a folder")
    let names = Set(fileNames)
    for layout in Self.layouts
    where try layout.recognizes(folder, names: names, limits: limits) {
      self = try layout.recording(from: folder, limits: limits).adding(folder.findings)
      // Signs may lie where no frame can: `rgbd/notes/0.depth`.
      guard !frames.isEmpty else {
        throw CaptureReadingError(
          .missing, expected: "frames of \(layout.name): \(layout.signs)",
          found: Self.summary(of: folder))
      }
      return
    }
    throw CaptureReadingError(
      .missing, expected: "a folder of frames in a known layout",
      found: Self.summary(of: folder),
      // A folder without files is none of them, whatever their signs.
      choices: fileNames.isEmpty ? [] : Self.layouts.map { "\($0.name): \($0.signs)" })
  }
}

extension Recording {
  /// Opens a file that is a recording by itself: an archive such as `.r3d`, or a stream such as
  /// MCAP.
  ///
  /// - Returns: `nil` for a file that starts like neither.
  /// - Throws: ``CaptureReadingError`` for one that does and cannot be used. Cost: its index.
  public init?(
    source: any ByteSource, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    let start = try source.bytes(in: 0..<min(16, source.byteCount))
    // One line for each kind of file that is a recording by itself.
    if ZIPArchive.recognizes(start) {
      self = try Recording(folder: ZIPArchive(source, limits: limits), limits: limits)
    } else if MCAPFile.recognizes(source) {
      self = try MCAPRecordingReader.recording(from: source, limits: limits)
    } else {
      return nil
    }
  }
}
