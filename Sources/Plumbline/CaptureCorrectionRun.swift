public import PlumblineCorrection
import PlumblineModel
import PlumblineRecordings

/// A capture before and after a list of corrections, assessed both times.
public struct CaptureCorrectionRun: Sendable {
  /// The capture as it was read, with its assessment.
  public var before: CaptureCheck
  /// The corrected capture, with its assessment.
  public var after: CaptureCheck
  /// The steps as they were applied, in order.
  public var applications: [CorrectionApplication]
  /// Which stored pixel of the map each pixel of the result is; `nil` when none moved.
  public var depthMap: NearestPixelMap?

  /// Applies the requested corrections.
  ///
  /// - Throws: ``CorrectionError``; `DistanceFitError` cannot occur, since distances are not part
  ///   of it. Cost: O(*n*) for each step.
  public init(_ check: CaptureCheck, request: CorrectionRequest) throws {
    before = check
    applications = []
    var capture = check.capture
    // The assessment's own changes are made again to the corrected capture.
    capture.provenance.removeLast(check.corrected?.steps.count ?? 0)
    for step in try request.steps(for: check) {
      let applied = try step.application(to: capture)
      capture = applied.capture
      applications.append(applied)
      if let map = applied.depthMap { depthMap = depthMap?.followed(by: map) ?? map }
    }
    after = try CaptureCheck(capture, fileName: check.fileName, sha256: check.sha256)
  }
}
