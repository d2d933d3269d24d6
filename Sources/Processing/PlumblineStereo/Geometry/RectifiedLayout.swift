import PlumblineModel
import PlumblineVision

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

/// What a camera sees on the plane `z = 1` of the rectified frame, as bounds of its border.
struct RectifiedField {
  var lowest: SIMD2<Double>
  var highest: SIMD2<Double>

  /// Follows the border of the part that shows the scene.
  init(_ camera: RectifiedCamera, name: String) throws(StereoError) {
    let area = camera.area
    guard area.size.width >= 2, area.size.height >= 2 else {
      throw StereoError(
        .degenerate, expected: "a \(name) image of 2 rows and columns at least",
        found: "\(area.size)")
    }
    let first = SIMD2(Double(area.x), Double(area.y))
    let extent = SIMD2(Double(area.size.width - 1), Double(area.size.height - 1))
    lowest = SIMD2(repeating: .infinity)
    highest = -lowest
    let steps = 64
    for step in 0...steps {
      let share = Double(step) / Double(steps)
      for place in [SIMD2(share, 0), SIMD2(share, 1), SIMD2(0, share), SIMD2(1, share)] {
        guard let ray = camera.outermostRay(toward: first + extent * place) else {
          throw StereoError(
            .degenerate,
            expected: "a \(name) camera that looks across the line between the cameras",
            found: "a border of its image that lies along it")
        }
        lowest = pointwiseMin(lowest, ray)
        highest = pointwiseMax(highest, ray)
      }
    }
  }
}

/// A camera, its turn, and the part of its image that shows the scene.
struct RectifiedCamera: Sendable {
  var model: CameraModel
  var rectifiedFromCamera: Rotation
  var area: PixelRectangle
  /// Squared slopes of rays beyond which the lens's function turns back.
  var largestSquaredSlope: Double

  init(_ model: CameraModel, _ rotation: Rotation, aperture: PixelRectangle?) throws(StereoError) {
    self.model = model
    rectifiedFromCamera = rotation
    let size = model.intrinsics.size
    area = aperture ?? PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
    guard area.isInside(size) else {
      throw StereoError(
        .mismatch, expected: "a clean aperture inside of \(size)",
        found: "\(area.size) at (\(area.x), \(area.y))")
    }
    largestSquaredSlope = model.lens.largestSquaredSlope
  }

  /// The ray of a pixel, as slopes in the rectified frame; `nil` where there is none.
  func ray(_ pixel: SIMD2<Double>) -> SIMD2<Double>? {
    guard let slopes = model.unproject(pixel),
      (slopes * slopes).sum() <= largestSquaredSlope
    else { return nil }
    let turned = rectifiedFromCamera * SIMD3(slopes, 1)
    // 84° from the new axis: an image that needs this field is stretched tenfold at its border.
    guard turned.z > 0.1 * (turned * turned).sum().squareRoot() else { return nil }
    return SIMD2(turned.x, turned.y) / turned.z
  }

  /// The pixel that shows a ray of the rectified frame; `nil` outside of the lens or the area.
  func pixel(_ slopes: SIMD2<Double>) -> SIMD2<Double>? {
    let direction = rectifiedFromCamera.inverse * SIMD3(slopes, 1)
    guard direction.z > 0 else { return nil }
    let own = SIMD2(direction.x, direction.y) / direction.z
    guard (own * own).sum() <= largestSquaredSlope else { return nil }
    return model.project(direction)
  }

  /// The ray of a pixel of the border, or of the outermost one on the way to it that has one.
  fileprivate func outermostRay(toward pixel: SIMD2<Double>) -> SIMD2<Double>? {
    let middle = model.intrinsics.principalPoint
    for step in 0..<50 {
      let share = 1 - 0.01 * Double(step)
      if let ray = ray(middle + (pixel - middle) * share) { return ray }
    }
    return nil
  }
}

extension LensModel {
  /// The squared slope at which Brown's radial polynomial turns back, infinite where it does not.
  fileprivate var largestSquaredSlope: Double {
    guard case .polynomial(let k, _) = self else { return .infinity }
    // d(r·(1 + k1·r² + k2·r⁴ + k3·r⁶))/dr, sought in steps up to 80°.
    let steps = 4096
    for step in 1...steps {
      let square = 32 * Double(step) / Double(steps)
      let slope = 1 + square * (3 * k.x + square * (5 * k.y + square * 7 * k.z))
      if slope <= 0 { return 32 * Double(step - 1) / Double(steps) }
    }
    return .infinity
  }
}
