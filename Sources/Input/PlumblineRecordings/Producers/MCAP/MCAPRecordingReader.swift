import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineStreams

/// MCAP files with the profile `ros2`: recordings of this project, and any ROS 2 bag with depth
/// images.
enum MCAPRecordingReader {
  /// Opens a file.
  ///
  /// - Throws: `.missing` for a file without depth images; `.unsupported` for one without CDR
  ///   messages; errors of the container. Cost: the index for closed recordings of this project,
  ///   else one pass over the file.
  static func recording(
    from source: any ByteSource, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    let file = try MCAPFile(source: source, limits: limits)
    if PlumblineStream.recognizes(file) {
      return try PlumblineStream(file, limits: limits).recording()
    }
    return try ROSBag(file, limits: limits).recording()
  }
}

/// A folder with one MCAP file, as `ros2 bag record` writes it: `metadata.yaml` and the bag.
enum MCAPFolderLayout: RecordingLayout {
  static let name = "ROS 2 bag"
  static let signs = "one .mcap file, as ros2 bag record writes it"

  private static func files(_ folder: any CaptureFolder) -> [String] {
    folder.topFileNames.filter { $0.lowercased().hasSuffix(".mcap") }
  }

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) -> Bool { !files(folder).isEmpty }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    let files = files(folder)
    guard let file = files.first, files.count == 1 else {
      let names = files.prefix(3).map { printable(text: $0) }.joined(separator: ", ")
      throw CaptureReadingError(
        .unsupported,
        expected: "a folder with one .mcap file; name one of them instead of the folder",
        found: "\(files.count): \(names)\(files.count > 3 ? ", …" : "")")
    }
    do throws(CaptureReadingError) {
      return try MCAPRecordingReader.recording(from: folder.source(of: file), limits: limits)
    } catch {
      throw error.inside(printable(text: file))
    }
  }
}
