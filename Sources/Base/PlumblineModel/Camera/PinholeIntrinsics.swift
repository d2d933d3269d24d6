#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A pinhole camera: focal lengths and principal point, and the image size they belong to.
///
/// Unit: pixels of an image of `size`; the center of its first pixel is (0, 0). Frame: camera
/// axes are `x` right, `y` down, `z` forward. There is no skew; Apple writes none.
public struct PinholeIntrinsics: Hashable, Sendable {
  /// The focal lengths along the columns and the rows, in pixels.
  public var focalLength: SIMD2<Double>
  /// The principal point, in pixels.
  public var principalPoint: SIMD2<Double>
  /// The size of the image that the numbers belong to.
  public var size: RasterSize

  /// Creates a camera from its numbers.
  ///
  /// - Precondition: The numbers are finite, and the focal lengths are above 0.
  public init(focalLength: SIMD2<Double>, principalPoint: SIMD2<Double>, size: RasterSize) {
    precondition(
      focalLength.x > 0 && focalLength.y > 0 && focalLength.x.isFinite && focalLength.y.isFinite
        && principalPoint.x.isFinite && principalPoint.y.isFinite,
      "focal length \(focalLength) and principal point \(principalPoint) make no camera")
    self.focalLength = focalLength
    self.principalPoint = principalPoint
    self.size = size
  }

  /// Reads Apple's column-major matrix `(fx,0,0, 0,fy,0, cx,cy,1)`.
  ///
  /// It is `nil` when there are not nine finite numbers, when the matrix is not that of a pinhole
  /// camera, when a focal length is outside 0.001 to 1,000 times the longer side, or when the
  /// principal point is farther away than 1,000 times that side. All of them must also lie within
  /// 1e-9 to 1e9 px, whatever the size. No camera comes near these bounds; within them the numbers
  /// can be scaled to any size and unprojected in single precision.
  ///
  /// - Parameters:
  ///   - matrix: Nine numbers, column after column.
  ///   - size: The matrix's reference dimensions.
  ///   - grid: The pixel coordinates that the source uses for its principal point.
  public init?(columnMajor matrix: [Double], size: RasterSize, grid: PixelGrid = .indexCentered) {
    let pixels = 1e-9...1e9
    guard matrix.count == 9, matrix.allSatisfy(\.isFinite), pixels.contains(matrix[0]),
      pixels.contains(matrix[4]), max(abs(matrix[6]), abs(matrix[7])) <= pixels.upperBound,
      matrix[1] == 0, matrix[2] == 0, matrix[3] == 0, matrix[5] == 0, matrix[8] == 1
    else { return nil }
    let side = Double(max(size.width, size.height))
    let legal = side / 1000...side * 1000
    guard legal.contains(matrix[0]), legal.contains(matrix[4]),
      max(abs(matrix[6]), abs(matrix[7])) <= legal.upperBound
    else { return nil }
    self.init(
      focalLength: [matrix[0], matrix[4]],
      principalPoint: grid.indexCentered([matrix[6], matrix[7]]), size: size)
  }

  /// The point on a pixel's ray at a depth, in the camera frame and the unit of the depth.
  @inlinable
  public func unproject(_ pixel: SIMD2<Double>, depth: Double) -> SIMD3<Double> {
    let ray = (pixel - principalPoint) / focalLength
    return SIMD3(ray * depth, depth)
  }

  /// Projects a point in the camera frame to a pixel; not finite for `z = 0`.
  @inlinable
  public func project(_ pointInCamera: SIMD3<Double>) -> SIMD2<Double> {
    SIMD2(pointInCamera.x, pointInCamera.y) / pointInCamera.z * focalLength + principalPoint
  }

  /// The horizontal and vertical fields of view in radians, edge to edge of the image.
  public var fieldOfView: SIMD2<Double> {
    let first = (SIMD2(-0.5, -0.5) - principalPoint) / focalLength
    let last =
      (SIMD2(Double(size.width), Double(size.height)) - 0.5 - principalPoint) / focalLength
    return [arctangent(last.x) - arctangent(first.x), arctangent(last.y) - arctangent(first.y)]
  }

  /// Whether a size has this camera's aspect ratio within 1 %, so that scaling is meaningful.
  package func matchesAspect(of other: RasterSize) -> Bool {
    size.pixelCount > 0 && other.pixelCount > 0
      && abs(other.aspectRatio / size.aspectRatio - 1) < 0.01
  }
}

extension PinholeIntrinsics {
  /// The same camera for an image resampled to another size.
  ///
  /// - Source: `c' = (c + ½)·s − ½`, which Apple's own scaled intrinsics follow to 0.007 px.
  /// - Precondition: The aspect ratios agree; see ``matchesAspect(of:)``.
  public func scaled(to target: RasterSize) -> PinholeIntrinsics {
    precondition(matchesAspect(of: target), "\(size) cannot be scaled to \(target) without a crop")
    let scale = target.scale(from: size)
    // Pixel centers are integers, so the image starts at −½: shift to the corner, scale, shift
    // back.
    return PinholeIntrinsics(
      focalLength: focalLength * scale, principalPoint: (principalPoint + 0.5) * scale - 0.5,
      size: target)
  }

  /// The same camera for a rectangle cut out of the image.
  ///
  /// - Precondition: The rectangle lies inside and is not empty.
  public func cropped(to rectangle: PixelRectangle) -> PinholeIntrinsics {
    precondition(rectangle.isInside(size), "\(rectangle) is not inside \(size)")
    return PinholeIntrinsics(
      focalLength: focalLength,
      principalPoint: principalPoint - SIMD2(Double(rectangle.x), Double(rectangle.y)),
      size: rectangle.size)
  }

  /// The same camera for the image rotated or mirrored to be upright.
  ///
  /// The camera frame rotates with the image; see ``Rotation/init(turning:)``.
  public func oriented(by orientation: ImageOrientation) -> PinholeIntrinsics {
    PinholeIntrinsics(
      focalLength: orientation.swapsAxes ? [focalLength.y, focalLength.x] : focalLength,
      principalPoint: orientation.upright(principalPoint, in: size),
      size: orientation.uprightSize(of: size))
  }
}

extension RasterSize {
  /// The ratio of this size to another one, for columns and rows.
  func scale(from other: RasterSize) -> SIMD2<Double> {
    SIMD2(Double(width) / Double(other.width), Double(height) / Double(other.height))
  }
}

/// The point of the first pixel that has the coordinate 0.
///
/// Apple's documentation and Apple's own resampling disagree; see
/// `Documentation/decisions/0001-pixel-centers-are-integers.md`. Coordinates inside this package
/// are always index-centered; the grid only says how a *source's* numbers are meant.
public enum PixelGrid: Sendable, CaseIterable {
  /// The center of the first pixel is 0, as measured on Apple's own scaled intrinsics.
  case indexCentered
  /// The top-left corner of the first pixel is 0, as Apple's documentation words it.
  case cornerBased

  /// A coordinate of this grid as index-centered coordinate.
  public func indexCentered(_ coordinate: SIMD2<Double>) -> SIMD2<Double> {
    self == .indexCentered ? coordinate : coordinate - 0.5
  }
}

/// The arctangent in radians; the one transcendental function of this target.
func arctangent(_ value: Double) -> Double { atan(value) }
