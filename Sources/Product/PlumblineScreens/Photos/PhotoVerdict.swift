import Plumbline
import PlumblineIO
import PlumblineModel
import PlumblineVerification

/// What the app says of a photo right after it was taken: whether it can be measured, and how well.
public struct PhotoVerdict: Hashable, Sendable {
  /// How good the news are; a screen has a color and a sign for each.
  public enum Tone: Hashable, Sendable {
    /// It can be measured.
    case good
    /// It compares within itself only.
    case limited
    /// It cannot be measured, or not be read.
    case bad
  }

  /// The name of the file.
  public let fileName: String
  /// The first words, such as `Measurable, lengths to ± 6.5 %`.
  public let headline: String
  /// How good they are.
  public let tone: Tone
  /// Why, in a sentence.
  public let reason: String
  /// Figures with their ±, one a line; empty for a file that cannot be read.
  public let figures: [String]
  /// Findings that matter for measuring, faults first, in sentences.
  public let findings: [String]

  /// Describes an analysis of a file.
  init(_ analysis: CaptureAnalysis) {
    fileName = analysis.fileName
    headline = analysis.headline.words
    tone =
      switch analysis.headline.tone {
      case .measurable, .corrected: .good
      case .relative: .limited
      case .untrusted: .bad
      }
    reason = analysis.assessment.reason
    figures = Self.figures(of: analysis)
    findings = analysis.assessment.findings.filter { $0.severity != .note }.map(\.message)
  }

  /// Describes a file that cannot be read, with the place in it, what was expected and what was found.
  init(_ error: any Error, fileName: String) {
    self.fileName = fileName
    (headline, tone) = ("Cannot be read", .bad)
    let document = ErrorDocument(error)
    reason = document.message
    figures = []
    findings = [
      document.place.map { "Place in the file: \($0)." },
      document.expected.map { "Expected: \($0)." }, document.found.map { "Found: \($0)." },
    ].compactMap(\.self)
  }

  private static func figures(of analysis: CaptureAnalysis) -> [String] {
    guard let statistics = analysis.assessment.statistics else { return [] }
    let size = analysis.capture.depth.map { "depth map of \($0.size), " } ?? ""
    var lines = [size + "\((statistics.validFraction * 100).fixed(1)) % of it measured"]
    guard let median = statistics.medianMeters else { return lines }
    guard analysis.corrected?.isMetric == true else {
      return lines + ["median depth \(median.fixed(3)), without a unit"]
    }
    let uncertainty = analysis.assessment.uncertainty
    if let uncertainty, uncertainty.sensor != nil {
      let sigma = uncertainty.total.sigmaMeters(atDepth: median)
      lines.append(
        "median depth \(median.fixed(3)) m ± \((sigma * 1000).fixed(1)) mm along the optical axis")
    } else {
      lines.append(
        "median depth \(median.fixed(3)) m along the optical axis, ± of the sensor unknown")
    }
    lines.append(
      uncertainty?.lengthPercent.map { "lengths across the image to ± \($0.fixed(1)) %" }
        ?? "± of lengths across the image unknown")
    return lines
  }
}

/// Checks the bytes of photos as the command does.
public struct PhotoChecker: Sendable {
  let analyzer: CaptureAnalyzer

  /// Creates a checker.
  ///
  /// - Parameters:
  ///   - deviceModel: The model of this device as photos name it; `nil` leaves it to each file.
  ///   - threads: The maximum number of threads, at least 1.
  public init(deviceModel: String? = nil, threads: Int = 2) {
    var analyzer = CaptureAnalyzer(color: .preview(maximumSide: 1024), threads: threads)
    analyzer.deviceModel = deviceModel
    self.analyzer = analyzer
  }

  /// Reads and assesses a photo.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - fileName: The name that the verdict carries.
  /// - Returns: The verdict; for a file that cannot be read, why. Cost: that of a ``CaptureAnalysis``.
  public func verdict(on bytes: [UInt8], fileName: String) -> PhotoVerdict {
    do {
      return PhotoVerdict(try analyzer.analyze(bytes, fileName: fileName))
    } catch { return PhotoVerdict(error, fileName: fileName) }
  }
}
