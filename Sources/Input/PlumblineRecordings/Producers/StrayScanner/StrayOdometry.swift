import PlumblineIO
import PlumblineImages
import PlumblineModel

/// The poses of `odometry.csv`, one per frame, in one of its three layouts.
///
/// - Source: strayrobots/scanner, `OdometryEncoder.swift` of 2021 (seven columns, usually without
///   names), of 2022 (with time and frame before them) and of 2026 (with intrinsics after them).
struct StrayOdometry {
  /// One row.
  struct Row: Sendable {
    /// The device's clock in seconds; `nil` in the layout without times.
    var timestampSeconds: Double?
    /// The number in the names of the depth and confidence files.
    var frame: Int
    var worldFromCamera: RigidTransform?
    /// Focal lengths and principal point for the video's images; `nil` in older layouts.
    var camera: [Double]?
  }

  /// The rows in the order of the file.
  let rows: [Row]
  /// The indices of rows without a usable frame number.
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

/// A table of numbers as the app writes it: separated by commas and blanks, one line per row,
/// usually after a line of names.
struct StrayTable {
  /// The columns' names in lowercase; empty without a line of names.
  let names: [String]
  /// All numbers, row after row; an hour at 200 Hz takes at most 110 MB.
  private let values: [Double]
  /// The number of values up to the end of each row.
  private let ends: [Int]
  /// The widest known layout has 15 columns.
  private static let mostColumns = 16

  /// The number of rows.
  var rowCount: Int { ends.count }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - mostRows: The maximum number of rows.
  ///   - limits: `stringBytes` limits a line.
  /// - Throws: `.limitExceeded`; `.malformed` for a line of names after the first line. O(*n*).
  init(
    _ bytes: [UInt8], mostRows: Int, limits: ReadingLimits
  ) throws(CaptureReadingError) {
    var names: [String] = []
    var values: [Double] = []
    var ends: [Int] = []
    var number = 0
    var text = TextLines(bytes[(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)...])
    while let line = text.next() {
      let place = line.startIndex
      guard line.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
      number += 1
      try limits.require(line.count, atMost: 4_096, "bytes of line", offset: place)
      let end = line.firstIndex(of: 0x2C) ?? line.endIndex
      if number == 1, Double(decimal: Self.trimmed(line[..<end])) == nil {
        names = line.split(separator: 0x2C, omittingEmptySubsequences: false).map {
          printable(text: String(decoding: Self.trimmed($0), as: UTF8.self)).lowercased()
        }
        continue
      }
      try limits.require(ends.count + 1, atMost: mostRows, "rows", offset: place)
      let before = values.count
      var rest = line
      while true {
        let end = rest.firstIndex(of: 0x2C) ?? rest.endIndex
        let field = Double(decimal: Self.trimmed(rest[..<end])) ?? .nan
        values.append(field.isFinite ? field : .nan)
        guard end < rest.endIndex else { break }
        rest = rest[(end + 1)...]
      }
      try limits.require(
        values.count - before, atMost: Self.mostColumns, "columns", offset: place)
      ends.append(values.count)
    }
    self.names = names
    self.values = values
    self.ends = ends
  }

  /// The position of a column by name.
  func column(_ name: String) -> Int? { names.firstIndex(of: name) }

  /// The numbers of a row; NaN for a field that is empty or not a finite number.
  func row(_ index: Int) -> [Double] { Array(values[range(ofRow: index)]) }

  /// The number in a column of a row; NaN as in ``row(_:)``, and if the row is shorter.
  func value(row: Int, column: Int) -> Double {
    let range = range(ofRow: row)
    return column < range.count ? values[range.lowerBound + column] : .nan
  }

  private func range(ofRow index: Int) -> Range<Int> {
    (index > 0 ? ends[index - 1] : 0)..<ends[index]
  }

  private static func trimmed(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var range = field.indices
    while let first = range.first, field[first] == 0x20 || field[first] == 0x09 {
      range = range.dropFirst()
    }
    while let last = range.last, field[last] == 0x20 || field[last] == 0x09 {
      range = range.dropLast()
    }
    return field[range]
  }
}
