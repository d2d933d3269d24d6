extension CameraCalibrator {
  /// How far the focal lengths of two interleaved halves of the views are apart, in percent.
  ///
  /// A check that needs no formula: about twice the relative standard deviation of all views
  /// together when views vary independently, more when the camera changed on the way.
  ///
  /// - Parameters:
  ///   - views: Views in the order in which they were taken; those with too few corners are left out
  ///     before the halves are formed.
  ///   - initial: The camera whose fixed numbers are kept.
  /// - Returns: The focal length of the 1st, 3rd, … view minus that of the 2nd, 4th, …, in percent of
  ///   their mean.
  /// - Throws: ``CalibrationError`` when a half does not tell the focal length.
  /// - Precondition: The focal length is free.
  public func splitHalfPercent(
    _ views: [BoardView], initial: CameraModel? = nil
  ) throws(CalibrationError) -> Double {
    precondition(free.contains(.focal), "halves of a fixed focal length do not differ")
    let usable = views.filter { $0.corners.count >= minimumCorners }
    func half(_ parity: Int) -> [BoardView] {
      usable.indices.filter { $0 % 2 == parity }.map { usable[$0] }
    }
    let first = try calibrate(half(0), initial: initial).focal
    let second = try calibrate(half(1), initial: initial).focal
    return (first - second) / (first + second) * 200
  }
}
