/// One frame or photo of a depth camera: the result of every reader and the input of every stage.
public struct Capture: Sendable {
  /// The device and software that took it.
  public var source: CaptureSource
  /// The size of the color image as stored; `nil` when there is none.
  public var colorSize: RasterSize?
  /// The color image, as stored or reduced in size; `nil` if not requested.
  public var color: Raster<RGB8>?
  /// The encoded color image in place of ``color``, if the encoded bytes were requested; only its
  /// header was checked.
  public var colorFile: EncodedImage?
  /// The orientation of the color image: the rotation or mirroring that makes it upright.
  public var colorOrientation: ImageOrientation
  /// The calibration of the color camera; `nil` when the calibration of the depth map describes
  /// both, as AVFoundation promises.
  public var colorCalibration: CameraCalibration?
  /// The time of the frame on the device's clock, in seconds from an unknown origin; `nil` if not
  /// given.
  public var timestampSeconds: Double?
  /// The pose of the camera in the recording's world, in meters; `nil` when not tracked.
  ///
  /// Camera frame: x right, y down, z forward in the stored image, whatever axes the producer uses;
  /// every reader converts to it. The world's axes are the producer's; see ``WorldAxes``.
  public var worldFromCamera: RigidTransform?
  /// The depth map of the main image; `nil` when the file has none.
  public var depth: DepthRecord?
  /// The mattes, in the order of the file.
  public var mattes: [Matte]
  /// The gain map; `nil` when there is none.
  public var gainMap: GainMap?
  /// The two images of a spatial photo; `nil` for other captures.
  public var stereoPair: StereoPair?
  /// The steps applied to the numbers of the file, in order.
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

/// One step between the bytes of the file and the present numbers.
public struct ProvenanceStep: Hashable, Sendable {
  /// A short stable name, such as `dequantized` or `rectified-points`.
  public var name: String
  /// The step in words, with its numbers.
  public var detail: String

  /// Creates a step of a kind that this version knows.
  package init(_ kind: Kind, _ detail: String) {
    self.name = kind.rawValue
    self.detail = detail
  }

  /// Creates a step by name, for the steps of other programs and for computed names.
  package init(name: String, detail: String) {
    self.name = name
    self.detail = detail
  }
}

/// What is known of a recording's frame before its images are read.
public struct RecordedFrame: Hashable, Sendable {
  /// The name in findings and outputs, such as `143277`; unique in its recording.
  public var name: String
  /// The time of the frame on the recording's clock, in seconds from an unknown origin; `nil` if
  /// not given.
  public var timestampSeconds: Double?

  /// Creates a frame.
  package init(name: String, timestampSeconds: Double? = nil) {
    self.name = name
    self.timestampSeconds = timestampSeconds
  }
}
