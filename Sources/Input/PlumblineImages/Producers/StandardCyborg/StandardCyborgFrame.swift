package import PlumblineIO
package import PlumblineModel

/// One TrueDepth frame as StandardCyborg's apps write it: a PLY file with the elements `metadata`
/// (JSON), `color` and `depth`; see `Documentation/formats/standard-cyborg-ply.md`.
package struct StandardCyborgFrame {
  package static let layout = "StandardCyborg PLY frames"
  /// The value where nothing was measured.
  private static let missingDepth = 9999.0

  private let file: PLYFile
  private let limits: ReadingLimits
  /// The JSON of the frame.
  package let metadata: RecordedJSON

  /// Whether a PLY header is that of a depth frame and not of a cloud or mesh.
  package static func recognizes(_ header: PLYHeader) -> Bool {
    ["metadata", "depth"].allSatisfy { name in header.elements.contains { $0.name == name } }
  }

  /// Reads header and metadata.
  ///
  /// - Throws: `.unsupported` for a PLY file that is no depth frame, and what its parts throw.
  package init(_ bytes: ArraySlice<UInt8>, limits: ReadingLimits) throws(CaptureReadingError) {
    file = try PLYFile(bytes, limits: limits)
    self.limits = limits
    guard Self.recognizes(file.header) else {
      let names = file.header.elements.map { "\($0.count) \(printable(text: $0.name))" }
      throw CaptureReadingError(
        .unsupported, path: ["PLY header"], offset: bytes.startIndex,
        expected: "a depth frame with the elements metadata and depth",
        found: "a PLY point cloud or mesh (\(names.joined(separator: ", "))), whose points have "
          + "lost the camera and its pixels")
    }
    let text = try file.rows(of: "metadata", atMost: limits.json.bytes).map { number in
      // Only bytes make text; anything else is caught as no JSON.
      UInt8(exactly: number) ?? 0
    }
    do throws(CaptureReadingError) {
      metadata = try RecordedJSON(parsing: text[...], limits: limits, path: ["PLY", "metadata"])
    } catch {
      // Offsets inside the text are not those of the file.
      var error = error
      error.offset = nil
      throw error
    }
  }

  /// The device's clock in seconds; `nil` when not given.
  package var timestampSeconds: Double? { metadata["timestamp"]?.number }

  /// The frame, with its own small color image where that is requested.
  package func capture(color: CaptureReader.ColorRequest) throws(CaptureReadingError) -> Capture {
    var capture = Capture(source: .apple(.trueDepth, .avfoundation))
    capture.timestampSeconds = timestampSeconds
    let size = try mapSize
    let meters = try file.rows(of: "depth", atMost: limits.auxiliaryPixels)
    guard meters.count == size.pixelCount else {
      throw CaptureReadingError(
        .malformed, path: ["PLY", "depth"],
        expected: "\(size.pixelCount) depths for \(size)", found: "\(meters.count)")
    }
    let raster = Raster(
      size: size,
      samples: meters.map { $0 == Self.missingDepth ? DepthMap.missing : Float($0) })
    var record = DepthRecord(
      values: .depth(DepthMap(meters: raster)), storedType: "fdep", accuracy: .absolute)
    capture.provenance = [
      ProvenanceStep(.read, "meters as stored; \(Int(Self.missingDepth)) is not measured"),
      ProvenanceStep(
        .assumedAbsolute, "the file does not say; the app records the TrueDepth camera alone"),
    ]
    record.calibration = capture.take(calibration(size))
    capture.depth = record
    try addColor(size, color, to: &capture)
    return capture
  }

  private var mapSize: RasterSize {
    get throws(CaptureReadingError) {
      let camera = metadata["camera_intrinsics"]
      for node in [metadata, camera].compactMap(\.self) {
        let numbers = [node["width"]?.number, node["height"]?.number].compactMap(\.self)
        if let size = RecordedCalibration.size(numbers) {
          _ = try limits.pixelCount(
            width: size.width, height: size.height, atMost: limits.auxiliaryPixels,
            path: ["PLY", "metadata"])
          return size
        }
      }
      throw CaptureReadingError(
        .malformed, path: ["PLY", "metadata"], expected: "width and height in whole pixels",
        found: "\(metadata["width"]?.kind ?? "none"), \(metadata["height"]?.kind ?? "none")")
    }
  }

  private func calibration(_ size: RasterSize) -> CheckedCalibration {
    guard let camera = metadata["camera_intrinsics"] else { return CheckedCalibration() }
    func numbers(_ key: String, _ newKey: String) -> [Double]? {
      (camera[key] ?? camera[newKey])?.numbers
    }
    var recorded = RecordedCalibration()
    recorded.matrix = numbers("intrinsic_matrix", "nominalIntrinsicMatrix")
    recorded.referenceSize =
      RecordedCalibration.size(numbers("", "intrinsicMatrixReferenceSize"))
      ?? RecordedCalibration.size(
        ["width", "height"].compactMap {
          camera["intrinsic_matrix_reference_dimensions_\($0)"]?.number
        })
    recorded.mapSize = size
    let center = ["x", "y"].compactMap { camera["lens_distortion_center_\($0)"]?.number }
    recorded.distortionCenter = center.isEmpty ? nil : center
    recorded.distortingTable = numbers(
      "lens_distortion_lookup_table", "lensDistortionLookupTable")
    recorded.undistortingTable = numbers(
      "inverse_lens_distortion_lookup_table", "inverseLensDistortionLookupTable")
    recorded.pixelSizeMillimeters = camera["pixel_size_mm"]?.number
    let extrinsics = numbers("extrinsic_matrix", "extrinsicMatrix")
    // Four columns of four in old files, of three in new ones.
    recorded.extrinsicColumns =
      extrinsics?.count == 16
      ? extrinsics?.enumerated().filter { $0.offset % 4 != 3 }.map(\.element) : extrinsics
    return recorded.checked()
  }

  private func addColor(
    _ size: RasterSize, _ request: CaptureReader.ColorRequest, to capture: inout Capture
  ) throws(CaptureReadingError) {
    guard file.element("color") != nil else { return }
    capture.colorSize = size
    if request == .none { return }
    let values = try file.rows(of: "color", atMost: limits.auxiliaryPixels)
    guard values.count == 3 * size.pixelCount else {
      capture.colorSize = nil
      capture.findings.append(
        Finding(
          .fileDamagedImage, .caution, "the colors are not three for each depth",
          evidence: "\(values.count) numbers for \(size)"))
      return
    }
    // The app stores powers of 2.2 of the camera's codes, which only their grid gives away.
    let isPower = !values.allSatisfy { abs(($0 * 255).rounded() - $0 * 255) < 0.01 }
    let power = isPower ? PowerCodes() : nil
    func code(_ value: Double) -> UInt8 {
      let share = value > 0 ? min(value, 1) : 0
      return power?.code(ofShare: share) ?? UInt8(255 * share + 0.5)
    }
    let pixels = [RGB8](unsafeUninitializedCapacity: size.pixelCount) { pixels, count in
      for index in 0..<size.pixelCount {
        pixels.initializeElement(
          at: index,
          to: RGB8(
            red: code(values[3 * index]), green: code(values[3 * index + 1]),
            blue: code(values[3 * index + 2])))
      }
      count = size.pixelCount
    }
    capture.color = request.reduced(Raster(size: size, samples: pixels))
    if isPower {
      capture.provenance.append(
        ProvenanceStep(.decodedColor, "code = 255 · value^(1/2.2), the inverse of the app's own"))
    }
  }
}
