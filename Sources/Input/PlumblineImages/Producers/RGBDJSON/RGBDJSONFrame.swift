package import PlumblineIO
package import PlumblineModel

/// One frame of `{"depth_data": [[…]], "calibration_data": {…}}`, depths in millimeters; see
/// `Documentation/formats/rgbd-json.md`.
package struct RGBDJSONFrame {
  package static let layout = "RGB-D JSON files"
  package static let depthKey = "depth_data"
  private static let calibrationKey = "calibration_data"

  private var meters: Raster<Float>?
  private var calibrationNode: RecordedJSON?
  private let limits: ReadingLimits

  /// Whether the first bytes of a file look like one; keys stand in any order.
  package static func recognizes(_ start: [UInt8]) -> Bool {
    guard start.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return false }
    let text = String(decoding: start, as: UTF8.self)
    return text.contains("\"\(depthKey)\"") || text.contains("\"\(calibrationKey)\"")
  }

  /// Reads a text; depths are read as they come, without a tree of 300,000 numbers.
  ///
  /// - Throws: `.unsupported` for JSON without depths, `.malformed` and `.limitExceeded` with the
  ///   position. O(*n*).
  package init(_ bytes: ArraySlice<UInt8>, limits: ReadingLimits) throws(CaptureReadingError) {
    self.limits = limits
    var keys: [String] = []
    do throws(JSONReadingError) {
      var reader = try JSONReader(bytes, limits: limits.json, strictness: .lenient)
      try reader.openObject()
      while let key = try reader.nextKey() {
        do throws(JSONReadingError) {
          try readMember(key, from: &reader, maximumPixels: limits.auxiliaryPixels)
        } catch {
          throw error.inside(printable(text: key.prefix(40)))
        }
        if key != Self.depthKey, keys.count < 5 { keys.append(printable(text: key.prefix(40))) }
      }
      try reader.expectEnd()
    } catch {
      throw CaptureReadingError(error)
    }
    guard meters != nil else {
      throw CaptureReadingError(
        .unsupported, offset: bytes.startIndex,
        expected: "a JSON object with “\(Self.depthKey)”",
        found: keys.isEmpty
          ? "an empty one" : "a JSON text with the keys \(keys.joined(separator: ", "))")
    }
  }

  private mutating func readMember(
    _ key: String, from reader: inout JSONReader, maximumPixels: Int
  ) throws(JSONReadingError) {
    if key == Self.depthKey, meters == nil {
      let rows = try reader.readNumberRows(maximumCount: maximumPixels, dividedBy: 1000)
      let size = RasterSize(width: rows.width, height: rows.values.count / rows.width)
      meters = Raster(size: size, samples: rows.values)
    } else {
      let value = try reader.readValue()
      if key == Self.calibrationKey { calibrationNode = calibrationNode ?? RecordedJSON(value) }
    }
  }

  /// The frame without its color image, which is a file of its own.
  package func capture() throws(CaptureReadingError) -> Capture {
    var capture = Capture(source: .apple(.trueDepth, .avfoundation))
    guard let meters else { return capture }
    var record = DepthRecord(
      values: .depth(DepthMap(meters: meters)), storedType: "fdep",
      accuracy: .absolute)
    capture.provenance = [
      ProvenanceStep(
        .converted, "meters = value / 1000; 0 is not measured or beyond the writer's 10 m"),
      ProvenanceStep(
        .assumedAbsolute, "the file does not say; the app records the TrueDepth camera alone"),
    ]
    let measured = meters.samples.lazy.filter { $0 > 0 }
    let wholeMeters = measured.allSatisfy { $0.truncatingRemainder(dividingBy: 1) == 0 }
    if wholeMeters, measured.contains(where: { $0 > 0 }) {
      capture.findings.append(
        Finding(
          .depthTruncatedToMeters, .fault,
          "every depth is a whole number of meters: the writer cut them off before it multiplied",
          effect: Finding.Effect(zMillimeters: 1000), evidence: "depth_data, multiples of 1000"))
    }
    if meters.samples.contains(where: { $0 < 0 || $0 > 10 }) {
      capture.findings.append(
        Finding(
          .fileDamagedMetadata, .caution,
          "there are depths below 0 or above 10 m, which the app never writes",
          evidence: "depth_data"))
    }
    // Relatives of the app write meters under the same key, and no camera sees nearer than 20 mm.
    if let farthest = measured.max(), farthest < 0.02 {
      record.hasUnit = false
      capture.provenance.append(
        ProvenanceStep(
          .doubtedUnit, "no value reaches 20, so they can hardly be millimeters; unit unknown"))
    }
    if let calibrationNode {
      record.calibration = capture.take(
        Self.recorded(calibrationNode, mapSize: meters.size).checked())
    }
    capture.depth = record
    return capture
  }

  private static func recorded(_ node: RecordedJSON, mapSize: RasterSize) -> RecordedCalibration {
    var recorded = RecordedCalibration()
    let lists = node["intrinsic_matrix"]?.elements?.compactMap(\.numbers) ?? []
    // One list too few or of another length is no matrix, and a damaged one must not pass as none.
    recorded.matrix =
      RecordedCalibration.columnMajor(lists) ?? node["intrinsic_matrix"].map { _ in [] }
    recorded.referenceSize = RecordedCalibration.size(
      node["intrinsic_matrix_reference_dimensions"]?.numbers)
    recorded.mapSize = mapSize
    recorded.distortionCenter = node["lens_distortion_center"]?.numbers
    recorded.distortingTable = node["lens_distortion_lookup_table"]?.numbers
    recorded.undistortingTable = node["inverse_lens_distortion_lookup_table"]?.numbers
    recorded.pixelSizeMillimeters = node["pixel_size"]?.number
    return recorded
  }
}
