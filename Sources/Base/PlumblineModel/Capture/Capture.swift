/// One moment as a depth camera saw it: what every reader returns and every stage takes.
public struct Capture: Sendable {
  /// The device and software that took it.
  public var source: CaptureSource
  /// The size of the color image as stored; `nil` when there is none.
  public var colorSize: RasterSize?
  /// The color image as stored, or a smaller one of the same field of view; `nil` if not requested.
  public var color: Raster<RGB8>?
  /// The color image as the bytes of a file, in place of ``color``, where the bytes were requested;
  /// nothing behind its header was checked.
  public var colorFile: EncodedImage?
  /// The orientation of the color image: the turn that makes it upright.
  public var colorOrientation: ImageOrientation
  /// The color camera's own numbers; `nil` when the depth map's calibration describes both, as
  /// AVFoundation promises.
  public var colorCalibration: CameraCalibration?
  /// The device's clock at the frame, in seconds since an unknown start; `nil` when not given.
  public var timestampSeconds: Double?
  /// Where the camera stood in the recording's world, in meters; `nil` when not tracked.
  ///
  /// Camera frame: x right, y down, z forward in the stored image, whatever axes the producer uses;
  /// every reader converts. The world's axes are the producer's; see ``WorldAxes``.
  public var worldFromCamera: RigidTransform?
  /// The depth map of the main image; `nil` when the file has none.
  public var depth: DepthRecord?
  /// The mattes, in the order of the file.
  public var mattes: [Matte]
  /// The gain map; `nil` when there is none.
  public var gainMap: GainMap?
  /// The two images of a spatial photo; `nil` when it is none.
  public var stereoPair: StereoPair?
  /// The steps applied to the file's numbers, in order.
  public var provenance: [ProvenanceStep]
  /// The findings of the reader.
  public var findings: [Finding]

  /// Creates a capture of which only the source is known.
  package init(source: CaptureSource) {
    self.source = source
    self.colorOrientation = .up
    self.mattes = []
    self.provenance = []
    self.findings = []
  }
}

/// One thing that was done between the file's bytes and the numbers at hand.
public struct ProvenanceStep: Hashable, Sendable {
  /// A short stable name, such as `dequantized` or `rectified-points`.
  public var name: String
  /// The step in words, with its numbers.
  public var detail: String

  /// Creates a step that this version knows.
  package init(_ kind: Kind, _ detail: String) {
    self.name = kind.rawValue
    self.detail = detail
  }

  /// Creates a step of a file, whose name may be that of another program, or one of a computed name.
  package init(name: String, detail: String) {
    self.name = name
    self.detail = detail
  }
}

/// What is known of a recording's frame before any of its images is read.
public struct RecordedFrame: Hashable, Sendable {
  /// What findings and outputs call it, such as `143277`; unique in its recording.
  public var name: String
  /// The recording's clock at the frame, in seconds since an unknown start; `nil` when not given.
  public var timestampSeconds: Double?

  /// Creates a frame.
  package init(name: String, timestampSeconds: Double? = nil) {
    self.name = name
    self.timestampSeconds = timestampSeconds
  }
}
