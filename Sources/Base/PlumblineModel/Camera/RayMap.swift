import CKernels

/// One ray for each pixel of a distorted image: the rectified `x/z` and `y/z`.
///
/// Multiplying a ray by its pixel's depth gives the undistorted *point*. The map itself is never
/// resampled: no hole is filled, and depths are not mixed at an edge.
public struct RayMap: Sendable {
  /// `x/z` of each pixel.
  public let xOverZ: Raster<Float>
  /// `y/z` of each pixel.
  public let yOverZ: Raster<Float>

  /// The number of columns and rows.
  public var size: RasterSize { xOverZ.size }

  /// The ray at a place between pixel centers: `x/z` and `y/z`, linear between the four around it.
  ///
  /// Outside of the centers of the border the last two go on. That is exact for a pinhole camera. A
  /// lens bends rays within a pixel by less than 0.005 px.
  ///
  /// - Parameter place: Column and row, with pixel centers at whole numbers; finite.
  /// - Returns: The ray, with z = 1 left out.
  package func ray(at place: SIMD2<Double>) -> SIMD2<Double> {
    let columns = Self.neighbors(of: place.x, count: size.width)
    let rows = Self.neighbors(of: place.y, count: size.height)
    func value(_ raster: Raster<Float>) -> Double {
      func row(_ y: Int) -> Double {
        let (a, b) = (Double(raster[columns.low, y]), Double(raster[columns.high, y]))
        return a + (b - a) * columns.share
      }
      let (a, b) = (row(rows.low), row(rows.high))
      return a + (b - a) * rows.share
    }
    return [value(xOverZ), value(yOverZ)]
  }

  /// The two pixels that a coordinate lies between, or the two next to it, and its way from one to the other.
  private static func neighbors(
    of coordinate: Double, count: Int
  ) -> (low: Int, high: Int, share: Double) {
    let last = max(count - 2, 0)
    let low = Int(min(max(coordinate.rounded(.down), 0), Double(last)))
    return (low, min(low + 1, count - 1), coordinate - Double(low))
  }
}

extension CameraCalibration {
  /// The rays of all pixels, undistorted where the calibration describes lens distortion.
  ///
  /// - Complexity: O(*n*), with a piecewise linear table of the radial magnification, which is
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
    // Only the small displacement of a point is computed in single precision.
    let columns = (0..<size.width).map { Float(Double($0) - distortion.center.x) }
    let inverseFocalLength = SIMD2<Float>(1 / intrinsics.focalLength)
    var law = plb_ray_row()
    law.inverse_focal_x = inverseFocalLength.x
    law.inverse_focal_y = inverseFocalLength.y
    law.step = Float(Double(pieces) / distortion.maximumRadius)
    law.last = Int32(pieces)
    var x = [Float](repeating: 0, count: size.pixelCount)
    var y = x
    x.withUnsafeMutableBufferPointer { x in
      y.withUnsafeMutableBufferPointer { y in
        guard let x = x.baseAddress, let y = y.baseAddress else { return }
        for row in 0..<size.height {
          law.row = Float(Double(row) - distortion.center.y)
          law.row_slope = rays.rows[row]
          let start = row * size.width
          plb_lens_rays(&law, table, columns, rays.columns, size.width, x + start, y + start)
        }
      }
    }
    return RayMap(xOverZ: Raster(size: size, samples: x), yOverZ: Raster(size: size, samples: y))
  }
}

extension LensDistortion {
  /// The undistorting magnification at evenly spaced radii from the center to the maximum radius.
  ///
  /// A producer's own table is used unchanged. An inverted table has more pieces, since its corners
  /// fall inside pieces.
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
/// The table replaces a division per pixel. Single precision has an error of 6e-8 of a ray's slope,
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
