import Foundation
import PlumblineModel
import PlumblineTestSupport
import PlumblineVision

/// An image of a chessboard through a lens, with exact truth.
struct SimulatedChessboard {
  /// The conditions under which the image is taken.
  struct Shot: Sendable {
    /// One standard deviation of blur, in pixels of a square of mean size.
    var blurPixels = 0.8
    /// One standard deviation of noise, in gray levels.
    var noise = 2.0
    /// The change of light from the left border to the right, as a share of it.
    var unevenness = 0.5
    /// How the lens moves a point at the left border, as a share of its distance from the middle.
    var distortion = 0.05
    /// The largest tilt of the board, in radians.
    var tilt = 0.6
    /// The largest turn of the camera about its axis, in radians.
    var roll = 0.5
    /// The mean side of a square, in pixels.
    var squarePixels = 22.0
  }

  /// The image.
  var luma: Raster<UInt8>
  /// Where each corner is, in pixels, by its number.
  let corners: [SIMD2<Double>]

  /// The width and height of all images.
  static let size = RasterSize(width: 320, height: 240)

  /// Draws a board that is seen whole.
  init(_ board: Board, _ shot: Shot = Shot(), using random: inout SeededGenerator) {
    let focal = 300.0
    let middle = SIMD2(159.5, 119.5)
    let roll = random.uniform(in: -1..<1) * shot.roll
    let across = random.uniform(in: 0..<(2 * .pi))
    let tilt = random.uniform(in: 0.3..<1) * shot.tilt
    // Rotation by `tilt` about an axis in the image plane, after a turn by `roll`; depth in squares.
    let depth = focal / shot.squarePixels
    let (axis, normal) = (SIMD2(cos(across), sin(across)), SIMD2(-sin(across), cos(across)))
    let columns = Double(board.columns)
    let rows = Double(board.rows)

    /// From squares of the board to the direction of a ray.
    func project(_ point: SIMD2<Double>) -> SIMD2<Double> {
      let p = point - SIMD2(columns, rows) / 2
      let q = SIMD2(cos(roll) * p.x - sin(roll) * p.y, sin(roll) * p.x + cos(roll) * p.y)
      let (along, beyond) = ((q * axis).sum(), (q * normal).sum())
      return (along * axis + beyond * cos(tilt) * normal) / (depth + beyond * sin(tilt))
    }

    /// From the direction of a ray to squares of the board.
    func unproject(_ ray: SIMD2<Double>) -> SIMD2<Double> {
      let along = (ray * axis).sum()
      let beyond = (ray * normal).sum()
      // beyond·cos / (depth + beyond·sin) = ray, solved for the board's own coordinate.
      let onBoard = beyond * depth / (cos(tilt) - beyond * sin(tilt))
      let q = along * (depth + onBoard * sin(tilt)) * axis + onBoard * normal
      return SIMD2(columns, rows) / 2
        + SIMD2(cos(roll) * q.x + sin(roll) * q.y, cos(roll) * q.y - sin(roll) * q.x)
    }

    let border = middle.x / focal
    func undistorted(_ ray: SIMD2<Double>) -> SIMD2<Double> {
      ray * (1 + shot.distortion * (ray * ray).sum() / (border * border))
    }

    corners = (0..<board.cornerCount).map { id in
      let place = board.gridPosition(ofCorner: id)
      let ideal = project(SIMD2(Double(place.column + 1), Double(place.row + 1)))
      var ray = ideal
      for _ in 0..<60 {
        ray = ideal / (1 + shot.distortion * (ray * ray).sum() / (border * border))
      }
      return ray * focal + middle
    }

    let blur = shot.blurPixels / shot.squarePixels
    func share(_ position: Double, _ count: Double) -> Double {
      (erf(position / (blur * 1.414)) - erf((position - count) / (blur * 1.414))) / 2
    }
    luma = Raster(size: Self.size) { column, row in
      let pixel = SIMD2(Double(column), Double(row))
      let point = unproject(undistorted((pixel - middle) / focal))
      var level = 1.0
      if abs(point.x - columns / 2) < columns / 2 + 1, abs(point.y - rows / 2) < rows / 2 + 1 {
        // The first square is black.
        let inside = share(point.x, columns) * share(point.y, rows)
        let squares = 0.5 - 0.5 * wave(point.x, blur: blur) * wave(point.y, blur: blur)
        level = 1 - inside * (1 - squares)
      }
      let light = 1 + shot.unevenness * (pixel.x / Double(Self.size.width) - 0.5)
      let gray = (30 + 150 * level) * light + random.gaussian(mean: 0, sigma: shot.noise)
      return UInt8(min(max(gray.rounded(), 0), 255))
    }
  }
}
