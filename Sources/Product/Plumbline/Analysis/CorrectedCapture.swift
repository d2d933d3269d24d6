package import PlumblineCorrection
package import PlumblineModel
package import PlumblineVerification

/// A capture with its depth as corrected, before it is assessed.
///
/// Depths need no assessment, which takes longer than the correction; callers that show depths alone stop here.
package struct CorrectedCapture: Sendable {
  /// The capture with what the analyzer's settings say of it; the steps of the correction are not yet in its
  /// provenance.
  package var capture: Capture
  /// Its depth as corrected; `nil` when it has none.
  package var corrected: CorrectedDepth?
  /// The measured distances that were applied, with the places of their pixels.
  package var distances: [LocatedDistance]
  /// The corrections and filters that the capture came with.
  package var earlierCorrections: [ProvenanceStep]
  /// The user's own measurement that was applied; `nil` for none.
  package var measuredFocal: MeasuredFocal?
}
