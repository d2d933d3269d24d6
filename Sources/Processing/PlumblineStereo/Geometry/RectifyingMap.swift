import PlumblineCorrection
import PlumblineModel
import PlumblineVision

/// Where the pixels of one rectified image lie in the image as taken, for a band of rows.
struct RectifyingMap: Sendable {
  var camera: RectifiedCamera
  var pinhole: PinholeIntrinsics
  /// How many positions along each axis a pixel is the mean of; 1 unless the image is reduced.
  var places: Int

  init(_ camera: RectifiedCamera, _ pinhole: PinholeIntrinsics) {
    self.camera = camera
    self.pinhole = pinhole
    let own = camera.model.intrinsics.focalLength
    let reduction = (own.x * own.y).squareRoot() / pinhole.focalLength.x
    // An eighth more than 1 is what turning alone stretches; more than 16 places show nothing new.
    places = reduction < 1.125 ? 1 : min(16, Int(reduction.rounded(.up)))
  }

  /// The positions of a band of rows, `places` times as many columns and rows; NaN outside.
  func band(_ rows: Range<Int>) -> PixelMap {
    let size = RasterSize(width: pinhole.size.width * places, height: rows.count * places)
    let inverse = camera.rectifiedFromCamera.inverse
    let step = 1 / Double(places)
    // The first of the positions within a pixel; their mean is its center.
    let first = (step - 1) / 2
    let area = camera.area
    // A thousandth of a pixel: rounding must not lose the border of an image that is not turned.
    let lowest = SIMD2(Double(area.x), Double(area.y)) - 1e-3
    let highest = lowest + 2e-3 + SIMD2(Double(area.size.width - 1), Double(area.size.height - 1))
    let lens = MappedLens(camera.model)
    let nowhere = SIMD2(Float.nan, Float.nan)
    let scale = 1 / pinhole.focalLength.x
    let positions = [SIMD2<Float>](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
      for y in 0..<size.height {
        let row = Double(rows.lowerBound) + first + Double(y) * step
        let start = inverse.y * ((row - pinhole.principalPoint.y) * scale) + inverse.z
        for x in 0..<size.width {
          let column = first + Double(x) * step
          let direction = start + inverse.x * ((column - pinhole.principalPoint.x) * scale)
          let ray = SIMD2(direction.x, direction.y) / direction.z
          var place = nowhere
          if direction.z > 0, (ray * ray).sum() <= camera.largestSquaredSlope {
            let pixel = lens.pixel(ray)
            if pixel.x >= lowest.x, pixel.y >= lowest.y, pixel.x <= highest.x,
              pixel.y <= highest.y
            {
              place = SIMD2<Float>(pixel)
            }
          }
          buffer[count] = place
          count += 1
        }
      }
    }
    return PixelMap(
      sourceSize: camera.model.intrinsics.size,
      positions: Raster(size: size, samples: positions))
  }
}

/// A lens as maps need it: without a branch into tables for each pixel that has none.
private struct MappedLens {
  private let intrinsics: PinholeIntrinsics
  private let radial: SIMD3<Double>
  private let tangential: SIMD2<Double>
  private let table: MagnificationTable?

  init(_ model: CameraModel) {
    intrinsics = model.intrinsics
    switch model.lens {
    case .none: (radial, tangential, table) = (.zero, .zero, nil)
    case .polynomial(let k, let p): (radial, tangential, table) = (k, p, nil)
    case .radial(let distortion):
      (radial, tangential) = (.zero, .zero)
      table = MagnificationTable(distortion, reaching: model.intrinsics.size)
    }
  }

  @inline(__always)
  func pixel(_ ray: SIMD2<Double>) -> SIMD2<Double> {
    if let table {
      return table.distorted(ray * intrinsics.focalLength + intrinsics.principalPoint)
    }
    let (x, y) = (ray.x, ray.y)
    let square = x * x + y * y
    let scale = 1 + square * (radial.x + square * (radial.y + square * radial.z))
    let cross = 2 * x * y
    let moved = SIMD2(
      x * scale + tangential.x * cross + tangential.y * (square + 2 * x * x),
      y * scale + tangential.x * (square + 2 * y * y) + tangential.y * cross)
    return moved * intrinsics.focalLength + intrinsics.principalPoint
  }
}

/// The distorting magnification of a lens over the squared radius, so that no pixel needs a root.
///
/// 16384 pieces keep within 0.002 px of the lens where it is a table of 42 entries over 12
/// megapixels, whose corners fall inside pieces; a polynomial is kept within 1e-6 px.
struct MagnificationTable {
  private let center: SIMD2<Double>
  private let values: [Double]
  private let step: Double

  init(_ lens: LensDistortion, reaching size: RasterSize) {
    // Undistorted radii of an image's pixels: not more than twice its distorted ones, see
    // `LensDistortion.isPlausible`; what lies farther is outside of the image.
    let corner = SIMD2(
      max(lens.center.x, Double(size.width) - lens.center.x),
      max(lens.center.y, Double(size.height) - lens.center.y))
    let lastSquare = 4 * (corner * corner).sum()
    let pieces = 16384
    center = lens.center
    step = Double(pieces) / lastSquare
    values = (0...pieces).map { piece in
      lens.distortingMagnification(
        atRadius: (lastSquare * Double(piece) / Double(pieces)).squareRoot())
    }
  }

  @inline(__always)
  func distorted(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
    let offset = pixel - center
    let position = (offset * offset).sum() * step
    let last = values.count - 1
    // This order of arguments makes NaN the last piece instead of a trap.
    let bounded = min(Double(last), position)
    let piece = min(Int(bounded), last - 1)
    let magnification =
      values[piece] + (values[piece + 1] - values[piece]) * (bounded - Double(piece))
    return center + offset * (1 + magnification)
  }
}
