import PlumblineImages
import PlumblineIO
internal import PlumblineModel

/// A photo as an iPhone's camera app writes it, one for each frame.
struct PhotoLayout {
  private let recording: SimulatedRecording

  init(_ recording: SimulatedRecording) { self.recording = recording }

  func files(of frame: SimulatedFrame) throws(CaptureReadingError) -> [SimulatedFile] {
    let camera = recording.camera
    let lens = camera.depthCamera == .trueDepth ? "front TrueDepth camera" : "back LiDAR camera"
    var photo = ApplePhoto(
      color: frame.color,
      exif: PhotoExif(model: camera.model, lensModel: "\(camera.model) \(lens), simulated"))
    photo.depth = ApplePhoto.DepthImage(
      frame.measurement, calibration: frame.measurement.calibration.withCoefficients)
    var writer = ApplePhotoWriter()
    writer.colorQuality = 92
    return [
      SimulatedFile(
        name: "frame_\(frame.timestampMilliseconds).jpg", bytes: try writer.bytes(of: photo))
    ]
  }
}
