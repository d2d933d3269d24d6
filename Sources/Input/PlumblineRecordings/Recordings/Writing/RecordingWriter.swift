package import PlumblineImages
public import PlumblineModel
public import PlumblineStreams

/// Writes frames one after another in one format; its memory does not grow with their images.
///
/// ```swift
/// var writer = try MCAPRecordingWriter(file: file, header: header)
/// for index in recording.frames.indices { try writer.append(recording.capture(at: index)) }
/// try writer.finish()
/// ```
public protocol RecordingWriter {
  /// The kinds of color files that it copies, given as ``Capture/colorFile``; it writes no color
  /// for a capture with another kind of file and no pixels.
  static var colorFileKinds: Set<EncodedImage.Kind> { get }

  /// Writes the next frame.
  ///
  /// - Parameters:
  ///   - capture: The frame; times must not decrease.
  ///   - name: The name of the frame; formats with numbered frames ignore it.
  /// - Throws: `.unrepresentable` for a frame that the format cannot represent; `.output`. After
  ///   `.unrepresentable` the next frame can be written.
  mutating func append(_ capture: Capture, name: String) throws(RecordingWritingError)

  /// Writes motion samples in ascending order of time; a format without motion ignores them.
  ///
  /// - Throws: `.output`.
  mutating func append(motion samples: [MotionSample]) throws(RecordingWritingError)

  /// Synchronizes appended data to the disk; recorders call it every second.
  ///
  /// - Returns: The number of frames, counted from the first, that would survive a power failure; 0
  ///   for formats that guarantee none before their end.
  /// - Throws: `.output`; data stored before stay.
  @discardableResult
  mutating func flush() throws(RecordingWritingError) -> Int

  /// Writes the data at the end of the format; nothing may be appended afterwards.
  ///
  /// - Throws: `.output`; `.unrepresentable` if nothing was appended and the format needs
  ///   something.
  mutating func finish() throws(RecordingWritingError)
}

extension RecordingWriter {
  /// None; color must be decoded.
  public static var colorFileKinds: Set<EncodedImage.Kind> { [] }

  /// Does nothing and guarantees nothing.
  @discardableResult
  public mutating func flush() throws(RecordingWritingError) -> Int { 0 }
}

/// The facts about a recording before its first frame.
public struct RecordingHeader: Sendable {
  /// The up axis of the world of the poses.
  public var worldAxes: WorldAxes
  /// The writing program and the source recording, in words.
  public var origin: String

  /// Creates a header.
  public init(worldAxes: WorldAxes = .unknown, origin: String) {
    self.worldAxes = worldAxes
    self.origin = origin
  }
}

/// The data of a recording beside depth, so that a conversion can list what its target format
/// drops.
public enum RecordingAspect: String, Sendable, CaseIterable {
  /// Color images.
  case color
  /// Times of frames.
  case timestamps
  /// The camera's intrinsics, one set for the whole recording.
  case intrinsics
  /// The camera's intrinsics for each frame.
  case intrinsicsPerFrame
  /// Lens distortion.
  case distortion
  /// The camera's poses.
  case poses
  /// The sensor's confidence of each pixel.
  case confidence
  /// The uncertainty of each pixel.
  case sigma
  /// The residual of an estimate against a measurement.
  case residual
  /// Motion samples.
  case motion
  /// The device, accuracy and provenance.
  case provenance
  /// Depth exactly as stored; other formats round it, usually to millimeters.
  case exactDepth
}

/// The output formats for recordings; `rawValue` is the name on the command line.
///
/// To add a format, add a ``RecordingWriter`` beside its reader, a case here, and a page in
/// `Documentation/formats`.
public enum RecordingFormat: String, Sendable, CaseIterable {
  /// MCAP with ROS 2 messages: all data, lossless; see `Documentation/formats/mcap-ros2.md`.
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
  package var fileEnding: String? {
    switch self {
    case .mcap: "mcap"
    case .record3D: "r3d"
    default: nil
    }
  }

  /// The format for the ending of a file name; `nil` for none.
  public init?(fileName: String) {
    let name = fileName.lowercased()
    guard
      let format = Self.allCases.first(where: {
        $0.fileEnding.map { name.hasSuffix("." + $0) } == true
      })
    else { return nil }
    self = format
  }

  /// The aspects that it can store beside depth.
  package var aspects: Set<RecordingAspect> {
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

  /// The kinds of color files that are copied without loss; readers that request color with
  /// ``CaptureReader/ColorRequest/stored(_:)`` do not decode them.
  package var colorFileKinds: Set<EncodedImage.Kind> {
    switch self {
    case .mcap: MCAPRecordingWriter.colorFileKinds
    case .record3D: Record3DRecordingWriter.colorFileKinds
    case .rgbdJSON: RGBDJSONRecordingWriter.colorFileKinds
    default: []
    }
  }

  /// How many codes a meter may have in this format, its own scale first.
  ///
  /// It is empty where depths are not stored in codes, or in one scale only.
  public var depthScales: [Int] {
    self == .tum
      ? [
        Int(TUMRecordingWriter.benchmarkCodesPerMeter),
        Int(TUMRecordingWriter.millimeterCodesPerMeter),
      ] : []
  }

  /// The encoder of its writer's color files; `nil` where the writer needs pixels.
  ///
  /// For callers that encode before, on other threads: the bytes are those that the writer would make.
  package var colorEncoder: JPEGEncoder? {
    self == .mcap
      ? JPEGEncoder(quality: MCAPRecordingOptions.usualJPEGQuality, chromaSampling: .full) : nil
  }

  /// Starts writing.
  ///
  /// - Parameters:
  ///   - output: The target; a single file is created as `fileName`.
  ///   - fileName: The name of a single file; formats with folders ignore it.
  ///   - header: The facts known before the first frame.
  ///   - depthScale: One of ``depthScales``; `nil` for the format's own.
  /// - Returns: A writer before its first frame.
  /// - Throws: `.output`.
  /// - Precondition: The format has the scale.
  public func writer(
    to output: any RecordingOutput, fileName: String, header: RecordingHeader,
    depthScale: Int? = nil
  ) throws(RecordingWritingError) -> any RecordingWriter {
    if let depthScale {
      precondition(depthScales.contains(depthScale), "\(rawValue) in \(depthScale) codes a meter")
    }
    switch self {
    case .mcap: return try MCAPRecordingWriter(file: output.makeFile(fileName), header: header)
    case .record3D:
      return Record3DRecordingWriter(file: try output.makeFile(fileName), header: header)
    case .strayScanner: return StrayRecordingWriter(output: output, header: header)
    case .tum:
      var writer = TUMRecordingWriter(output: output, header: header)
      if let depthScale { writer.codesPerMeter = Double(depthScale) }
      return writer
    case .open3D: return Open3DRecordingWriter(output: output, header: header)
    case .nerfstudio: return NerfstudioRecordingWriter(output: output, header: header)
    case .colmap: return COLMAPRecordingWriter(output: output, header: header)
    case .colmapBinary:
      return COLMAPRecordingWriter(output: output, header: header, encoding: .binary)
    case .rgbdJSON: return RGBDJSONRecordingWriter(output: output, header: header)
    }
  }
}
