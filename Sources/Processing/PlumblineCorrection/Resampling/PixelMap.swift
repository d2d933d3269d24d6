internal import CKernels
package import PlumblineModel

/// For each pixel of an image the position in another one that it shows: the plan of a resampling.
///
/// Unit: pixels of the source, not necessarily whole and possibly outside; first center (0, 0).
package struct PixelMap: Sendable {
  /// The way of a map between an image as taken and the ideal pinhole image.
  package enum Direction: String, Hashable, Sendable, CaseIterable {
    /// The result is free from distortion: each of its pixels asks where the lens put it.
    case rectifying
    /// The result is distorted: each of its pixels asks where a pinhole camera sees it.
    case distorting

    /// The other way.
    package var opposite: Direction { self == .rectifying ? .distorting : .rectifying }
  }

  /// The size of the image that is looked into.
  package let sourceSize: RasterSize
  /// The positions, pixel by pixel of the result.
  package let positions: Raster<SIMD2<Float>>

  /// The size of the result.
  package var size: RasterSize { positions.size }

  /// Wraps positions.
  package init(sourceSize: RasterSize, positions: Raster<SIMD2<Float>>) {
    self.sourceSize = sourceSize
    self.positions = positions
  }

  /// Moves and scales: the result's pixel `u` shows `u·scale + offset` of the source; O(*n*).
  package init(
    sourceSize: RasterSize, size: RasterSize, scale: SIMD2<Double>, offset: SIMD2<Double>
  ) {
    let columns = (0..<size.width).map { Float(Double($0) * scale.x + offset.x) }
    let rows = (0..<size.height).map { Float(Double($0) * scale.y + offset.y) }
    self.init(
      sourceSize: sourceSize,
      positions: Raster(size: size) { x, y in SIMD2(columns[x], rows[y]) })
  }

  /// The map that frees the images of a camera from its lens's distortion, or puts it back.
  ///
  /// Both images have the camera's size and pinhole. The magnification is tabulated over the
  /// squared radius, so no pixel needs a root or a division; positions keep within 0.002 px of
  /// ``LensDistortion`` for the lenses of the tests. O(*n*).
  /// - Returns: `nil` for a camera without a distortion.
  package init?(_ direction: Direction, _ camera: CameraCalibration) {
    guard let lens = camera.distortion else { return nil }
    let size = camera.intrinsics.size
    let table = lens.squareTable(direction, in: size)
    var kernel = plb_lens(
      center_x: Float(lens.center.x), center_y: Float(lens.center.y), scale_x: 1, scale_y: 1,
      step: Float(Double(table.values.count - 1) / table.lastSquare),
      last: Int32(table.values.count - 1))
    let places = [SIMD2<Float>](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
      buffer.withMemoryRebound(to: Float.self) { floats in
        guard let start = floats.baseAddress else { return }
        for y in 0..<size.height {
          plb_lens_row(
            &kernel, table.values, Float(-lens.center.x), Float(Double(y) - lens.center.y),
            size.width, start + 2 * y * size.width)
        }
      }
      count = size.pixelCount
    }
    self.init(sourceSize: size, positions: Raster(size: size, samples: places))
  }
}

extension LensDistortion {
  /// The magnification of one direction at evenly spaced squares of the radius.
  fileprivate func squareTable(
    _ direction: PixelMap.Direction, in size: RasterSize
  ) -> (values: [Float], lastSquare: Double) {
    let corners = [0, size.width - 1].flatMap { x in
      [0, size.height - 1].map { y in SIMD2(Double(x), Double(y)) - center }
    }
    let farthest = corners.map { ($0 * $0).sum() }.max() ?? 0
    // Half a pixel more keeps the corner itself inside the last piece.
    let lastSquare = (farthest.squareRoot() + 0.5) * (farthest.squareRoot() + 0.5)
    let pieces = 4096
    let values = (0...pieces).map { piece in
      let radius = (lastSquare * Double(piece) / Double(pieces)).squareRoot()
      return Float(
        direction == .rectifying
          ? distortingMagnification(atRadius: radius)
          : undistortingMagnification(atRadius: radius))
    }
    return (values, lastSquare)
  }
}
