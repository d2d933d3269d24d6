import PlumblineCorrection
public import PlumblineModel
import PlumblineStreams

/// Finds out what a live camera's frames are worth, without assessing each of them.
///
/// A frame is assessed if its kind, size or make differs from those before, and at most once a second
/// when its camera's numbers moved, as a lens that focuses makes them. In between the rays follow each
/// frame's own numbers.
public struct LiveSceneFinder: Sendable {
  /// The time between two assessments of moving numbers, in seconds.
  static let assessmentSeconds = 1.0

  /// The facts whose change needs a new assessment.
  private struct Kind: Hashable, Sendable {
    let source: CaptureSource
    let size: RasterSize
    let storedType: String
    let accuracy: DepthRecord.Accuracy
    let hasUnit: Bool
    let isFiltered: Bool?
    let isRectified: Bool?

    init(_ source: CaptureSource, _ record: DepthRecord) {
      self.source = source
      size = record.size
      storedType = record.storedType
      accuracy = record.accuracy
      hasUnit = record.hasUnit
      isFiltered = record.isFiltered
      isRectified = record.isRectified
    }
  }

  private var kind: Kind?
  private var intrinsics: PinholeIntrinsics?
  private var assessedAt: ContinuousClock.Instant?
  private var scene: FrameScene?

  /// Starts without any frame.
  public init() {}

  /// Takes the next frame, whose color is not needed.
  ///
  /// - Returns: The text message of type `scene` from this frame on, UTF-8; `nil` where it stays as it
  ///   was. Cost: that of a ``CaptureAnalysis``, mostly nothing.
  public mutating func next(_ capture: Capture) -> [UInt8]? {
    scene(of: capture, at: .now).map { StreamMessage.scene($0.document).encoded }
  }

  /// The scene from a frame on; `nil` where it stays as it was.
  package mutating func scene(of capture: Capture, at now: ContinuousClock.Instant) -> FrameScene? {
    guard let record = capture.depth else { return nil }
    let kind = Kind(capture.source, record)
    let camera = record.calibration?.intrinsics
    guard kind != self.kind || camera != intrinsics else { return nil }
    let isOld = assessedAt.map { now - $0 >= .seconds(Self.assessmentSeconds) } ?? true
    if kind != self.kind || isOld || scene == nil {
      var bare = capture
      (bare.color, bare.colorFile) = (nil, nil)
      scene = (try? CaptureAnalyzer().analyze(bare, fileName: "live")).flatMap { FrameScene($0) }
      assessedAt = now
    } else {
      scene?.rays = FrameScene.rays(of: Self.camera(of: capture, record), size: record.size)
    }
    self.kind = kind
    intrinsics = camera
    return scene
  }

  /// The camera at the map's size, as ``CorrectedDepth`` has it.
  private static func camera(of capture: Capture, _ record: DepthRecord) -> CameraCalibration? {
    guard let reference = record.calibration, reference.intrinsics.matchesAspect(of: record.size)
    else { return nil }
    var camera = reference.scaled(to: record.size)
    if record.isRectified ?? capture.source.isGeometryCorrected == true { camera.distortion = nil }
    return camera
  }
}
