import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The poses of `odometry.csv`, one a frame, in one of its three layouts.
///
/// - Source: strayrobots/scanner, `OdometryEncoder.swift` of 2021 (seven columns, mostly without
///   names), of 2022 (time and frame in front) and of 2026 (camera numbers behind).
struct StrayOdometry {
  /// One row.
  struct Row: Sendable {
    /// The device's clock in seconds; `nil` in the layout without times.
    var timestampSeconds: Double?
    /// The number in the names of the depth and confidence files.
    var frame: Int
    var worldFromCamera: RigidTransform?
    /// Focal lengths and principal point of the video's images; `nil` in older layouts.
    var camera: [Double]?
  }

  /// The rows in the order of the file.
  let rows: [Row]
  /// Rows that hold no frame number and no pose that can be used.
  let damagedRows: [Int]

  private static let layouts: [Int: [String]] = {
    let pose = ["x", "y", "z", "qx", "qy", "qz", "qw"]
    let timed = ["timestamp", "frame"] + pose
    let withCamera = timed + ["fx", "fy", "cx", "cy"]
    return [
      7: pose, 9: timed, 13: withCamera,
      15: withCamera + ["distortion_center_x", "distortion_center_y"],
    ]
  }()

  /// Reads the file.
  ///
  /// - Throws: `.malformed` for columns of no known layout, `.limitExceeded`.
  init(_ bytes: [UInt8], limits: ReadingLimits) throws(CaptureReadingError) {
    let table = try StrayTable(bytes, mostRows: limits.sequenceFrames, limits: limits)
    let width = table.rowCount > 0 ? table.row(0).count : 0
    let names = table.names.isEmpty ? Self.layouts[width] ?? [] : table.names
    let columns = Dictionary(
      names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let pose = ["x", "y", "z", "qx", "qy", "qz", "qw"].compactMap { columns[$0] }
    guard pose.count == 7 else {
      throw CaptureReadingError(
        .malformed, expected: "columns x, y, z, qx, qy, qz, qw",
        found: names.isEmpty ? "\(width) columns without names" : names.joined(separator: ", "))
    }
    let camera = ["fx", "fy", "cx", "cy"].compactMap { columns[$0] }
    var rows: [Row] = []
    var damaged: [Int] = []
    for index in 0..<table.rowCount {
      func value(_ column: Int?) -> Double? {
        let value = column.map { table.value(row: index, column: $0) }
        return value.flatMap { $0.isFinite ? $0 : nil }
      }
      var frame: Int? = index
      if let column = columns["frame"] {
        frame = value(column).flatMap { Int(exactly: $0) }
        if let number = frame, !(0...999_999_999).contains(number) { frame = nil }
      }
      guard let frame else {
        damaged.append(index)
        continue
      }
      var row = Row(timestampSeconds: value(columns["timestamp"]), frame: frame)
      let numbers = pose.compactMap { value($0) }
      if numbers.count == 7, numbers.allSatisfy({ abs($0) < 1e9 }),
        let rotation = Rotation(quaternion: SIMD4(numbers[3], numbers[4], numbers[5], numbers[6]))
      {
        row.worldFromCamera = RigidTransform(
          rotation: rotation, translation: SIMD3(numbers[0], numbers[1], numbers[2]))
      }
      let cameraNumbers = camera.compactMap { value($0) }
      if camera.count == 4, cameraNumbers.count == 4 { row.camera = cameraNumbers }
      rows.append(row)
    }
    self.rows = rows
    self.damagedRows = damaged
  }
}
