public import Plumbline
public import PlumblineIO
import PlumblineModel
public import PlumblineVerification
import PlumblineVision

/// A device's own calibration against what its frames show of a board, in words for a small screen.
public struct VerificationOutcome: Sendable {
  /// One number with its name.
  public struct Row: Sendable, Hashable, Identifiable {
    /// What it is.
    public let name: String
    /// The number with its unit and ±, or that there is none.
    public let value: String
    /// The name.
    public var id: String { name }
  }

  /// The assessment.
  public let verification: CalibrationVerification
  private let session: BoardSession?

  /// Measures the camera from selected frames.
  ///
  /// - Throws: ``BoardFramesError`` for frames that cannot belong together. Cost: some dozen calibrations,
  ///   several seconds on a phone.
  public init(_ material: BoardMaterial) throws(BoardFramesError) {
    verification = try CalibrationVerification(
      material.frames, frameCount: material.frameCount, imagelessCount: material.imagelessCount)
    session = material.session
  }

  /// The verdict in a few words.
  public var headline: String {
    switch verification.verdict {
    case .fits: "The factory's focal length fits"
    case .doesNotFit: "The factory's focal length does not fit"
    case .cannotTell: "These frames do not decide it"
    }
  }

  /// The verdict in a sentence or two, with its numbers.
  public var reason: String { verification.reason }

  /// The numbers: factory, measured, their difference, and what corners miss by.
  public var rows: [Row] {
    let factory = verification.factory?.intrinsics.focalLength.x
    let measured = verification.measured
    var rows = [
      Row(
        name: "Factory focal length",
        value: factory.map { "\($0.fixed(2)) px" } ?? "none in the frames"),
      Row(
        name: "Measured focal length",
        value: measured.map { "\($0.focal.fixed(2)) ± \($0.focalSigma.fixed(2)) px" }
          ?? "the views do not determine it"),
    ]
    if let range = verification.factoryFocalRange, range.upperBound > range.lowerBound {
      rows[0] = Row(
        name: rows[0].name,
        value: "\(range.lowerBound.fixed(2)) to \(range.upperBound.fixed(2)) px, by focus")
    }
    if let factory, let measured, factory > 0 {
      let share = 100 * (measured.focal / factory - 1)
      rows.append(
        Row(
          name: "Measured against factory",
          value: "\(share > 0 ? "+" : "")\(share.fixed(2)) ± "
            + "\((100 * measured.focalSigma / factory).fixed(2)) %"))
    }
    if let measured {
      rows.append(Row(name: "Corners miss by", value: "\(measured.rmsPixels.fixed(3)) px RMS"))
    }
    if let length = (verification.measuredDepth ?? verification.factoryDepth)?.length {
      rows.append(
        Row(
          name: "Lengths by the sensor",
          value: "\(length.share > 0 ? "+" : "")\((100 * length.share).fixed(2)) ± "
            + "\((100 * length.sigmaShare).fixed(2)) %"))
    }
    rows.append(
      Row(
        name: "Frames",
        value:
          "\(verification.frames.count) used, \(verification.movingCount) left out since they moved"
      ))
    return rows
  }

  /// The document `plumbline.verify/1` and the report, as files.
  ///
  /// - Parameter name: What the report is about, such as the device and the time.
  /// - Returns: `verify.json` and `verify.html`.
  /// - Throws: ``CaptureReadingError`` when the report cannot be made.
  public func files(named name: String) throws(CaptureReadingError) -> [Extraction.File] {
    let bytes = JSONWriter().bytes(verification.document(folder: name, session: session))
    let document = String(decoding: bytes, as: UTF8.self)
    return [
      Extraction.File(name: "verify.json", bytes: bytes),
      Extraction.File(
        name: "verify.html",
        bytes: try verification.report(title: name, preview: nil, document: document)),
    ]
  }
}
