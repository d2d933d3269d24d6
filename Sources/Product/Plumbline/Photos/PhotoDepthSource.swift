import PlumblineCorrection
import PlumblineImages
package import PlumblineIO
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
  package init(name: String, record: DepthRecord, provenance: [ProvenanceStep] = []) {
    self.name = name
    self.record = record
    self.provenance = provenance
    attachedOrigin = "\(record.size) of \(name)"
  }

  /// Takes a capture's depth as it is stored; what the file states of crops and rays is applied first.
  ///
  /// - Throws: `.missing` without depth.
  package init(_ check: CaptureAnalysis) throws(CaptureReadingError) {
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

  /// Reads the map of a path: a bare map (NPY, TIFF, PNG or PGM of 16 bits), a photo, or a recording's frame.
  ///
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - kind: What the numbers of a bare map are.
  ///   - accuracy: What a bare map may be believed; captures say so themselves.
  ///   - codesPerMeter: How many codes of a bare map of whole numbers make a meter.
  ///   - frame: The frame of a recording by name or number; the first unless given.
  ///   - calibration: The camera, in place of the map's own.
  /// - Returns: The map, with its camera where it has one.
  /// - Throws: ``InputError``, ``CaptureReadingError``. Cost: O(*n*).
  public static func read(
    path: String, kind: EvaluatedMap.Kind = .depth, accuracy: DepthRecord.Accuracy = .absolute,
    codesPerMeter: Double = 1000, frame: String? = nil, calibration: CameraCalibration? = nil
  ) throws -> PhotoDepthSource {
    var source: PhotoDepthSource
    let input = try CaptureInput(path: path)
    if case .file(let file) = input,
      let map = try DepthMapFile(file.bytes, codesPerMeter: codesPerMeter)
    {
      let values: DepthRecord.Values =
        kind == .depth
        ? .depth(DepthMap(meters: map.values))
        : .disparity(DisparityMap(inverseMeters: map.values))
      var record = DepthRecord(
        values: values, storedType: map.hasCodes ? "u16" : "fdep", accuracy: accuracy)
      record.isFiltered = false
      source = PhotoDepthSource(name: lastPathPart(path), record: record)
      source.isBare = true
    } else {
      var analyzer = CaptureAnalyzer(color: .none)
      analyzer.frame = frame
      source = try PhotoDepthSource(analyzer.analyze(input))
    }
    if let calibration { source.record.calibration = calibration }
    return source
  }
}

extension PhotoDepthSource {
  /// How the map lies: as it says, or, of a bare one, as its shape and the user tell.
  ///
  /// - Throws: ``PhotoWritingError`` for a map of another shape than the image.
  func orientation(
    in photo: PhotoFacts, _ notes: inout [String]
  ) throws(PhotoWritingError) -> ImageOrientation {
    let shown = photo.orientation.uprightSize(of: photo.size)
    guard isBare, photo.orientation != .up else {
      let upright = record.orientation.uprightSize(of: record.size)
      guard Self.fits(upright, shown) else {
        throw PhotoFraming.refusal(
          "depth", "a map of the shape of the image, \(shown) upright",
          "\(upright) upright in \(name)")
      }
      return record.orientation
    }
    let (isStored, isShown) = fits(photo)
    let chosen = lying ?? (isStored ? .stored : .shown)
    guard chosen == .stored ? isStored : isShown else {
      let expected =
        switch lying {
        case .stored: "\(photo.size) as its pixels are stored"
        case .shown: "\(shown) as it is shown"
        case nil: "\(photo.size) as its pixels are stored, or \(shown) as it is shown"
        }
      throw PhotoFraming.refusal(
        "depth", "a map of the shape of the image, \(expected)", "\(record.size) in \(name)")
    }
    if isLyingOpen(in: photo) {
      notes.append(
        "the map was taken to lie as the photo's pixels are stored; by its shape it may as well lie as the "
          + "photo is shown")
    }
    return chosen == .stored ? photo.orientation : .up
  }

  /// Whether nothing says how the map lies, and its shape allows both ways.
  func isLyingOpen(in photo: PhotoFacts) -> Bool {
    isBare && photo.orientation != .up && lying == nil && fits(photo) == (true, true)
  }

  /// Whether the map has the shape of the image as its pixels are stored, and as it is shown.
  private func fits(_ photo: PhotoFacts) -> (isStored: Bool, isShown: Bool) {
    (
      Self.fits(record.size, photo.size),
      Self.fits(record.size, photo.orientation.uprightSize(of: photo.size))
    )
  }

  private static func fits(_ size: RasterSize, _ image: RasterSize) -> Bool {
    abs(size.aspectRatio / image.aspectRatio - 1) < 0.01
  }
}
