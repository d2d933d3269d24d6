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
  public init(source: CaptureSource) {
    self.source = source
    self.colorOrientation = .up
    self.mattes = []
    self.provenance = []
    self.findings = []
  }
}
