public import PlumblineModel
public import PlumblineStreams

/// The formats in which recordings are written; `rawValue` is what the command line calls them.
///
/// A new one is a ``RecordingWriter`` beside its reader, a case here, and a page in
/// `Documentation/formats`.
public enum RecordingFormat: String, Sendable, CaseIterable {
  /// MCAP with ROS 2 messages: everything, without loss; see `Documentation/formats/mcap-ros2.md`.
  case mcap
  /// Record3D's archive.
  case record3D = "r3d"
  /// A Stray Scanner folder, with a video.
  case strayScanner = "stray"
  /// A TUM RGB-D folder.
  case tum
  /// An Open3D (Redwood) folder.
  case open3D = "open3d"
  /// A nerfstudio folder with `transforms.json`.
  case nerfstudio
  /// A COLMAP model as text, with images.
  case colmap
  /// A COLMAP model as binary, with images.
  case colmapBinary = "colmap-binary"
  /// A JPEG and a JSON text for each frame.
  case rgbdJSON = "rgbd-json"

  /// The ending of a file of this format; `nil` for folders.
  public var fileEnding: String? {
    switch self {
    case .mcap: "mcap"
    case .record3D: "r3d"
    default: nil
    }
  }

  /// The format of a name's extension; `nil` for none.
  public init?(fileName: String) {
    let name = fileName.lowercased()
    guard
      let format = Self.allCases.first(where: {
        $0.fileEnding.map { name.hasSuffix("." + $0) } == true
      })
    else { return nil }
    self = format
  }

  /// The aspects that it can hold beside depth.
  public var aspects: Set<RecordingAspect> {
    switch self {
    case .mcap: MCAPRecordingWriter.aspects
    case .record3D: Record3DRecordingWriter.aspects
    case .strayScanner: StrayRecordingWriter.aspects
    case .tum: TUMRecordingWriter.aspects
    case .open3D: Open3DRecordingWriter.aspects
    case .nerfstudio: NerfstudioRecordingWriter.aspects
    case .colmap, .colmapBinary: COLMAPRecordingWriter.aspects
    case .rgbdJSON: RGBDJSONRecordingWriter.aspects
    }
  }

  /// The kinds of color files that are written as they are, without loss; readers that are requested
  /// color with ``CaptureReader/ColorRequest/stored(_:)`` leave them undecoded.
  public var colorFileKinds: Set<EncodedImage.Kind> {
    switch self {
    case .mcap: MCAPRecordingWriter.colorFileKinds
    case .record3D: Record3DRecordingWriter.colorFileKinds
    case .rgbdJSON: RGBDJSONRecordingWriter.colorFileKinds
    default: []
    }
  }

  /// Starts writing.
  ///
  /// - Parameters:
  ///   - output: Where to; a single file is made under `fileName`.
  ///   - fileName: The name of a single file; folders ignore it.
  ///   - header: What is known before the first frame.
  /// - Returns: A writer before its first frame.
  /// - Throws: `.output`.
  public func writer(
    to output: any RecordingOutput, fileName: String, header: RecordingHeader
  ) throws(RecordingWritingError) -> any RecordingWriter {
    switch self {
    case .mcap: try MCAPRecordingWriter(file: output.makeFile(fileName), header: header)
    case .record3D: Record3DRecordingWriter(file: try output.makeFile(fileName), header: header)
    case .strayScanner: StrayRecordingWriter(output: output, header: header)
    case .tum: TUMRecordingWriter(output: output, header: header)
    case .open3D: Open3DRecordingWriter(output: output, header: header)
    case .nerfstudio: NerfstudioRecordingWriter(output: output, header: header)
    case .colmap: COLMAPRecordingWriter(output: output, header: header)
    case .colmapBinary: COLMAPRecordingWriter(output: output, header: header, encoding: .binary)
    case .rgbdJSON: RGBDJSONRecordingWriter(output: output, header: header)
    }
  }
}
