import PlumblineImages
import PlumblineIO
import PlumblineModel

/// One frame: `rgbd/N.depth`, `.conf` and `.jpg` with its part of the metadata.
struct Record3DFrame {
  let number: Int
  /// The index of its intrinsics in the metadata's list; `nil` if it has none of its own.
  let coefficientPlace: Int?
  let files: Record3DFiles
  let metadata: Record3DMetadata
  let folder: any CaptureFolder
  let limits: ReadingLimits

  /// Reads the frame without time and pose, which are in lists for the whole recording.
  ///
  /// - Throws: ``CaptureReadingError`` for its depth map; other damaged parts are skipped.
  func capture(color: CaptureReader.ColorRequest) throws(CaptureReadingError) -> Capture {
    var capture = Capture(source: CaptureSource())
    capture.source.make = "Apple"
    if let name = files.name(number, "depth") {
      do throws(CaptureReadingError) {
        capture.depth = try depth(name)
      } catch {
        throw error.inside(name)
      }
      if let name = files.name(number, "conf") { addConfidence(name, to: &capture) }
      tellCamera(&capture)
    }
    if let name = files.name(number, "jpg") {
      try ColorFile(name: name, folder: folder, limits: limits, request: color).add(to: &capture)
    }
    addCalibration(to: &capture)
    return capture
  }

  /// The decompressed bytes; some writers do not compress maps, which the first bytes show.
  private func unpacked(_ name: String, atMost limit: Int) throws(CaptureReadingError) -> [UInt8] {
    let bytes = try folder.bytes(of: name)
    guard LZFSEBlock.recognizes(bytes) else { return bytes }
    return try LZFSE.decoded(bytes[...], atMost: limit)
  }

  private func depth(_ name: String) throws(CaptureReadingError) -> DepthRecord {
    let bytes = try unpacked(name, atMost: 4 * limits.auxiliaryPixels)
    let (size, bytesPerPixel) = try shape(byteCount: bytes.count)
    _ = try limits.pixelCount(
      width: size.width, height: size.height, atMost: limits.auxiliaryPixels)
    let map: DepthMap
    if bytesPerPixel == 4 {
      map = DepthMap(
        meters: Raster(
          size: size, samples: Self.numbers(UInt32.self, bytes).map(Float.init(bitPattern:))))
    } else {
      map = DepthMap(
        halfPrecisionMeters: Raster(size: size, samples: Self.numbers(UInt16.self, bytes)))
    }
    return DepthRecord(
      values: .depth(map), storedType: bytesPerPixel == 4 ? "fdep" : "hdep", accuracy: .absolute)
  }

  private static func numbers<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type, _ bytes: [UInt8]
  ) -> [Number] {
    bytes.withUnsafeBytes { bytes in
      (0..<(bytes.count / MemoryLayout<Number>.size)).map { index in
        Number(
          littleEndian: bytes.loadUnaligned(
            fromByteOffset: index * MemoryLayout<Number>.size, as: Number.self))
      }
    }
  }

  /// The size of a depth map and the bytes per pixel, determined from the byte count.
  ///
  /// If the metadata have no size, the map has the aspect ratio of the color image. Since √2 is
  /// irrational, no byte count fits this aspect ratio with both two and four bytes per pixel.
  private func shape(byteCount: Int) throws(CaptureReadingError) -> (RasterSize, Int) {
    if let size = metadata.depthSize {
      for bytesPerPixel in [4, 2] where size.pixelCount * bytesPerPixel == byteCount {
        return (size, bytesPerPixel)
      }
      throw CaptureReadingError(
        .malformed, expected: "\(size) pixels of 4 or 2 bytes", found: "\(byteCount) bytes")
    }
    guard let color = metadata.colorSize else {
      throw CaptureReadingError(
        .missing, expected: "the size of the maps (dw and dh, or w and h) in the metadata",
        found: "neither, and maps of \(byteCount) bytes")
    }
    for bytesPerPixel in [4, 2] where byteCount % bytesPerPixel == 0 {
      if let size = Self.size(pixelCount: byteCount / bytesPerPixel, shapedAs: color) {
        return (size, bytesPerPixel)
      }
    }
    throw CaptureReadingError(
      .missing, expected: "dw and dh in the metadata, or maps of the shape of \(color)",
      found: "maps of \(byteCount) bytes")
  }

  /// The size with a given pixel count and exactly the aspect ratio of another size; `nil` if none
  /// exists.
  static func size(pixelCount: Int, shapedAs other: RasterSize) -> RasterSize? {
    var (a, b) = (other.width, other.height)
    while b != 0 { (a, b) = (b, a % b) }
    let unit = RasterSize(width: other.width / a, height: other.height / a)
    let factor = Int((Double(pixelCount) / Double(unit.pixelCount)).squareRoot().rounded())
    let size = RasterSize(width: factor * unit.width, height: factor * unit.height)
    return factor > 0 && size.pixelCount == pixelCount ? size : nil
  }

  private func addConfidence(_ name: String, to capture: inout Capture) {
    guard let size = capture.depth?.size else { return }
    do throws(CaptureReadingError) {
      let levels = try unpacked(name, atMost: limits.auxiliaryPixels)
      // The FaceID camera has no confidence, and its maps are empty.
      if levels.isEmpty { return }
      guard levels.count == size.pixelCount else {
        throw CaptureReadingError(
          .malformed, expected: "\(size) bytes", found: "\(levels.count) bytes")
      }
      guard levels.allSatisfy({ $0 <= 2 }) else {
        throw CaptureReadingError(
          .malformed, expected: "levels from 0 to 2", found: "\(levels.max() ?? 0)")
      }
      capture.depth?.confidence = ConfidenceMap(
        levels: Raster(size: size, samples: levels), maximumLevel: 2)
    } catch {
      capture.findings.append(
        Finding(
          .fileDamagedImage, .caution, "the confidence map cannot be used: \(error)",
          evidence: printable(text: name)))
    }
  }

  /// Identifies the camera by the size of its maps: 256 × 192 is ARKit's LiDAR, 640 × 480 FaceID.
  private func tellCamera(_ capture: inout Capture) {
    guard let size = capture.depth?.size else { return }
    let sides = [size.width, size.height].sorted()
    if sides == [192, 256] {
      capture.source.camera = .lidar
      capture.source.interface = .arkit
    } else if sides == [480, 640] {
      capture.source.camera = .trueDepth
    }
    capture.provenance.append(
      ProvenanceStep(
        .assumedAbsolute, "the file does not say; LiDAR and TrueDepth cameras both measure meters"
      ))
  }

  private func addCalibration(to capture: inout Capture) {
    var recorded = RecordedCalibration()
    if let coefficientPlace {
      let c = metadata.coefficients[coefficientPlace]
      recorded.matrix = [c[0], 0, 0, 0, c[1], 0, c[2], c[3], 1]
    } else {
      recorded.matrix = metadata.matrix
    }
    recorded.referenceSize = metadata.colorSize ?? capture.colorSize
    recorded.mapSize = capture.depth?.size
    let calibration = capture.take(recorded.checked())
    if let color = capture.colorSize, let size = metadata.colorSize, color != size {
      capture.findings.append(
        Finding(
          .fileUnequalSizes, .note,
          "the color image has \(color), the metadata give its camera numbers for \(size)",
          evidence: "rgbd/\(number).jpg"))
    }
    if capture.depth == nil {
      capture.colorCalibration = calibration
    } else {
      capture.depth?.calibration = calibration
    }
  }
}
