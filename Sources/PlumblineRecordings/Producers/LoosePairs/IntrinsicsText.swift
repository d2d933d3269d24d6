import PlumblineImages
import PlumblineIO

/// A camera matrix as text: three rows of three numbers.
enum IntrinsicsText {
  /// The camera, whose size the file does not give; `nil` when there are not nine finite numbers.
  ///
  /// - Throws: `.limitExceeded`.
  static func camera(
    _ bytes: [UInt8], limits: ReadingLimits, path: String
  ) throws(CaptureReadingError) -> RecordedCalibration? {
    var m: [Double] = []
    for line in try NumberLines(bytes, limits: limits, path: path).lines {
      for place in line.indices where m.count < 9 {
        guard let number = line.number(at: place) else { return nil }
        m.append(number)
      }
      if m.count == 9 { break }
    }
    guard m.count == 9 else { return nil }
    var camera = RecordedCalibration()
    camera.matrix = (0..<9).map { m[$0 % 3 * 3 + $0 / 3] }
    return camera
  }
}
