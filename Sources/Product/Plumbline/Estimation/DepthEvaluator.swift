public import PlumblineInference
import PlumblineImages
import PlumblineIO
public import PlumblineModel
import PlumblineRecordings

/// Evaluates predicted depth maps against true ones.
///
/// ```swift
/// let prediction = try EvaluatedMap.read(path: "prediction.npy")
/// let result = try DepthEvaluator().evaluate(prediction, truth: .read(path: "truth.npy"))
/// print(result.reason)
/// ```
public struct DepthEvaluator: Sendable {
  /// The crop, the maximum depth and the alignment.
  public var settings: DepthEvaluation.Settings

  /// Creates an evaluator.
  ///
  /// - Parameter settings: The crop, the maximum depth and the alignment; the whole map as it is unless
  ///   given.
  public init(_ settings: DepthEvaluation.Settings = DepthEvaluation.Settings()) {
    self.settings = settings
  }

  /// Evaluates a prediction.
  ///
  /// - Parameters:
  ///   - prediction: The predicted map.
  ///   - truth: The true map.
  /// - Returns: Both maps with their comparison.
  /// - Throws: ``EstimationError``, as ``DepthEvaluation`` does. Cost: O(*n* log *n*).
  public func evaluate(
    _ prediction: EvaluatedMap, truth: EvaluatedMap
  ) throws(EstimationError) -> EvaluationResult {
    EvaluationResult(
      prediction: prediction, truth: truth,
      evaluation: try DepthEvaluation(prediction.depth, truth: truth.depth, settings: settings))
  }
}

/// A depth map that is evaluated or that is the truth, and how it was read.
public struct EvaluatedMap: Sendable {
  /// The quantity of a file's numbers.
  public enum Kind: String, Sendable, CaseIterable {
    /// Meters along the optical axis, or in a unit of their own.
    case depth
    /// Their reciprocals.
    case disparity
  }

  /// The name that outputs carry.
  public var name: String
  /// The depths.
  public var depth: DepthMap
  /// How the numbers were read, in words.
  public var reading: String
  /// The SHA-256 of the file; `nil` for a frame of several.
  public var sha256: String?

  /// Wraps a map.
  package init(name: String, depth: DepthMap, reading: String, sha256: String? = nil) {
    self.name = name
    self.depth = depth
    self.reading = reading
    self.sha256 = sha256
  }

  /// Reads a map: a NumPy array, TIFF, 16-bit PNG or PGM, a photo, or a recording's frame.
  ///
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - kind: What the numbers of a bare map are; captures say so themselves.
  ///   - codesPerMeter: How many codes of a bare map of whole numbers make a meter.
  ///   - frame: The frame of a recording by name or number; the first unless given.
  /// - Returns: The map in meters, or in a unit of its own.
  /// - Throws: ``InputError``, ``CaptureReadingError``. Cost: O(*n*).
  public static func read(
    path: String, kind: Kind = .depth, codesPerMeter: Double = 1000, frame: String? = nil
  ) throws -> EvaluatedMap {
    let input = try CaptureInput(path: path)
    if case .file(let file) = input,
      let map = try DepthMapFile(file.bytes, codesPerMeter: codesPerMeter)
    {
      let unit = map.hasCodes ? "\(codesPerMeter) codes a meter" : "as stored"
      let values = kind == .depth ? map.values : map.values.map { $0 > 0 ? 1 / $0 : .nan }
      return EvaluatedMap(
        name: lastPathPart(path), depth: DepthMap(meters: values),
        reading: "\(map.container), \(kind.rawValue), \(unit)",
        sha256: SHA256Digest.hexadecimal(of: file.bytes))
    }
    var analyzer = CaptureAnalyzer(color: .none)
    analyzer.frame = frame
    let analysis = try analyzer.analyze(input)
    guard let corrected = analysis.corrected else {
      throw CaptureReadingError(.missing, expected: "a depth map", found: "none")
    }
    let unit = corrected.isMetric ? "meters" : "without a known scale"
    return EvaluatedMap(
      name: analysis.fileName, depth: corrected.depth, reading: "capture, \(unit)",
      sha256: analysis.sha256)
  }
}
