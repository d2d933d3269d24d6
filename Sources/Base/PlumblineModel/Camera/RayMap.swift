/// One ray for each pixel of a distorted image: the rectified `x/z` and `y/z`.
///
/// Multiplying a pixel's depth by its ray moves the *point* to where it is, while the map itself
/// is never resampled: no hole is filled and no edge is mixed.
public struct RayMap: Sendable {
  /// `x/z` of each pixel.
  public let xOverZ: Raster<Float>
  /// `y/z` of each pixel.
  public let yOverZ: Raster<Float>

  /// The number of columns and rows.
  public var size: RasterSize { xOverZ.size }
}

extension CameraCalibration {
  /// The rays of all pixels, freed from lens distortion where the calibration describes one.
  ///
  /// - Complexity: O(*n*), through a table of the radial magnification whose linear pieces keep
  ///   within 0.001 px of the exact function for every lens seen.
  public var rayMap: RayMap {
    let rays = intrinsics.rayTable
    let size = intrinsics.size
    guard let distortion else {
      return RayMap(
        xOverZ: Raster(size: size) { x, _ in rays.columns[x] },
        yOverZ: Raster(size: size) { _, y in rays.rows[y] })
    }
    let table = distortion.undistortingTable
    let pieces = table.count - 1
    let inverseStep = Float(Double(pieces) / distortion.maximumRadius)
    // Only the small way that a point moves is computed in single precision from large numbers.
    let columns = (0..<size.width).map { Float(Double($0) - distortion.center.x) }
    let rows = (0..<size.height).map { Float(Double($0) - distortion.center.y) }
    let inverseFocalLength = SIMD2<Float>(1 / intrinsics.focalLength)
    func magnification(_ x: Float, _ y: Float) -> Float {
      // This order of arguments makes NaN the last piece instead of a trap.
      let position = min(Float(pieces), (x * x + y * y).squareRoot() * inverseStep)
      let piece = min(Int(position), pieces - 1)
      return table[piece] + (table[piece + 1] - table[piece]) * (position - Float(piece))
    }
    var x = [Float](repeating: 0, count: size.pixelCount)
    var y = x
    for row in 0..<size.height {
      for column in 0..<size.width {
        let moved = magnification(columns[column], rows[row])
        let index = row &* size.width &+ column
        x[index] = rays.columns[column] + columns[column] * moved * inverseFocalLength.x
        y[index] = rays.rows[row] + rows[row] * moved * inverseFocalLength.y
      }
    }
    return RayMap(xOverZ: Raster(size: size, samples: x), yOverZ: Raster(size: size, samples: y))
  }
}

extension LensDistortion {
  /// The undistorting magnification at evenly spaced radii from the center to the maximum.
  ///
  /// A producer's own table is taken as it is; the corners of an inverted one fall inside pieces,
  /// so there are more of them.
  var undistortingTable: [Float] {
    let pieces =
      switch undistorting ?? distorting {
      case .table(let samples): undistorting == nil ? 16384 : max(samples.count - 1, 1)
      case .coefficients, nil: 4096
      }
    return (0...pieces).map { piece in
      let radius = maximumRadius * Double(piece) / Double(pieces)
      return Float(undistortingMagnification(atRadius: radius))
    }
  }
}

/// The rays of a pinhole camera: `x/z` of each column and `y/z` of each row.
///
/// A table in place of a division per pixel; single precision keeps a ray to 6e-8 of its slope,
/// far below a hundredth of a pixel.
public struct RayTable: Sendable {
  /// `x/z` of each column's center.
  public let columns: [Float]
  /// `y/z` of each row's center.
  public let rows: [Float]
}

extension PinholeIntrinsics {
  /// The rays of all columns and rows; O(width + height).
  public var rayTable: RayTable {
    RayTable(
      columns: (0..<size.width).map { Float((Double($0) - principalPoint.x) / focalLength.x) },
      rows: (0..<size.height).map { Float((Double($0) - principalPoint.y) / focalLength.y) })
  }
}
