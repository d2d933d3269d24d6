import PlumblineCorrection
import PlumblineModel
import Synchronization

/// Filters the depth maps of a recording one by one, as ``CaptureFilter`` filters a capture.
///
/// Color stays as it is. A filter over time takes the frames in their order.
public struct RecordingFiltering: RecordingTransform {
  /// How maps are filtered.
  public var filter: CaptureFilter
  /// How frames are assessed before, whose ± the filters go by; with the calibration and the known
  /// distances that every frame gets.
  public var analyzer: CaptureAnalyzer

  /// Creates a transform.
  public init(_ filter: CaptureFilter, analyzer: CaptureAnalyzer = CaptureAnalyzer()) {
    self.filter = filter
    self.analyzer = analyzer
  }

  /// Begins with a recording; what the filter over time remembers begins anew.
  public func pass() -> RecordingPass<FilterResult> {
    let isOrdered = filter.chain.temporal != nil
    let memory = FilterMemory()
    return RecordingPass(isOrdered: isOrdered) { capture, name in
      var assessed = capture
      if filter.needsColor {
        try assessed.decodeColorFile()
      } else {
        // Comparing the map with its image would take longer than all the rest.
        assessed.color = nil
      }
      let analysis = try analyzer.analyze(assessed, fileName: name)
      let (color, file) = (capture.color, capture.colorFile)
      return {
        let result = try isOrdered ? memory.filtered(analysis, by: filter) : alone(analysis)
        var filtered = result.capture
        (filtered.color, filtered.colorFile) = (color, file)
        return TransformedFrame(filtered, result)
      }
    }
  }

  /// Filters a frame that needs none before it.
  private func alone(_ analysis: CaptureAnalysis) throws(CorrectionError) -> FilterResult {
    var memory = TemporalFilter.Memory()
    return try filter.filter(analysis, after: &memory)
  }
}

/// What frames left for the next one.
private final class FilterMemory: Sendable {
  private let memory = Mutex(TemporalFilter.Memory())

  /// Filters the next frame.
  func filtered(
    _ analysis: CaptureAnalysis, by filter: CaptureFilter
  ) throws(CorrectionError) -> FilterResult {
    try memory.withLock { memory throws(CorrectionError) in
      try filter.filter(analysis, after: &memory)
    }
  }
}
