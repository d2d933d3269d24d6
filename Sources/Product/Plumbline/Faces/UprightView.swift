import PlumblineCorrection
import PlumblineInference
import PlumblineFaces
import PlumblineModel
import PlumblineVerification

/// A capture as it is shown: image, camera and depth turned upright together.
///
/// Faces are looked for upright, and one frame serves for all that comes of them.
struct UprightView {
  let image: Raster<RGB8>
  let camera: PhotoCamera
  /// The camera, or one that is assumed.
  let calibration: CameraCalibration
  /// The depth in meters; `nil` where there is none, or none in meters with a camera.
  let depth: MeasuredSurface?
  /// The mattes of the photo.
  let mattes: PortraitMattes
  /// One standard deviation of lengths that is common to all of the map, as a share.
  let scaleSigmaShare: Double
  private let hasRelativeDepth: Bool

  init(
    _ analysis: CaptureAnalysis, calibration given: CameraCalibration?,
    turned turn: ImageOrientation = .up
  ) throws(PhotoFaceError) {
    guard let stored = analysis.colorInDepthFrame else {
      throw PhotoFaceError(
        expected: "an image to look for faces in",
        found: analysis.capture.colorSize == nil ? "none" : "one that cannot be decoded")
    }
    let shown = analysis.capture.depth?.orientation ?? analysis.capture.colorOrientation
    let orientation = shown.followed(by: turn)
    image = stored.oriented(by: orientation)
    if let given, !given.intrinsics.matchesAspect(of: stored.size) {
      throw PhotoFaceError(
        expected: "a calibration of the shape of the image, \(stored.size)",
        found: "one for \(given.intrinsics.size)")
    }
    let own = given?.scaled(to: stored.size) ?? analysis.camera(of: stored.size)
    var camera = PhotoCamera(own?.oriented(by: orientation))
    if camera.calibration == nil, let exifFocal = analysis.exifFocal {
      camera = PhotoCamera(exif: exifFocal, size: image.size)
    }
    self.camera = camera
    mattes = PortraitMattes(analysis.capture.mattes, turned: turn)
    let size = image.size
    let focal = PhotoFaceFitter.assumedFocalShare * Double(max(size.width, size.height))
    calibration =
      camera.calibration
      ?? CameraCalibration(
        intrinsics: PinholeIntrinsics(
          focalLength: [focal, focal],
          principalPoint: [Double(size.width - 1) / 2, Double(size.height - 1) / 2], size: size))
    let corrected = analysis.corrected
    hasRelativeDepth = corrected.map { !$0.isMetric } ?? false
    if let corrected, corrected.isMetric,
      let mapCamera = given?.scaled(to: corrected.depth.size) ?? corrected.calibration
    {
      let uncertainty = analysis.assessment.uncertainty
      // What all pixels share is the scale; the rest is each pixel's own.
      let own = (uncertainty?.quantization ?? SigmaCurve()).adding(
        uncertainty?.sensor ?? SigmaCurve(perMeter: 0.003))
      let meters = corrected.depth.meters.oriented(by: orientation)
      depth = MeasuredSurface(
        DepthMap(meters: meters), sigmas: own, camera: mapCamera.oriented(by: orientation),
        isFiltered: analysis.capture.depth?.isFiltered ?? true)
      let scale = uncertainty?.calibration.perMeter ?? 0
      let length = (uncertainty?.lengthPercent ?? 0) / 100
      scaleSigmaShare = (scale * scale + length * length).squareRoot()
    } else {
      depth = nil
      scaleSigmaShare = 0
    }
  }

  /// The turns in which an image is examined, the likeliest first: apps that keep the sensor's own pixels
  /// do not always say how they lie.
  static let turns: [ImageOrientation] = [.up, .right, .left, .down]

  /// The findings about the camera and the depth.
  func findings(hasFaces: Bool) -> [Finding] {
    guard hasFaces, depth == nil else { return [] }
    var findings: [Finding] = []
    if hasRelativeDepth {
      findings.append(
        Finding(
          .faceDepthRelative, .caution,
          "the depth is relative: the head's size is that of people, not measured",
          evidence: "no unit in the depth map", remedies: [.measureDistances]))
    }
    if camera.source != .calibration {
      findings.append(
        Finding(
          .faceCameraAssumed, .caution,
          camera.source == .exif
            ? "the focal length is the photo's own ± "
              + "\((100 * (camera.focalSigmaShare ?? 0)).fixed(1)) %: "
              + (camera.exifFocal?.basis ?? "Exif")
            : "the camera is unknown: a focal length of \(PhotoFaceFitter.assumedFocalShare) times the longer side "
              + "is assumed",
          evidence: "f = \(Int(calibration.intrinsics.focalLength.x.rounded())) px"))
    }
    return findings
  }
}

extension PortraitMattes {
  /// The mattes of a capture, turned upright and then as its image is.
  init(_ mattes: [Matte], turned turn: ImageOrientation) {
    self.init()
    for matte in mattes {
      let upright = matte.coverage.oriented(by: matte.orientation.followed(by: turn))
      switch matte.kind {
      case .portraitEffects: person = upright
      case .skin: skin = upright
      case .hair: hair = upright
      case .teeth, .glasses, .sky: break
      }
    }
  }
}
