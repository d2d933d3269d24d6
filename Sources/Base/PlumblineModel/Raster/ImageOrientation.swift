/// The rotation or mirroring that makes stored pixels upright, with the eight values of EXIF.
///
/// Frame: pixels (`x` right, `y` down, first pixel center at 0). "Stored" is the image in the file,
/// "upright" the image that a viewer shows.
/// - Source: CIPA DC-008 (Exif 2.32), tag 0x0112 *Orientation*.
public enum ImageOrientation: Int, Sendable, CaseIterable {
  /// Upright as stored.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Rotated by 180°.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Transposed: columns become rows.
  case leftMirrored = 5
  /// To be rotated clockwise by 90°; the usual value of a portrait photo.
  case right = 6
  /// Mirrored across the other diagonal.
  case rightMirrored = 7
  /// To be rotated counterclockwise by 90°.
  case left = 8

  /// The linear part of `uprightFromStored` on pixel axes; entries are −1, 0 or 1.
  ///
  /// The columns are the directions to which the stored `x` axis and the stored `y` axis are
  /// mapped.
  public var uprightFromStoredAxes: (x: SIMD2<Double>, y: SIMD2<Double>) {
    switch self {
    case .up: ([1, 0], [0, 1])
    case .upMirrored: ([-1, 0], [0, 1])
    case .down: ([-1, 0], [0, -1])
    case .downMirrored: ([1, 0], [0, -1])
    case .leftMirrored: ([0, 1], [1, 0])
    case .right: ([0, 1], [-1, 0])
    case .rightMirrored: ([0, -1], [-1, 0])
    case .left: ([0, -1], [1, 0])
    }
  }

  /// Whether columns become rows.
  public var swapsAxes: Bool { uprightFromStoredAxes.x.x == 0 }

  /// Whether the image is mirrored, so that text would read backwards.
  public var isMirrored: Bool {
    let axes = uprightFromStoredAxes
    return axes.x.x * axes.y.y - axes.x.y * axes.y.x < 0
  }

  /// The orientation that undoes this one.
  public var inverse: ImageOrientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self
    }
  }

  /// This orientation followed by another one.
  public func followed(by next: ImageOrientation) -> ImageOrientation {
    let first = uprightFromStoredAxes
    let second = next.uprightFromStoredAxes
    let x = second.x * first.x.x + second.y * first.x.y
    let y = second.x * first.y.x + second.y * first.y.y
    // The eight matrices form a group, so exactly one case has the columns of the product.
    return ImageOrientation.allCases.first { $0.uprightFromStoredAxes == (x, y) } ?? .up
  }

  /// The size of the upright raster.
  public func uprightSize(of stored: RasterSize) -> RasterSize {
    swapsAxes ? stored.transposed : stored
  }

  /// Moves a point from the stored raster to the upright one.
  ///
  /// - Parameters:
  ///   - point: Pixels of the stored raster, not necessarily whole.
  ///   - stored: The size of the stored raster.
  /// - Returns: Pixels of the upright raster.
  public func upright(_ point: SIMD2<Double>, in stored: RasterSize) -> SIMD2<Double> {
    let last = SIMD2(Double(stored.width - 1), Double(stored.height - 1))
    let axes = uprightFromStoredAxes
    let turned = axes.x * point.x + axes.y * point.y
    // An axis that is reversed starts at the far edge instead of at 0.
    let corner = axes.x * last.x + axes.y * last.y
    return turned - SIMD2(min(corner.x, 0), min(corner.y, 0))
  }
}

/// A rectangle of whole pixels in a raster; (`x`, `y`) is its first pixel.
public struct PixelRectangle: Hashable, Sendable {
  /// The first column.
  public var x: Int
  /// The first row.
  public var y: Int
  /// The number of columns and rows.
  public var size: RasterSize

  /// Creates a rectangle from its first pixel and its size.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.size = RasterSize(width: width, height: height)
  }

  /// Whether the rectangle lies in a raster of the given size.
  package func isInside(_ outer: RasterSize) -> Bool {
    x >= 0 && y >= 0 && x <= outer.width - size.width && y <= outer.height - size.height
  }

  /// The rectangle in the raster that was rotated or mirrored to be upright.
  package func oriented(by orientation: ImageOrientation, in raster: RasterSize) -> PixelRectangle {
    let first = orientation.upright([Double(x), Double(y)], in: raster)
    let last = orientation.upright(
      [Double(x + size.width - 1), Double(y + size.height - 1)], in: raster)
    let turned = orientation.uprightSize(of: size)
    return PixelRectangle(
      x: Int(min(first.x, last.x)), y: Int(min(first.y, last.y)), width: turned.width,
      height: turned.height)
  }
}

extension Raster {
  /// A copy of a rectangle without padding; O(*n*) of the rectangle.
  ///
  /// - Precondition: The rectangle lies inside.
  public func cropped(to rectangle: PixelRectangle) -> Raster {
    precondition(rectangle.isInside(size), "\(rectangle) is not inside \(size)")
    return Raster(size: rectangle.size) { x, y in
      self.samples[(y + rectangle.y) * self.rowStride + x + rectangle.x]
    }
  }

  /// The raster rotated or mirrored to be upright, without padding; O(*n*).
  public func oriented(by orientation: ImageOrientation) -> Raster {
    if orientation == .up { return packed }
    let inverse = orientation.inverse
    let upright = orientation.uprightSize(of: size)
    let axes = inverse.uprightFromStoredAxes
    let origin = inverse.upright(.zero, in: upright)
    let step = SIMD2(Int(axes.x.x), Int(axes.x.y))
    let next = SIMD2(Int(axes.y.x), Int(axes.y.y))
    return Raster(size: upright) { x, y in
      let column = Int(origin.x) + step.x * x + next.x * y
      let row = Int(origin.y) + step.y * x + next.y * y
      return self.samples[row * self.rowStride + column]
    }
  }

  /// Resamples the raster to another size with the nearest pixel; O(*n*) of the result.
  ///
  /// Nearest-neighbor resampling never mixes a depth with a hole or across an edge. Pixel centers
  /// are matched: destination *u* reads source `(u + ½)·s` rounded down.
  /// - Precondition: Both sizes have pixels.
  package func scaledNearest(to target: RasterSize) -> Raster {
    precondition(size.pixelCount > 0 || target.pixelCount == 0, "nothing to scale in \(size)")
    let columns = (0..<target.width).map { ($0 * 2 + 1) * width / (2 * target.width) }
    return Raster(size: target) { x, y in
      let row = (y * 2 + 1) * self.height / (2 * target.height)
      return self.samples[row * self.rowStride + columns[x]]
    }
  }
}
