public import PlumblineEstimation
import PlumblineImages
import PlumblineIO
public import PlumblineModel
import PlumblineRecordings

/// A predicted and a true depth map as files, and the result of comparing them.
public struct EvaluationRun: Sendable {
  /// The quantity of a file's numbers.
  public enum Kind: String, Sendable, CaseIterable {
    /// Meters along the optical axis, or in a unit of their own.
    case depth
    /// Their reciprocals.
    case disparity
  }

  /// One of the two maps, and what was read.
  public struct Side: Sendable {
    /// The name that outputs carry.
    public var name: String
    /// The depths.
    public var depth: DepthMap
    /// How the numbers were read, in words.
    public var reading: String
    /// The SHA-256 of the file; `nil` for a frame of several.
    public var sha256: String?

    /// Wraps a map.
    public init(name: String, depth: DepthMap, reading: String, sha256: String? = nil) {
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
    /// - Throws: ``InputError``, ``CaptureReadingError``. Cost: O(*n*).
    public init(
      path: String, kind: Kind = .depth, codesPerMeter: Double = 1000, frame: String? = nil
    ) throws {
      let input = try CaptureInput(path: path)
      let check: CaptureCheck
      switch input {
      case .file(let file):
        let name = lastPathPart(path)
        let digest = SHA256Digest.hexadecimal(of: file.bytes)
        if let map = try DepthMapFile(file.bytes, codesPerMeter: codesPerMeter) {
          let unit = map.hasCodes ? "\(codesPerMeter) codes a meter" : "as stored"
          let values = kind == .depth ? map.values : map.values.map { $0 > 0 ? 1 / $0 : .nan }
          self.init(
            name: name, depth: DepthMap(meters: values),
            reading: "\(map.container), \(kind.rawValue), \(unit)", sha256: digest)
          return
        }
        check = try CaptureCheck(
          CaptureReader(color: .none).capture(from: file.bytes), fileName: name, sha256: digest)
      case .recording(let recording, let name):
        let index = try recording.index(of: frame ?? "0")
        check = try CaptureCheck(
          recording.capture(at: index, color: .none),
          fileName: "\(name)/\(recording.frameNames[index])")
      }
      guard let depth = check.corrected?.depth else {
        throw CaptureReadingError(.missing, expected: "a depth map", found: "none")
      }
      let unit = check.corrected?.isMetric == true ? "meters" : "without a known scale"
      self.init(
        name: check.fileName, depth: depth, reading: "capture, \(unit)", sha256: check.sha256)
    }
  }

  /// The predicted depth map.
  public let prediction: Side
  /// The true depth map.
  public let truth: Side
  /// The result of the comparison.
  public let evaluation: DepthEvaluation

  /// Evaluates a prediction.
  ///
  /// - Throws: ``EstimationError``, as ``DepthEvaluation`` does.
  public init(
    _ prediction: Side, truth: Side, settings: DepthEvaluation.Settings
  ) throws(EstimationError) {
    self.prediction = prediction
    self.truth = truth
    evaluation = try DepthEvaluation(prediction.depth, truth: truth.depth, settings: settings)
  }
}
