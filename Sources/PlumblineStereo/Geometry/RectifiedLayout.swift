import PlumblineModel

/// Where the two rectified images begin and end on the plane `z = 1`.
struct RectifiedLayout {
  var left: PinholeIntrinsics
  var right: PinholeIntrinsics

  /// Cuts both fields to what the two cameras see in common, at a focal length in pixels.
  ///
  /// The nearest point lies farther left in the right field by the largest shift, a slope.
  init(
    _ left: RectifiedField, _ right: RectifiedField, largestShift: Double, focal: Double,
    columns: StereoRectification.Columns
  ) throws(StereoError) {
    let top = max(left.lowest.y, right.lowest.y)
    let bottom = min(left.highest.y, right.highest.y)
    // A point at the slope x of the left field lies at x − B/z of the right one.
    var starts = (
      left: max(left.lowest.x, right.lowest.x),
      right: max(right.lowest.x, left.lowest.x - largestShift)
    )
    var ends = (
      left: min(left.highest.x, right.highest.x + largestShift),
      right: min(right.highest.x, left.highest.x)
    )
    guard top < bottom, starts.left < ends.left, starts.right < ends.right else {
      throw StereoError(
        .degenerate, expected: "two cameras that see something in common",
        found: "fields of view that do not overlap")
    }
    if columns == .alike {
      starts.left = min(starts.left, starts.right)
      starts.right = starts.left
      ends.left = max(ends.left, ends.right)
      ends.right = ends.left
    }
    let width = max(ends.left - starts.left, ends.right - starts.right)
    // A millionth of a pixel: bounds of unturned images keep their last row and column.
    let counts = (
      x: (width * focal + 1e-6).rounded(.down) + 1,
      y: ((bottom - top) * focal + 1e-6).rounded(.down) + 1
    )
    guard counts.x * counts.y <= Double(StereoRectification.largestPixelCount) else {
      throw StereoError(
        .limitExceeded,
        expected: "rectified images of at most \(StereoRectification.largestPixelCount) pixels",
        found: "\(counts.x) × \(counts.y) at a focal length of \(focal) px")
    }
    guard counts.x >= 2, counts.y >= 2 else {
      throw StereoError(
        .degenerate, expected: "two rows and columns in common", found: "\(counts.x) × \(counts.y)")
    }
    let size = RasterSize(width: Int(counts.x), height: Int(counts.y))
    func camera(_ start: Double) -> PinholeIntrinsics {
      PinholeIntrinsics(
        focalLength: SIMD2(repeating: focal), principalPoint: SIMD2(-start, -top) * focal,
        size: size)
    }
    self.left = camera(starts.left)
    self.right = camera(starts.right)
  }
}
