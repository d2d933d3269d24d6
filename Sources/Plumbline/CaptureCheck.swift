public import PlumblineCorrection
public import PlumblineImages
import PlumblineIO
public import PlumblineModel
public import PlumblineVerification

/// One file read, corrected and assessed.
///
/// ```swift
/// let check = try CaptureCheck(bytes, fileName: "portrait.heic")
/// print(check.assessment.reason)
/// ```
public struct CaptureCheck: Sendable {
  /// The name that outputs carry.
  public var fileName: String
  /// The SHA-256 of the file, hexadecimal; `nil` for a frame of several files.
  public var sha256: String?
  /// The capture as read.
  public var capture: Capture
  /// Its depth as corrected; `nil` when it has none.
  public var corrected: CorrectedDepth?
  /// The assessment.
  public var assessment: CaptureAssessment

  /// Reads, corrects and assesses a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - fileName: The name that outputs carry.
  ///   - reader: Limits, threads, and how much color to decode.
  ///   - knownDistances: None, one or two distances that make a relative map metric.
  /// - Throws: ``CaptureReadingError`` for the file, ``DistanceFitError`` for the distances.
  public init(
    _ bytes: [UInt8], fileName: String, reader: CaptureReader = CaptureReader(),
    knownDistances: [KnownDistance] = []
  ) throws {
    try self.init(
      reader.capture(from: bytes), fileName: fileName,
      sha256: SHA256Digest.hexadecimal(of: bytes), knownDistances: knownDistances)
  }

  /// Corrects and assesses a capture that was read already, such as a frame of a sequence.
  ///
  /// - Parameters:
  ///   - capture: The capture as read.
  ///   - fileName: The name that outputs carry.
  ///   - sha256: The digest of its file; `nil` when it came from several.
  ///   - knownDistances: None, one or two distances that make a relative map metric.
  /// - Throws: ``DistanceFitError`` for the distances.
  public init(
    _ capture: Capture, fileName: String, sha256: String? = nil,
    knownDistances: [KnownDistance] = []
  ) throws(DistanceFitError) {
    self.fileName = fileName
    self.sha256 = sha256
    self.capture = capture
    corrected = try capture.depth.map { record throws(DistanceFitError) in
      try CorrectedDepth(
        record, knownDistances: knownDistances,
        isGeometryCorrected: record.isRectified ?? capture.source.isGeometryCorrected)
    }
    assessment = CaptureAssessment(capture, corrected)
    self.capture.provenance += corrected?.steps ?? []
  }
}
