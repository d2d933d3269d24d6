import PlumblineCorrection
public import PlumblineInference
public import PlumblineFaces
public import PlumblineModel
import PlumblineVerification

/// Finds the faces of photos and recordings, fits heads to them and refines these by the photo's depth.
///
/// ```swift
/// let analysis = try CaptureAnalyzer().analyze(path: "portrait.heic")
/// let photo = try PhotoFaceFitter(models).fit(analysis)
/// print(photo.faces.count)
/// ```
public struct PhotoFaceFitter: Sendable {
  /// Networks and morphable model.
  public var models: FaceModels
  /// The camera of a photo's image as stored, in place of the capture's own; `nil` for its own.
  ///
  /// Frames of a recording keep their own.
  public var calibration: CameraCalibration?
  /// The maximum number of threads that fit one head to a recording; the result does not depend on it.
  public var threads: Int

  /// Faces of an image that are fitted at most; further ones are reported.
  public static let maximumFaceCount = 8
  /// The field of view that is assumed where no camera is known: a focal length of 1.2 of the longer side,
  /// as phones' main and front cameras have 0.7 to 1.6.
  static let assumedFocalShare = 1.2

  /// Creates a fitter.
  ///
  /// - Parameters:
  ///   - models: Networks and morphable model.
  ///   - calibration: The camera of a photo's image as stored; `nil` for the capture's own.
  ///   - threads: The maximum number of threads that fit one head to a recording.
  public init(_ models: FaceModels, calibration: CameraCalibration? = nil, threads: Int = 2) {
    self.models = models
    self.calibration = calibration
    self.threads = threads
  }

  /// Finds and fits the faces of a capture.
  ///
  /// The focal length that the photo's Exif states serves where the capture has no calibration.
  ///
  /// - Parameter analysis: The capture, assessed, with all of its color.
  /// - Returns: The faces. An image without a face is no error: there are none, and the findings say why.
  /// - Throws: ``PhotoFaceError`` without an image, and for models without networks; ``InferenceError`` of
  ///   the networks. Cost: some 0.8 s a face.
  public func fit(_ analysis: CaptureAnalysis) throws -> PhotoFaces {
    let (view, search, turn) = try searchedView(of: analysis)
    let (faces, faceFindings) = self.faces(of: search, in: view)
    var findings = faceFindings + Self.findings(of: search, turn: turn)
    findings += view.findings(hasFaces: !faces.isEmpty)
    if faces.contains(where: { $0.scale.source == .measured }) {
      findings += analysis.findingsAboutLengths
    }
    return PhotoFaces(
      analysis: analysis, models: models, image: view.image, camera: view.camera, search: search,
      faces: faces, findings: findings, mattes: view.mattes)
  }

  /// Fits faces whose landmarks are found by other means than the models' networks, such as Vision.
  ///
  /// - Parameters:
  ///   - analysis: The capture, assessed, with all of its color.
  ///   - find: Finds the landmarks of each face in the upright image, in its pixels.
  /// - Returns: The faces. An image without a face is no error.
  /// - Throws: ``PhotoFaceError`` without an image; what `find` throws. Cost: that of `find`, and some 0.8 s
  ///   a face.
  public func fit(
    _ analysis: CaptureAnalysis, landmarks find: (Raster<RGB8>) throws -> [FaceLandmarks]
  ) throws -> PhotoFaces {
    let view = try UprightView(analysis, calibration: calibration)
    var (faces, findings): ([FaceResult], [Finding]) = ([], [])
    let found = try find(view.image)
    for (index, landmarks) in found.enumerated() {
      let label = "face \(index + 1)"
      guard faces.count < Self.maximumFaceCount else {
        findings.append(Self.skipped(label))
        continue
      }
      let fitted = result(of: landmarks, label: label, in: view)
      findings += fitted.findings
      if let result = fitted.result { faces.append(result) }
    }
    if found.isEmpty {
      findings.append(
        Finding(
          .faceNone, .fault, "no face was found",
          evidence: "\(models.landmarkerName) in an image of \(view.image.size)"))
    }
    findings += view.findings(hasFaces: !faces.isEmpty)
    if faces.contains(where: { $0.scale.source == .measured }) {
      findings += analysis.findingsAboutLengths
    }
    return PhotoFaces(
      analysis: analysis, models: models, image: view.image, camera: view.camera, search: nil,
      faces: faces, findings: findings, mattes: view.mattes)
  }

  /// The networks of the models.
  ///
  /// - Throws: ``PhotoFaceError`` where there are none.
  func networks() throws(PhotoFaceError) -> FaceNetworks {
    guard let networks = models.networks else {
      throw PhotoFaceError(
        expected: "networks that find faces, or landmarks that were found by other means",
        found: "neither")
    }
    return networks
  }

  /// The view of a capture in which faces are found, what is found in it, and how it was turned for that.
  private func searchedView(
    of analysis: CaptureAnalysis
  ) throws -> (view: UprightView, search: FaceSearch, turn: ImageOrientation) {
    var view = try UprightView(analysis, calibration: calibration)
    var landmarker = FaceLandmarker(try networks())
    landmarker.threads = models.threads
    var search = try landmarker.faces(in: view.image)
    var turn = ImageOrientation.up
    // An image that lies on its side without saying so is turned until a face is found.
    for other in UprightView.turns.dropFirst() where search.usableFaces.isEmpty {
      let turned = try UprightView(analysis, calibration: calibration, turned: other)
      let found = try landmarker.faces(in: turned.image)
      if !found.usableFaces.isEmpty { (view, search, turn) = (turned, found, other) }
    }
    return (view, search, turn)
  }

  /// The results of the usable faces of a search, and what is to be said of all of its faces.
  private func faces(
    of search: FaceSearch, in view: UprightView
  ) -> (faces: [FaceResult], findings: [Finding]) {
    var findings: [Finding] = []
    var faces: [FaceResult] = []
    for (index, face) in search.faces.enumerated() {
      let label = "face \(index + 1)"
      findings += face.findings(label)
      guard face.isUsable else { continue }
      guard faces.count < Self.maximumFaceCount else {
        findings.append(Self.skipped(label))
        continue
      }
      let fitted = result(of: face.landmarks, label: label, in: view)
      findings += fitted.findings
      if let result = fitted.result { faces.append(result) }
    }
    return (faces, findings)
  }

  private static func skipped(_ label: String) -> Finding {
    Finding(
      .faceSkipped, .note, "\(label) was left out: \(maximumFaceCount) are fitted at most")
  }

  /// The result of one face, `nil` where it cannot be fitted, and what is to be said of it.
  private func result(
    of landmarks: FaceLandmarks, label: String, in view: UprightView
  ) -> (result: FaceResult?, findings: [Finding]) {
    var findings: [Finding] = []
    let model = models.fitter.model
    var observation = FaceObservation(
      landmarks: landmarks, camera: view.calibration, depth: view.depth)
    var fit: FaceFit
    do throws(FaceFitError) {
      fit = try models.fitter.fit(observation)
    } catch {
      findings.append(
        Finding(.faceUnfitted, .fault, "\(label) cannot be fitted", evidence: error.description))
      return (nil, findings)
    }
    var refined = view.depth.map { FaceRefiner(models.fitter).refined(fit, by: $0) }
    if let share = refined?.measuredShare, share < FaceChecker.leastMeasuredShare {
      // Depth of so little of the face is a hand's or a wall's: the landmarks alone are more honest.
      refined = nil
      observation.depth = nil
      findings.append(
        Finding(
          .faceDepthMissing, .caution,
          "depth of \(label) was not used: only \(percentText(share)) of it lies within reach of a face",
          evidence: "a depth map that misses the face, a hand before it, or a wrong scale"))
      if let alone = try? models.fitter.fit(observation) { fit = alone }
    }
    let result = FaceResult(
      observation, fit, refined: refined, model: model,
      scaleSigmaShare: view.scaleSigmaShare, isCameraKnown: view.camera.source == .calibration)
    findings += FaceChecker(model).check(result, label: label)
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

extension CaptureAnalysis {
  /// The findings of the assessment that bear on lengths, which the ± of the scale is made of.
  var findingsAboutLengths: [Finding] { assessment.findings.filter { $0.severity != .note } }
}

/// Why a capture cannot be examined for faces.
public struct PhotoFaceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is needed.
  public var expected: String
  /// What there is.
  public var found: String

  /// One sentence.
  public var description: String { "faces: expected \(expected), found \(found)" }
}

/// A share as a percentage in words, such as `37 %`.
func percentText(_ share: Double) -> String { "\(Int((100 * share).rounded())) %" }

/// What faces are found and fitted with: the networks of landmarks and a morphable model.
public struct FaceModels: Sendable {
  /// The networks that find faces and their landmarks; `nil` where these are found by other means.
  public let networks: FaceNetworks?
  /// Fits the morphable model to the landmarks.
  public let fitter: FaceFitter
  /// The runtime of the networks, by name and version.
  public let runtimeName: String
  /// What finds the landmarks, by name.
  public let landmarkerName: String
  /// The number of threads that read an image.
  public let threads: Int

  /// Puts models together.
  public init(
    networks: FaceNetworks, model: MorphableModel, runtimeName: String, threads: Int = 2
  ) {
    self.networks = networks
    fitter = FaceFitter(model)
    self.runtimeName = runtimeName
    landmarkerName = FaceModel.title
    self.threads = threads
  }

  /// A morphable model alone, for landmarks that are found by other means.
  ///
  /// - Parameters:
  ///   - model: The morphable model.
  ///   - landmarkerName: What finds the landmarks, such as ``VisionFaceFinder``'s name.
  ///   - runtimeName: What runs it.
  public init(_ model: MorphableModel, landmarkerName: String, runtimeName: String) {
    networks = nil
    fitter = FaceFitter(model)
    self.runtimeName = runtimeName
    self.landmarkerName = landmarkerName
    threads = 1
  }

  /// Loads what a store has.
  ///
  /// - Parameters:
  ///   - store: The models' folder.
  ///   - name: The morphable model.
  ///   - threads: How many threads a network, and who reads images, may use.
  /// - Throws: ``InferenceError`` with what installs what is missing; `.unsupported` on Apple platforms,
  ///   which have no OpenVINO. Cost: some 0.3 s.
  public init(
    of store: ModelStore, morphableModel name: String = ICTFaceKit.name, threads: Int
  ) throws(InferenceError) {
    #if canImport(COpenVINO)
      let model = try store.morphableModel(named: name)
      let networks = try store.faceNetworks(threads: threads)
      try self.init(
        networks: networks, model: model, runtimeName: store.runtime(.openVINO).name,
        threads: threads)
    #else
      throw InferenceError(
        .unsupported, FaceModel.name, expected: "OpenVINO, which runs the networks that find faces",
        found: "a platform without it")
    #endif
  }
}
