import PlumblineCorrection
import PlumblineImages
public import PlumblineIO
public import PlumblineModel
import PlumblineRecordings

/// A depth map that is to be put into a photo: from another capture, from a bare map, or the photo's own
/// after correction.
public struct PhotoDepthSource: Sendable {
  /// The name of its source, for the provenance.
  public var name: String
  /// The map with its camera, in the orientation that it is stored in.
  public var record: DepthRecord
  /// The steps that were applied to it before.
  public var provenance: [ProvenanceStep]
  /// What its ± is in place of the phone's own sensor's, in 1/m; `nil` leaves that to the record.
  public var disparitySigma: Double?
  /// Where the photo shall say that its depth came from; `nil` for the photo's own map.
  public var attachedOrigin: String?

  /// The orientation of a map without metadata.
  public enum Lying: String, Sendable, CaseIterable {
    /// As the photo's pixels are stored, as `estimate`, `stereo` and `extract` write maps.
    case stored
    /// Upright, as the photo is shown.
    case shown
  }

  /// How a map lies that does not say it itself; `nil` goes by its shape, and by ``Lying/stored`` where both
  /// fit.
  public var lying: Lying?
  /// Whether the map says nothing of how it lies.
  var isBare = false

  /// Wraps a record.
  public init(name: String, record: DepthRecord, provenance: [ProvenanceStep] = []) {
    self.name = name
    self.record = record
    self.provenance = provenance
    attachedOrigin = "\(record.size) of \(name)"
  }

  /// Takes a capture's depth as it is stored; what the file states of crops and rays is applied first.
  ///
  /// - Throws: `.missing` without depth.
  public init(_ check: CaptureCheck) throws(CaptureReadingError) {
    guard var record = check.capture.depth, let corrected = check.corrected else {
      throw CaptureReadingError(.missing, expected: "a depth map", found: "none")
    }
    var steps = check.capture.provenance
    var isSettled = record.cleanAperture == nil
    if case .range = record.values { isSettled = false }
    if isSettled {
      // The changes that the assessment made to its own copy are not in this one.
      steps.removeLast(min(steps.count, corrected.steps.count))
    } else {
      if case .disparity = record.values {
        record.values = .disparity(corrected.depth.disparityMap)
      } else {
        record.values = .depth(corrected.depth)
      }
      record.storedSamples = nil
      record.quantization = nil
      record.calibration = corrected.calibration ?? record.calibration
      record.cleanAperture = nil
    }
    self.init(name: check.fileName, record: record, provenance: steps)
  }

  /// Reads a path: a bare map (NPY, TIFF, PNG or PGM of 16 bits), a photo, or a recording's frame.
  ///
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - kind: What the numbers of a bare map are.
  ///   - accuracy: What a bare map may be believed; captures say so themselves.
  ///   - codesPerMeter: How many codes of a bare map of whole numbers make a meter.
  ///   - frame: The frame of a recording by name or number; the first unless given.
  ///   - calibration: The camera, in place of the map's own.
  /// - Throws: ``InputError``, ``CaptureReadingError``. Cost: O(*n*).
  public init(
    path: String, kind: EvaluationRun.Kind = .depth, accuracy: DepthRecord.Accuracy = .absolute,
    codesPerMeter: Double = 1000, frame: String? = nil, calibration: CameraCalibration? = nil
  ) throws {
    switch try CaptureInput(path: path) {
    case .file(let file):
      if let map = try DepthMapFile(file.bytes, codesPerMeter: codesPerMeter) {
        let values: DepthRecord.Values =
          kind == .depth
          ? .depth(DepthMap(meters: map.values))
          : .disparity(DisparityMap(inverseMeters: map.values))
        var record = DepthRecord(
          values: values, storedType: map.hasCodes ? "u16" : "fdep", accuracy: accuracy)
        record.isFiltered = false
        self.init(name: lastPathPart(path), record: record)
        isBare = true
      } else {
        let check = try CaptureCheck(
          CaptureReader(color: .none).capture(from: file.bytes), fileName: lastPathPart(path))
        try self.init(check)
      }
    case .recording(let recording, let name):
      let index = try recording.index(of: frame ?? "0")
      let check = try CaptureCheck(
        recording.capture(at: index, color: .none),
        fileName: "\(name)/\(recording.frameNames[index])")
      try self.init(check)
    }
    if let calibration { record.calibration = calibration }
  }
}
