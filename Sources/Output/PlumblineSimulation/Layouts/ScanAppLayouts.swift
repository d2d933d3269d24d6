import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineRecordings

/// A frame in the format of StandardCyborg's app: JSON as the bytes of one element, then colors,
/// then depths, binary and little-endian.
///
/// - Source: the frames of StandardCyborgCocoa's test data.
struct PLYLayout {
  /// The app's value for missing depths.
  private static let missing: Float = 9999

  func file(of frame: SimulatedFrame) -> SimulatedFile {
    let depth = frame.depth
    let color = frame.color.resampled(to: depth.size)
    let metadata = JSONWriter(layout: .compact).bytes(metadata(of: frame))
    let header = [
      "ply", "format binary_little_endian 1.0", "comment \(SimulationWriter.notice)",
      "element metadata \(metadata.count)", "property uchar char",
      "element color \(depth.size.pixelCount)", "property float r", "property float g",
      "property float b", "element depth \(depth.size.pixelCount)", "property float d",
      "end_header\n",
    ].joined(separator: "\n")
    var bytes = Array(header.utf8) + metadata
    bytes.reserveCapacity(bytes.count + 16 * depth.size.pixelCount)
    func append(_ value: Float) {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes += $0 }
    }
    for pixel in color.packed.samples {
      for code in [pixel.red, pixel.green, pixel.blue] { append(Float(code) / 255) }
    }
    for meters in depth.meters.packed.samples { append(meters.isFinite ? meters : Self.missing) }
    let number = String(frame.index)
    let zeros = String(repeating: "0", count: max(0, 3 - number.count))
    return SimulatedFile(name: "frame-\(zeros)\(number).ply", bytes: bytes)
  }

  private func metadata(of frame: SimulatedFrame) -> JSONValue {
    let claimed = frame.measurement.calibration
    let size = frame.measurement.disparity.size
    let (f, c) = (claimed.intrinsics.focalLength, claimed.intrinsics.principalPoint)
    var camera: [(key: String, value: JSONValue)] = [
      ("extrinsic_matrix", .numbers([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])),
      ("height", .integer(size.height)),
      ("intrinsic_matrix", .numbers([f.x, 0, 0, 0, f.y, 0, c.x, c.y, 1])),
      (
        "intrinsic_matrix_reference_dimensions_height",
        .number(Double(claimed.intrinsics.size.height))
      ),
      (
        "intrinsic_matrix_reference_dimensions_width",
        .number(Double(claimed.intrinsics.size.width))
      ),
    ]
    if let lens = claimed.distortion {
      camera += [
        (
          "inverse_lens_distortion_lookup_table",
          .numbers(lens.tableEntries(lens.undistorting).map(Double.init))
        ),
        ("lens_distortion_center_x", .number(lens.center.x)),
        ("lens_distortion_center_y", .number(lens.center.y)),
        (
          "lens_distortion_lookup_table",
          .numbers(lens.tableEntries(lens.distorting).map(Double.init))
        ),
      ]
    }
    camera += [
      ("pixel_size_mm", .number(claimed.pixelSizeMillimeters)), ("width", .integer(size.width)),
    ]
    let seconds = Double(frame.timestampMilliseconds) / 1000
    return .object([
      ("absolute_timestamp", .number(600_000_000 + seconds)),
      ("camera_intrinsics", .object(camera)), ("color_space", "sRGB"),
      ("height", .integer(size.height)), ("software", .string(SimulationWriter.software)),
      ("synthetic", .string(SimulationWriter.notice)), ("timestamp", .number(seconds)),
      ("width", .integer(size.width)),
    ])
  }
}

extension Raster where Sample == RGB8 {
  /// The image resampled to another size of the same aspect ratio: the mean of the pixels in each
  /// new one, or the nearest pixel if there is none.
  func resampled(to target: RasterSize) -> Raster<RGB8> {
    if size == target { return self }
    return Raster(size: target) { x, y in
      let columns = x * self.width / target.width..<max((x + 1) * self.width / target.width, 1)
      let rows = y * self.height / target.height..<max((y + 1) * self.height / target.height, 1)
      var sum = SIMD3<Int>.zero
      var count = 0
      for row in rows.isEmpty ? rows.lowerBound..<rows.lowerBound + 1 : rows {
        for column in columns.isEmpty ? columns.lowerBound..<columns.lowerBound + 1 : columns {
          let pixel = self[column, row]
          sum &+= SIMD3(Int(pixel.red), Int(pixel.green), Int(pixel.blue))
          count += 1
        }
      }
      return RGB8(
        red: UInt8((sum.x + count / 2) / count), green: UInt8((sum.y + count / 2) / count),
        blue: UInt8((sum.z + count / 2) / count))
    }
  }
}

/// A JSON file of millimeters beside a JPEG file, as an app for face scans writes them.
///
/// - Source: Lzcstan/iOS3DFaceRecon: 0 for missing depths and for depths beyond 10 m; matrices as
///   lists of columns.
struct RGBDJSONLayout {
  func files(of frame: SimulatedFrame) throws(CaptureReadingError) -> [SimulatedFile] {
    // The app's file names end with milliseconds since 1970.
    let name = "simulated_\(1_650_000_000_000 + frame.timestampMilliseconds)"
    return [
      SimulatedFile(name: "\(name).json", bytes: json(of: frame)),
      SimulatedFile(
        name: "\(name).jpg", bytes: try JPEGEncoder(quality: 92).encoded(frame.color)),
    ]
  }

  private func json(of frame: SimulatedFrame) -> [UInt8] {
    let writer = JSONWriter(layout: .compact)
    var bytes = Array(#"{"calibration_data":"#.utf8)
    bytes += writer.bytes(calibration(frame.measurement.calibration))
    bytes += Array(#","software":"#.utf8) + writer.bytes(.string(SimulationWriter.software))
    bytes += Array(#","synthetic":"#.utf8) + writer.bytes(.string(SimulationWriter.notice))
    bytes += Array(#","depth_data":["#.utf8)
    let meters = frame.depth.meters
    for y in 0..<meters.height {
      bytes += y == 0 ? [UInt8(ascii: "[")] : Array(",[".utf8)
      for (x, depth) in meters.row(y).enumerated() {
        if x > 0 { bytes.append(UInt8(ascii: ",")) }
        let millimeters = depth.isFinite && depth <= 10 ? depth * 1000 : 0
        bytes += Array(millimeters.description.utf8)
      }
      bytes.append(UInt8(ascii: "]"))
    }
    return bytes + Array("]}\n".utf8)
  }

  private func calibration(_ claimed: CameraCalibration) -> JSONValue {
    let (f, c) = (claimed.intrinsics.focalLength, claimed.intrinsics.principalPoint)
    let size = claimed.intrinsics.size
    var members: [(key: String, value: JSONValue)] = [
      (
        "intrinsic_matrix",
        .array([.numbers([f.x, 0, 0]), .numbers([0, f.y, 0]), .numbers([c.x, c.y, 1])])
      ),
      ("pixel_size", .number(claimed.pixelSizeMillimeters)),
      (
        "intrinsic_matrix_reference_dimensions",
        .numbers([Double(size.width), Double(size.height)])
      ),
    ]
    if let lens = claimed.distortion {
      members += [
        ("lens_distortion_center", .numbers([lens.center.x, lens.center.y])),
        (
          "lens_distortion_lookup_table",
          .numbers(lens.tableEntries(lens.distorting).map(Double.init))
        ),
        (
          "inverse_lens_distortion_lookup_table",
          .numbers(lens.tableEntries(lens.undistorting).map(Double.init))
        ),
      ]
    }
    return .object(members)
  }
}
