public import PlumblineModel

/// A phone's or tablet's camera: what it truly does, and what it says about itself.
///
/// The two differ where real devices' do. The true numbers belong to the images, the claimed ones go
/// into the files.
public struct CameraPreset: Sendable {
  /// The kinds of depth sensors.
  public enum DepthCamera: String, Sendable {
    /// Structured light at the front.
    case trueDepth
    /// Time of flight at the back.
    case lidar
  }

  /// Which of Apple's interfaces delivers the frames.
  public enum Interface: String, Sendable {
    /// `AVCaptureSession`.
    case avFoundation = "avfoundation"
    /// `ARSession`; its images are mirrored against AVFoundation's.
    case arKit = "arkit"
  }

  /// The name on the command line.
  public var name: String
  /// One line for a list.
  public var summary: String
  /// The model that EXIF names; a real device that the numbers are like.
  public var model: String
  /// The kind of depth sensor.
  public var depthCamera: DepthCamera
  /// Which interface delivers the frames.
  public var interface: Interface
  /// The true calibration of the color image, at its reference size.
  public var trueColor: CameraCalibration
  /// The true calibration of the depth map, at its reference size.
  public var trueDepth: CameraCalibration
  /// The calibration that the files state, at the reference size that they name.
  public var claimed: CameraCalibration
  /// The size of the color image.
  public var colorSize: RasterSize
  /// The size of the depth map.
  public var depthSize: RasterSize
  /// Whether the device removes its lens's distortion from the images, but not from its numbers.
  public var isGeometricDistortionCorrected: Bool
  /// Whether the images are mirrored along the sensor's `y`, as ARKit's are of the front camera.
  public var isMirrored: Bool

  /// Whether color and depth have the same pixels.
  var sharesOneImage: Bool { trueColor == trueDepth && colorSize == depthSize }

  /// The preset of a name; `nil` when there is none.
  public static func named(_ name: String) -> CameraPreset? { all.first { $0.name == name } }

  /// All presets, the default first.
  public static let all: [CameraPreset] = [
    .iPad4, .iPad5, .iPad4ARKit, .iPhone11Pro, .lidar,
  ]
}
