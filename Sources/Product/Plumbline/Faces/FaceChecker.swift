public import PlumblineFaces
import PlumblineModel

/// Finds what is odd about a fitted face or head.
struct FaceChecker {
  private let model: MorphableModel

  /// Below this share of the face's pixels within reach, depth shows something else.
  static let leastMeasuredShare = 0.25
  /// Below this share, a part of the face is hidden or has no depth.
  static let wholeMeasuredShare = 0.75
  /// A fit whose landmarks are further off, as a share of the eyes' outer distance, is not the face.
  static let maximumLandmarkError = 0.06
  /// A head this far from the mean, in standard deviations in the mean over its modes.
  static let maximumShapeSpread = 1.6

  /// A measured head whose size differs from the mean by more is a child's, or wrong: three standard
  /// deviations of adults' distances between the pupils, 63.4 ± 3.8 mm.
  ///
  /// - Source: N. Dodgson, *Variation and extrema of human interpupillary distance*, 2004.
  static let maximumSizeDifference = 0.18

  init(_ model: MorphableModel) { self.model = model }

  /// Checks a face or head.
  ///
  /// - Parameters:
  ///   - result: The face.
  ///   - label: The words for it in a sentence, such as `face 1`.
  /// - Returns: What makes its lengths or its shape doubtful; O(modes of the model).
  func check(_ result: FaceResult, label: String) -> [Finding] {
    var findings: [Finding] = []
    if let refined = result.refined, refined.measuredShare < Self.wholeMeasuredShare {
      findings.append(
        Finding(
          .faceCovered, .caution,
          "\(percentText(1 - refined.measuredShare)) of \(label) have no depth of a face: holes, hair, or "
            + "something before it; the model stands for them",
          evidence: "measured share \(refined.measuredShare.fixed(2))"))
    }
    if result.fit.landmarkError > Self.maximumLandmarkError {
      findings.append(
        Finding(
          .facePoorFit, .fault,
          "\(label) is met badly: landmarks are off by \(percentText(result.fit.landmarkError)) of the "
            + "distance between the eyes' outer corners",
          evidence: "NME \(result.fit.landmarkError.fixed(3))"))
    }
    let identity = result.fit.state.shape.identity
    let spread =
      (identity.reduce(0) { $0 + Double($1 * $1) } / Double(max(1, identity.count))).squareRoot()
    if spread > Self.maximumShapeSpread {
      findings.append(
        Finding(
          .faceUnusualShape, .caution,
          "\(label) has a shape that none of the model's people have: a wrong focal length, a wrong scale "
            + "of depth, or a mask",
          evidence: "\(spread.fixed(1)) standard deviations in the mean"))
    }
    let size = result.fit.relativeSize(in: model)
    if result.scale.source == .measured, abs(size - 1) > Self.maximumSizeDifference {
      findings.append(
        Finding(
          .faceUnusualShape, .caution,
          "\(label) is \(percentText(abs(size - 1))) \(size < 1 ? "smaller" : "larger") than the mean of "
            + "adults: a child, or a wrong focal length or scale of depth",
          evidence: "adults differ by 6 % (1 sigma)"))
    }
    if result.scale.source != .measured {
      findings.append(
        Finding(
          .faceScaleAssumed, .caution,
          "lengths of \(label) were not measured: they are those of a head of usual size, "
            + "± \((100 * result.scale.sigmaShare).fixed(1)) %"
            + (result.scale.source == .unknown ? " and more, since the camera is a guess" : ""),
          effect: Finding.Effect(lengthPercent: 100 * result.scale.sigmaShare)))
    }
    return findings
  }
}

extension LandmarkedFace {
  /// The findings about the landmarks.
  func findings(_ label: String) -> [Finding] {
    doubts.map { doubt in
      Finding(
        doubt.isRefusal ? .faceRefused : .faceDoubtful, doubt.isRefusal ? .fault : .caution,
        doubt.isRefusal ? "\(label) was refused: \(doubt)" : "\(label): \(doubt)")
    }
  }
}

/// What is said of a face's scale and lengths, by the page and by the command alike.
public struct FaceWords: Sendable {
  /// The verdict in a word or two.
  public let badge: String
  /// The consequence for lengths.
  public let headline: String

  /// The words for a scale.
  public init(_ scale: FaceScale) {
    let percent = (100 * scale.sigmaShare).fixed(1)
    switch scale.source {
    case .measured:
      badge = "MEASURED"
      headline = "All lengths ± \(percent) %"
    case .assumed:
      badge = "SHAPE ONLY"
      headline = "The size of a usual head, ± \(percent) %"
    case .unknown:
      badge = "SHAPE ONLY"
      headline = "The size of a usual head and a guessed camera, ± \(percent) % and more"
    }
  }

  /// The name of a measurement.
  public static func name(_ kind: FaceMeasurement.Kind) -> String {
    switch kind {
    case .interpupillaryDistance: "between the pupils"
    case .faceWidth: "width of the face"
    case .faceHeight: "height of the face"
    case .noseWidth: "width of the nose"
    case .noseLength: "length of the nose"
    case .mouthWidth: "width of the mouth"
    case .innerEyeDistance: "inner eye corners"
    case .outerEyeDistance: "outer eye corners"
    }
  }
}
