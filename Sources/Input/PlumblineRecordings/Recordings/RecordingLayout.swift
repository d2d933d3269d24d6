public import PlumblineImages
public import PlumblineIO
import PlumblineStreams

/// A file layout in which an app or a data set stores its frames.
///
/// To add a layout, add a type that conforms to this protocol and a line in ``Recording/layouts``;
/// what else comes with it stands in `Documentation/formats/README.md`, “How to add a format”.
package protocol RecordingLayout: Sendable {
  /// The name of the layout, such as `Record3D`.
  static var name: String { get }

  /// The files by which the layout is recognized, in words for an error message, such as
  /// `metadata and rgbd/0.depth`.
  static var signs: String { get }

  /// Whether a folder has this layout, by its file names and, if necessary, the first bytes of
  /// files.
  ///
  /// A damaged folder of this layout is recognized too, so that the error describes the damage.
  ///
  /// `names` are ``CaptureFolder/fileNames`` as a set, for quick lookup.
  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool

  /// Reads the data that identify the frames and sorts them; decodes no image.
  ///
  /// - Throws: ``CaptureReadingError`` for a folder of this layout that is not usable at all;
  ///   problems of single frames or fields become findings.
  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording
}

extension Recording {
  /// Whether its frames are independent photos.
  package var isPhotoFolder: Bool { layout == PhotoFolderLayout.name }

  /// All layouts, the most specific first; the first one that recognizes a folder reads it.
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

  /// Recognizes the layout of a folder or an archive and lists its frames in time order.
  ///
  /// - Parameters:
  ///   - folder: The files.
  ///   - limits: The limits for one frame and for the number of frames.
  /// - Throws: `.missing` for a folder without frames of a known layout, with a description of its
  ///   contents and the known layouts in ``CaptureReadingError/choices``; `.limitExceeded`; errors
  ///   of its files. Cost: the metadata, and the first bytes of each file.
  public init(
    folder: any CaptureFolder, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    let fileNames = folder.fileNames
    try limits.require(fileNames.count, atMost: limits.folderFiles, "files of a folder")
    if let layout = try Self.layout(of: folder, limits: limits) {
      self = try layout.recording(from: folder, limits: limits).adding(folder.findings)
      // The files that identify a layout may lie where no frame can: `rgbd/notes/0.depth`.
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
      // A folder without files has no layout, so the known layouts are not listed.
      choices: fileNames.isEmpty ? [] : Self.layouts.map { "\($0.name): \($0.signs)" })
  }
}

extension Recording {
  /// The layout by which a folder is read; `nil` where it has none that is known.
  ///
  /// - Throws: Errors of its files. Cost: the names, and the first bytes of some files.
  package static func layout(
    of folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> (any RecordingLayout.Type)? {
    let names = Set(folder.fileNames)
    for layout in layouts where try layout.recognizes(folder, names: names, limits: limits) {
      return layout
    }
    return nil
  }

  /// What a folder on a disk holds, for callers that take many captures.
  package enum FolderContent: Sendable {
    /// One recording.
    case recording
    /// These files of the folder itself: photos and recordings in one file, in natural order of their
    /// names.
    case files([String])
  }

  /// Whether a folder is one recording or holds captures that have nothing to do with each other.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - subfolderNames: Its folders, where they are read by themselves; then one of which two or
  ///     more are recordings is none itself.
  ///   - limits: The limits for reading.
  /// - Returns: The recording, or the files.
  /// - Throws: Errors of its files. Cost: as ``layout(of:limits:)``, for each folder.
  package static func content(
    of folder: any CaptureFolder, subfolderNames: [String], limits: ReadingLimits
  ) throws(CaptureReadingError) -> FolderContent {
    let layout = try layout(of: folder, limits: limits)
    let files = folder.topFileNames.filter { isSingleCapture($0) }
      .sorted(by: NaturalOrder.precedes)
    let streams = files.filter { $0.lowercased().hasSuffix(".mcap") }
    guard let layout, layout.name != PhotoFolderLayout.name,
      layout.name != MCAPFolderLayout.name || streams.count == 1
    else { return .files(files) }
    var recordings = 0
    for name in subfolderNames {
      let inside = try Self.layout(of: Subfolder(folder, path: name + "/"), limits: limits)
      if let inside, inside.name != PhotoFolderLayout.name { recordings += 1 }
      if recordings == 2 { return .files(files) }
    }
    return .recording
  }

  /// Whether a name is that of a photo or of a recording in one file; hidden files, such as those in
  /// which macOS keeps attributes, are neither.
  private static func isSingleCapture(_ name: String) -> Bool {
    let path = FolderPath(name)
    return !name.utf8.starts(with: ".".utf8)
      && (CaptureReader.photoEndings + ["r3d", "mcap", "bag"]).contains(path.ending)
  }
}

extension Recording {
  /// Opens a single file that is a recording: an archive such as `.r3d`, or a stream such as MCAP
  /// or a bag of ROS 1.
  ///
  /// - Returns: `nil` if the file starts like neither.
  /// - Throws: ``CaptureReadingError`` for an archive or stream that is not usable. Cost: its
  ///   index.
  public init?(
    source: any ByteSource, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    let start = try source.bytes(in: 0..<min(16, source.byteCount))
    // One line for each kind of file that can be a recording.
    if ZIPArchive.recognizes(start) {
      self = try Recording(folder: ZIPArchive(source, limits: limits), limits: limits)
    } else if MCAPFile.recognizes(source) {
      self = try MCAPRecordingReader.recording(from: source, limits: limits)
    } else if ROS1BagFile.recognizes(start) {
      self = try ROSBag(ROS1BagFile(source: source, limits: limits), limits: limits).recording()
    } else {
      return nil
    }
  }
}
