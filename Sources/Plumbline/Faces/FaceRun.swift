import PlumblineCorrection
public import PlumblineEstimation
public import PlumblineFaces
import PlumblineInference
public import PlumblineModel
import PlumblineVerification

/// The faces of one photo: found, fitted, refined by the photo's depth, judged.
public struct FaceRun: Sendable {
  /// The capture as read and judged.
  public let check: CaptureCheck
  /// The models.
  public let models: FaceModels
  /// The photo as it is shown, which landmarks are pixels of.
  public let image: Raster<RGB8>
  /// The camera of that image.
  public let camera: PhotoCamera
  /// What was found in the image; `nil` for a frame of a recording, which is followed.
  public let search: FaceSearch?
  /// One result for each usable face, in the order of the search.
  public let faces: [FaceResult]
  /// Pairs of vertices whose distances the document and the text tell; none unless set.
  ///
  /// Each must be a pair of the model's vertices.
  public var vertexPairs: [VertexPair] = []
  /// The findings about the image's faces.
  public let findings: [Finding]

  /// Faces of an image that are fitted at most; further ones are told.
  public static let maximumFaceCount = 8
  /// The field of view that is assumed where no camera is known: a focal length of 1.2 of the longer side,
  /// as phones' main and front cameras have 0.7 to 1.6.
  static let assumedFocalShare = 1.2

  /// Finds and fits the faces of a capture.
  ///
  /// - Parameters:
  ///   - check: The capture, judged, with all of its color.
  ///   - models: Networks and morphable model.
  ///   - calibration: The camera of the image as stored, in place of the capture's own.
  ///   - exifFocal: The focal length that the photo's Exif states; `nil` where it states none.
  /// - Throws: ``FaceRunError`` without an image; ``InferenceError`` of the networks. An image without
  ///   a face is no error: ``faces`` is empty, and the findings say why. Cost: some 0.8 s a face.
  public init(
    _ check: CaptureCheck, by models: FaceModels, calibration: CameraCalibration? = nil,
    exifFocal: FilmFocalLength? = nil
  ) throws {
    let (view, search, turn) = try Self.searchedView(
      of: check, by: models, calibration: calibration, exifFocal: exifFocal)
    let (faces, faceFindings) = Self.faces(of: search, in: view, by: models)
    var findings = faceFindings + Self.findings(of: search, turn: turn)
    findings += view.findings(hasFaces: !faces.isEmpty)
    if faces.contains(where: { $0.scale.source == .measured }) { findings += check.doubts }
    self.check = check
    self.models = models
    image = view.image
    camera = view.camera
    self.search = search
    self.faces = faces
    self.findings = findings
  }

  /// The view of a capture in which faces are found, what is found in it, and how it was turned for that.
  private static func searchedView(
    of check: CaptureCheck, by models: FaceModels, calibration: CameraCalibration?,
    exifFocal: FilmFocalLength?
  ) throws -> (view: UprightView, search: FaceSearch, turn: ImageOrientation) {
    var view = try UprightView(
      check, calibration: calibration, exifFocal: exifFocal)
    var landmarker = FaceLandmarker(models.networks)
    landmarker.threads = models.threads
    var search = try landmarker.faces(in: view.image)
    var turn = ImageOrientation.up
    // An image that lies on its side without saying so is turned until a face is found.
    for other in UprightView.turns.dropFirst() where search.usableFaces.isEmpty {
      let turned = try UprightView(
        check, calibration: calibration, exifFocal: exifFocal, turned: other)
      let found = try landmarker.faces(in: turned.image)
      if !found.usableFaces.isEmpty { (view, search, turn) = (turned, found, other) }
    }
    return (view, search, turn)
  }

  /// The results of the usable faces of a search, and what is to be said of all of its faces.
  private static func faces(
    of search: FaceSearch, in view: UprightView, by models: FaceModels
  ) -> (faces: [FaceResult], findings: [Finding]) {
    var findings: [Finding] = []
    var faces: [FaceResult] = []
    for (index, face) in search.faces.enumerated() {
      let label = "face \(index + 1)"
      findings += face.findings(label)
      guard face.isUsable else { continue }
      guard faces.count < Self.maximumFaceCount else {
        findings.append(
          Finding(
            .faceSkipped, .note,
            "\(label) was left out: \(Self.maximumFaceCount) are fitted at most"))
        continue
      }
      let fitted = result(of: face, label: label, in: view, by: models)
      findings += fitted.findings
      if let result = fitted.result { faces.append(result) }
    }
    return (faces, findings)
  }

  /// The result of one face, `nil` where it cannot be fitted, and what is to be said of it.
  private static func result(
    of face: LandmarkedFace, label: String, in view: UprightView, by models: FaceModels
  ) -> (result: FaceResult?, findings: [Finding]) {
    var findings: [Finding] = []
    let model = models.fitter.model
    var observation = FaceObservation(
      landmarks: face.landmarks, camera: view.calibration, depth: view.depth)
    var fit: FaceFit
    do throws(FaceFitError) {
      fit = try models.fitter.fit(observation)
    } catch {
      findings.append(
        Finding(.faceUnfitted, .fault, "\(label) cannot be fitted", evidence: error.description))
      return (nil, findings)
    }
    var refined = view.depth.map { FaceRefiner(models.fitter).refined(fit, by: $0) }
    if let share = refined?.measuredShare, share < FaceDoubts.leastMeasuredShare {
      // Depth of so little of the face is a hand's or a wall's: the landmarks alone are more honest.
      refined = nil
      observation.depth = nil
      findings.append(
        Finding(
          .faceDepthMissing, .caution,
          "depth of \(label) was not used: only \(percentText(share)) of it lie within reach of a face",
          evidence: "a depth map that misses the face, a hand before it, or a wrong scale"))
      if let alone = try? models.fitter.fit(observation) { fit = alone }
    }
    let result = FaceResult(
      observation, fit, refined: refined, model: model,
      scaleSigmaShare: view.scaleSigmaShare, isCameraKnown: view.camera.source == .calibration)
    findings += FaceDoubts(result, label: label, model: model).findings
    return (result, findings)
  }

  /// What is to be said of a search: that there is no face, or that the image was turned.
  private static func findings(of search: FaceSearch, turn: ImageOrientation) -> [Finding] {
    var findings: [Finding] = []
    if search.faces.isEmpty {
      let words = search.description.split(separator: "\n").joined(separator: "; ")
      findings.append(
        Finding(
          .faceNone, .fault, "no face was found, however the image is turned", evidence: words))
    }
    if turn != .up {
      findings.append(
        Finding(
          .faceTurned, .note, "the image lies on its side: it was turned to find the face",
          evidence: "Exif orientation \(turn.rawValue) after its own"))
    }
    return findings
  }
}

extension FaceRun {
  /// A frame of a recording with the head that all frames gave.
  init(
    _ check: CaptureCheck, by models: FaceModels, scan: HeadScan, observation: FaceObservation,
    turned turn: ImageOrientation
  ) throws(FaceRunError) {
    let view = try UprightView(
      check, calibration: nil, exifFocal: nil, turned: turn)
    let result = FaceResult(
      observation, scan.fit, refined: scan.refined, model: models.fitter.model,
      scaleSigmaShare: view.scaleSigmaShare, isCameraKnown: view.camera.source == .calibration)
    self.check = check
    self.models = models
    image = view.image
    camera = view.camera
    search = nil
    faces = [result]
    findings =
      FaceDoubts(result, label: "the head", model: models.fitter.model).findings + check.doubts
  }
}

extension CaptureCheck {
  /// What the judgement of the capture has against lengths of it, which the ± of the scale is made of.
  fileprivate var doubts: [Finding] { assessment.findings.filter { $0.severity != .note } }
}

/// Why a capture cannot be looked at for faces.
public struct FaceRunError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is needed.
  public var expected: String
  /// What there is.
  public var found: String

  /// One sentence.
  public var description: String { "faces: expected \(expected), found \(found)" }
}

/// A share as a percentage in words, such as `37 %`.
func percentText(_ share: Double) -> String { "\(Int((100 * share).rounded())) %" }
