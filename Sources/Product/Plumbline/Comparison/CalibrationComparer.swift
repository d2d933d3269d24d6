public import PlumblineCorrection
import PlumblineExport
import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineStereo
import PlumblineVerification
import PlumblineVision

/// Compares two calibrations, or two captures with theirs.
///
/// ```swift
/// let comparison = try CalibrationComparer().compare(
///   .read(path: "before.json"), .read(path: "after.json"))
/// print(comparison.reason)
/// ```
public struct CalibrationComparer: Sendable {
  /// Creates a comparer.
  public init() {}

  /// Compares two sides.
  ///
  /// - Parameters:
  ///   - first: The first side, in whose pixels differences are reported.
  ///   - second: The second side.
  /// - Returns: The differences, second minus first.
  /// - Throws: ``CorrectionError`` when the sizes differ in shape, so that no pixel of one is one of
  ///   the other. Cost: O(*n* log *n*) of the depth maps.
  public func compare(
    _ first: CalibrationComparison.Side, _ second: CalibrationComparison.Side
  ) throws(CorrectionError) -> CalibrationComparison {
    let a = first.calibrationOfPixels
    let size = a.intrinsics.size
    guard second.calibration.intrinsics.matchesAspect(of: size) else {
      throw CorrectionError(
        .mismatch, step: "compare", expected: "a calibration of the shape of \(size)",
        found: "\(second.calibration.intrinsics.size)")
    }
    let b = second.calibrationOfPixels.scaled(to: size)
    let ratio = b.intrinsics.focalLength / a.intrinsics.focalLength
    var lens = b
    lens.intrinsics = a.intrinsics
    let shares = [first, second].map(\.focalSigmaShare)
    return CalibrationComparison(
      first: first, second: second, size: size,
      focalPercent: 100 * ((ratio.x * ratio.y).squareRoot() - 1),
      focalSigmaPercent: 100 * shares.reduce(0) { $0 + $1 * $1 }.squareRoot(),
      sigmaBasis: [first, second].allSatisfy { $0.uncertainty?.focalLengthPixels != nil }
        ? "the sigmas that both state"
        : "0.064 % between sessions of one device, for a side that states no sigma",
      principalPointPixels: b.intrinsics.principalPoint - a.intrinsics.principalPoint,
      distortionCenterPixels: a.distortion.flatMap { lens in
        b.distortion.map { $0.center - lens.center }
      },
      distortionPixels: a.largestMovement(to: lens), largestPixels: a.largestMovement(to: b),
      projection: ProjectionDifference(
        CameraModel(a), CameraModel(b), firstUncertainty: first.uncertainty?.projection,
        secondUncertainty: second.uncertainty?.projection),
      depth: first.depth.flatMap { a in second.depth.flatMap { Self.difference(of: $0, from: a) } })
  }

  /// The difference of two maps; `nil` for maps of two sizes or without common pixels.
  ///
  /// O(*n* log *n*).
  private static func difference(
    of second: DepthMap, from first: DepthMap
  ) -> CalibrationComparison.DepthDifference? {
    guard first.size == second.size else { return nil }
    let pairs = zip(first.meters.packed.samples, second.meters.packed.samples)
    let common = pairs.filter { $0.isFinite && $1.isFinite }
    guard let spread = SampleSpread(common.map { Double($1) - Double($0) }) else { return nil }
    let agreeing = common.filter { abs($1 / $0 - 1) < 0.05 }.count
    return CalibrationComparison.DepthDifference(
      commonCount: common.count, medianMillimeters: 1000 * spread.median,
      madMillimeters: 1000 * spread.medianAbsoluteDeviation,
      agreeingFraction: Double(agreeing) / Double(common.count))
  }
}

extension CalibrationComparison.Side {
  /// Reads a calibration file, a capture, or the first frame of a folder.
  ///
  /// - Parameter path: The file or folder.
  /// - Returns: The side, with depths where it is a capture with a metric map.
  /// - Throws: ``InputError``, ``CaptureReadingError``, ``CalibrationFileError``; `.missing` for a capture
  ///   without a calibration.
  public static func read(path: String) throws -> CalibrationComparison.Side {
    let input = try CaptureInput(path: path)
    if case .file(let file) = input, let file = try CalibrationFile(ifIn: file) {
      return CalibrationComparison.Side(
        name: lastPathPart(path), calibration: file.calibration, uncertainty: file.uncertainty)
    }
    let analysis = try CaptureAnalyzer(color: .none).analyze(input)
    guard let record = analysis.capture.depth, let calibration = record.calibration else {
      throw CaptureReadingError(
        .missing, expected: "a capture with a calibration", found: "none in it")
    }
    return CalibrationComparison.Side(
      name: analysis.fileName, calibration: calibration,
      uncertainty: record.calibrationUncertainty,
      depth: analysis.corrected.flatMap { $0.isMetric ? $0.depth : nil },
      isRectified: record.isRectified ?? analysis.capture.source.isGeometryCorrected ?? false)
  }

  /// Sigma of the focal length as a share of it.
  fileprivate var focalSigmaShare: Double {
    guard let sigma = uncertainty?.focalLengthPixels else { return FocalFromPair.driftShare }
    return max(
      sigma.x / calibration.intrinsics.focalLength.x,
      sigma.y / calibration.intrinsics.focalLength.y)
  }
}

extension CalibrationFile {
  /// Reads a file that is a calibration by its first bytes or keys; `nil` for any other.
  fileprivate init?(ifIn file: InputFile) throws {
    let isYAML = file.bytes.starts(with: "%YAML".utf8)
    let start = file.bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard isYAML || start == UInt8(ascii: "{") else { return nil }
    if !isYAML {
      // A frame of a recording app is JSON too, and has neither key.
      guard let json = try? JSONValue(parsing: file.bytes),
        json["schema"] != nil || json["intrinsic_matrix"] != nil
      else { return nil }
    }
    do throws(CalibrationReadingError) {
      try self.init(parsing: file.bytes)
    } catch {
      throw CalibrationFileError(path: file.path, error: error)
    }
  }
}
