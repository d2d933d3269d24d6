public import PlumblineModel

/// One photo of a capture, as a camera delivered it.
public struct TakenPhoto: Sendable {
  /// The file, with depth and mattes if the settings embed them.
  public var file: [UInt8]
  /// The camera that took it, such as `builtInWideAngleCamera`; `nil` if the system does not say.
  ///
  /// - Source: Apple, *AVCapturePhoto.sourceDeviceType*.
  public var sourceDevice: String?
  /// The device, the calibration of this photo's camera (``Capture/colorCalibration``, with the size
  /// that it belongs to) and the depth map as delivered, also where the file does not hold it.
  ///
  /// The calibration of dual photos is nowhere else: the system does not write it into the file.
  public var capture: Capture
  /// The position in a bracket, from 0; `nil` without one.
  public var bracketIndex: Int?

  /// Creates a photo from its parts.
  package init(file: [UInt8], capture: Capture) {
    self.file = file
    self.capture = capture
  }
}

/// The result of one press of the shutter.
public struct PhotoShot: Sendable {
  /// The photos, in the order of their delivery.
  public var photos: [TakenPhoto]
  /// The path of the video of a Live Photo; `nil` without one.
  public var moviePath: String?
  /// Whether the flash fired; a hot device does without it.
  public var hasFlash: Bool
  /// What the user should know, in sentences.
  public var remarks: [String]
}

/// Collects the parts of one capture, which arrive in separate calls.
///
/// The last call always comes and alone ends the capture, so it ends exactly once.
/// - Source: Apple, `AVCapturePhotoOutput.h`, *AVCapturePhotoCaptureDelegate*: the order of calls;
///   *expectedPhotoCount*; a Live Photo is finished only with the last call.
package struct PhotoDelivery: Sendable {
  private var shot = PhotoShot(photos: [], moviePath: nil, hasFlash: false, remarks: [])
  private var expectedCount: Int
  private var failure: String?
  private var isMovieWanted: Bool
  private var isFlashWanted: Bool
  private var isFinished = false

  /// Expects the photos of some settings.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - device: The camera.
  ///   - remarks: What the user should know already.
  package init(_ settings: DepthPhotoSettings, of device: DepthDevice, remarks: [String] = []) {
    expectedCount = settings.photoCount(of: device)
    isMovieWanted = settings.takesLivePhoto
    isFlashWanted = settings.flash == .on
    shot.remarks = remarks
  }

  /// Takes the resolved settings of `willBeginCaptureFor`, which count more than the requested ones.
  package mutating func begin(expectedCount: Int, hasFlash: Bool) {
    guard !isFinished else { return }
    self.expectedCount = expectedCount
    shot.hasFlash = hasFlash
    if isFlashWanted, !hasFlash {
      shot.remarks.append("the flash did not fire: a warm device does without it")
    }
  }

  /// Takes a photo.
  package mutating func add(_ photo: TakenPhoto) {
    if !isFinished { shot.photos.append(photo) }
  }

  /// Takes the finished video of a Live Photo.
  package mutating func add(moviePath: String) {
    if !isFinished { shot.moviePath = moviePath }
  }

  /// Takes an error of any part; the first one counts.
  package mutating func fail(_ text: String) {
    if !isFinished { failure = failure ?? text }
  }

  /// Ends the capture.
  ///
  /// - Returns: The shot or why there is none; `nil` if it has already ended.
  package mutating func finish() -> Result<PhotoShot, DepthCameraError>? {
    guard !isFinished else { return nil }
    isFinished = true
    if let failure { return .failure(.failed(failure)) }
    guard shot.photos.count == expectedCount, expectedCount > 0 else {
      return .failure(
        .failed("it delivered \(shot.photos.count) of \(expectedCount) photos"))
    }
    if isMovieWanted, shot.moviePath == nil {
      shot.remarks.append("the Live Photo has no video")
    }
    return .success(shot)
  }
}
