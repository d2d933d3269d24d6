public import PlumblineModel

/// What a user says of a depth map where its file says nothing: its unit, and whether its depths are
/// true meters.
///
/// Loose maps of cameras such as RealSense, Azure Kinect, Orbbec and Structure hold numbers alone.
/// A statement never replaces what a file does say.
public struct DepthStatement: Sendable, Hashable {
  /// The unit of the numbers; `nil` leaves it as it is.
  public var unit: DepthUnit?
  /// Whether the depths are absolute, as the maker of the camera promises.
  public var isAbsolute: Bool

  /// Creates a statement.
  public init(unit: DepthUnit? = nil, isAbsolute: Bool = false) {
    self.unit = unit
    self.isAbsolute = isAbsolute
  }

  /// The capture with the statement in the place of what its file leaves open; each part is a step
  /// of its provenance, which says whose word it is.
  ///
  /// - Returns: The same capture where it has no depth map, or nothing was stated.
  /// - Throws: ``CorrectionError`` for a unit of a map whose file names its own, or whose codes are
  ///   packed or relative; for "absolute" of a map that its file calls relative. Cost: O(*n*).
  public func applied(to capture: Capture) throws(CorrectionError) -> Capture {
    guard var record = capture.depth else { return capture }
    var capture = capture
    if let unit {
      try Self.requireOpenUnit(of: record, capture)
      record = try unit.applied(to: record, dividedBy: Self.assumedPerMeter(capture))
      capture.findings.removeAll(where: Self.concernsAssumedUnit)
      capture.provenance.append(
        ProvenanceStep(
          .statedUnit, "the number 1 of the map is \(unit.words), as you said"))
    }
    if isAbsolute, record.accuracy != .absolute {
      guard record.accuracy == .unknown, capture.estimate == nil else {
        throw CorrectionError(
          .relative, step: ProvenanceStep.Kind.statedAbsolute.rawValue,
          expected: "a map whose file leaves open whether its depths are absolute",
          found: "one without scale and offset by its own file")
      }
      record.accuracy = .absolute
      capture.provenance.append(
        ProvenanceStep(.statedAbsolute, "the depths are true meters, as you said"))
    }
    capture.depth = record
    return capture
  }

  private static func requireOpenUnit(
    of record: DepthRecord, _ capture: Capture
  ) throws(CorrectionError) {
    let isAssumed =
      capture.findings.contains(where: concernsAssumedUnit)
      || capture.provenance.contains { $0.kind == .assumedUnit || $0.kind == .doubtedUnit }
    let isStated = capture.provenance.contains { $0.kind == .statedUnit }
    guard !isStated, isAssumed || !record.hasUnit, record.accuracy != .relative,
      capture.estimate == nil
    else {
      throw CorrectionError(
        .unsupported, step: ProvenanceStep.Kind.statedUnit.rawValue,
        expected: "a map whose file does not name the unit of its depths",
        found: record.accuracy == .relative || capture.estimate != nil
          ? "a relative one" : "one whose file does")
    }
  }

  /// Whether a finding says of the unit that it was guessed.
  private static func concernsAssumedUnit(_ finding: Finding) -> Bool {
    finding.code == .depthUnitAssumed
      || finding.code == .depthEncodingAssumed && finding.correction == .applied
  }

  /// By what floating-point numbers of the file were divided already.
  private static func assumedPerMeter(_ capture: Capture) -> Double {
    capture.provenance.contains { $0.kind == .doubtedUnit } ? 1000 : 1
  }
}

extension DepthUnit {
  /// The record with its numbers in this unit.
  ///
  /// Whole numbers are converted again from the stored codes, so that the result is that of a reader
  /// that knew the unit.
  fileprivate func applied(
    to record: DepthRecord, dividedBy assumed: Double
  ) throws(CorrectionError) -> DepthRecord {
    var record = record
    record.hasUnit = true
    if case .uint16(let codes, _) = record.storedSamples, case .depth = record.values {
      guard let line = record.quantization, line.minimumCode == 0, line.minimumValue == 0 else {
        throw CorrectionError(
          .unsupported, step: ProvenanceStep.Kind.statedUnit.rawValue,
          expected: "whole numbers that count a length", found: "packed ones, \(record.storedType)")
      }
      let meters = codes.map { $0 == 0 ? Float.nan : Float(Double($0) / perMeter) }
      record.values = .depth(DepthMap(meters: meters))
      record.quantization?.maximumValue = Double(line.maximumCode) / perMeter
      return record
    }
    let ratio = assumed / perMeter
    guard ratio != 1 else { return record }
    func scaled(_ raster: Raster<Float>, by factor: Double) -> Raster<Float> {
      raster.map { Float(Double($0) * factor) }
    }
    var lineFactor = ratio
    switch record.values {
    case .depth(let map):
      record.values = .depth(DepthMap(meters: scaled(map.meters, by: ratio)))
    case .range(let map):
      record.values = .range(RangeMap(meters: scaled(map.meters, by: ratio)))
    case .disparity(let map):
      lineFactor = 1 / ratio
      record.values = .disparity(
        DisparityMap(inverseMeters: scaled(map.inverseMeters, by: lineFactor)))
    }
    record.quantization?.minimumValue *= lineFactor
    record.quantization?.maximumValue *= lineFactor
    record.sigmaMeters = record.sigmaMeters.map { scaled($0, by: ratio) }
    return record
  }
}
