/// A camera matrix as text: three rows of three numbers.
enum IntrinsicsText {
  /// The camera, whose size the file does not give; `nil` when there are not nine finite numbers.
  ///
  /// - Throws: `.limitExceeded`.
  static func camera(
    _ bytes: [UInt8], limits: ReadingLimits, path: String
  ) throws(CaptureReadingError) -> RecordedCalibration? {
    let fields = try NumberLines(bytes, limits: limits, path: path).lines.flatMap(\.self)
    guard fields.count >= 9, let m = NumberLines.numbers(fields[..<9]) else { return nil }
    var camera = RecordedCalibration()
    camera.matrix = (0..<9).map { m[$0 % 3 * 3 + $0 / 3] }
    return camera
  }
}
