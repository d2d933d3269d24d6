import PlumblineImages
import PlumblineIO
internal import PlumblineModel
import PlumblineRecordings

/// A JSON file of millimeters beside a JPEG file, as an app for face scans writes them.
///
/// - Source: Lzcstan/iOS3DFaceRecon: 0 where nothing is measured or farther than 10 m; matrices as
///   lists of columns.
struct RGBDJSONLayout {
  func files(of frame: SimulatedFrame) throws(CaptureReadingError) -> [SimulatedFile] {
    // The app ends names in the milliseconds since 1970.
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
