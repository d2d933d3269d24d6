public import PlumblineIO
import PlumblineImages
package import PlumblineModel
package import PlumblineRecordings

/// The formats in which a recording can be written; Plumbline reads all of them.
public enum SimulationLayout: String, Sendable, CaseIterable {
  /// JPEG files with a depth map inside, as an iPhone's camera app writes them.
  case photo
  /// PNG files and two JSON files, as ZEISS's app dumps AVFoundation.
  case avFoundation = "avfoundation"
  /// PLY files with colors and depths, as StandardCyborg's app writes them.
  case ply
  /// JSON files of millimeters beside JPEG files.
  case rgbdJSON = "rgbd-json"
  /// One MCAP file with all that is stated: poses, times, confidence, lens.
  case mcap

  /// One line for a list.
  public var summary: String {
    switch self {
    case .photo: "frame_T.jpg with an 8-bit disparity map inside, as iPhones write photos"
    case .avFoundation: "rgb_T.png, depth_T.png in 0.1 mm, DepthMetadata.json, CameraMetadata.json"
    case .ply: "frame-NNN.ply with metadata, color and depth, as StandardCyborg's app writes"
    case .rgbdJSON: "simulated_T.json in millimeters beside simulated_T.jpg"
    case .mcap: "recording.mcap with poses, times, confidence and lens; convert makes others of it"
    }
  }

  /// Whether its files state where the camera was.
  public var statesPoses: Bool { self == .mcap }

  /// Adapts a recording to the layout: photos contain filtered maps.
  func adapt(_ recording: SimulatedRecording) -> SimulatedRecording {
    var copy = recording
    if self == .photo { copy.trueDepthSensor.isFiltered = true }
    return copy
  }
}

/// A file of a recording, before it is written.
public struct SimulatedFile: Sendable {
  /// Its path inside the recording's folder, with `/` between folders.
  public var name: String
  /// The bytes of the file.
  public var bytes: [UInt8]
}

/// Converts a recording to the files of a layout, frame by frame.
///
/// The same recording gives the same bytes, in any order and on any thread (with one version of the
/// JPEG and PNG libraries). The ground truth is in the separate folder `truth`.
public struct SimulationWriter: Sendable {
  /// The recording that is written.
  public let recording: SimulatedRecording
  /// The layout of its files.
  public let layout: SimulationLayout

  private let statedPoses: [RigidTransform?]

  /// The statement of origin in each file.
  static let notice = "Synthetic: rendered by the Plumbline simulator, not taken by a device"
  /// The software name in the files.
  static let software = "Plumbline simulator"

  /// Prepares a recording for a layout; O(frames).
  public init(_ recording: SimulatedRecording, as layout: SimulationLayout) {
    self.recording = layout.adapt(recording)
    self.layout = layout
    statedPoses =
      layout.statesPoses
      ? recording.statedWorldFromCameras : recording.sceneFromCameras.map { _ in nil }
  }

  /// The name of the one file that holds all frames; `nil` for layouts with files for each frame.
  package var recordingName: String? { layout == .mcap ? "recording.mcap" : nil }

  /// What is known before the first frame of the one file, to which each ``FrameFiles/capture`` is appended.
  package var recordingHeader: RecordingHeader {
    RecordingHeader(
      worldAxes: .yUp, origin: "\(Self.notice); \(Self.software), \(recording.sceneName)")
  }

  /// The files of one frame.
  public struct FrameFiles: Sendable {
    /// Its own files.
    public var files: [SimulatedFile]
    /// The frame for the one file of a layout that has one, with its time and stated pose; else `nil`.
    package var capture: Capture?
    /// The data of the frame that ``finalFiles(_:)`` needs.
    let summary: FrameSummary
  }

  /// Renders a frame and creates its files.
  ///
  /// - Precondition: The index is that of a frame.
  /// - Throws: Errors of the JPEG encoder.
  public func files(ofFrame index: Int) throws(CaptureReadingError) -> FrameFiles {
    let frame = recording.frame(index)
    var files: [SimulatedFile]
    switch layout {
    case .photo: files = try PhotoLayout(recording).files(of: frame)
    case .avFoundation: files = AVFoundationLayout().files(of: frame)
    case .ply: files = [PLYLayout().file(of: frame)]
    case .rgbdJSON: files = try RGBDJSONLayout().files(of: frame)
    case .mcap: files = []
    }
    var capture: Capture?
    if layout == .mcap {
      capture = recording.capture(of: frame)
      capture?.timestampSeconds = Double(frame.timestampMilliseconds) / 1000
      capture?.worldFromCamera = statedPoses[index]
    }
    let truth = SimulationTruth(recording, layout: layout)
    files.append(truth.depthFile(of: frame))
    return FrameFiles(
      files: files, capture: capture,
      summary: FrameSummary(
        truth: truth.document(
          of: frame, files: files.map(\.name), statedWorldFromCamera: statedPoses[index]),
        depthMetadata: AVFoundationLayout().depthMetadata(of: frame, in: recording),
        cameraMetadata: AVFoundationLayout().cameraMetadata(of: frame, in: recording)))
  }

  /// The files about all frames: metadata, if the layout has any, and `truth/truth.json`.
  ///
  /// - Parameter frames: All frames, in order.
  /// - Returns: Their names and bytes.
  package func finalFiles(_ frames: [FrameFiles]) -> [SimulatedFile] {
    let summaries = frames.map(\.summary)
    let shared =
      layout == .avFoundation ? AVFoundationLayout().sharedFiles(summaries, recording) : []
    return shared + [SimulationTruth(recording, layout: layout).file(summaries)]
  }
}

/// The data of a frame that are kept after its files were written.
struct FrameSummary: Sendable {
  let truth: JSONValue
  let depthMetadata: JSONValue
  let cameraMetadata: JSONValue
}

/// The photo format of an iPhone's camera app, one photo per frame.
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
