import Foundation
import PlumblineModel
import PlumblineTestSupport

/// The middle corner of a chessboard, seen at a slant, with exact truth.
///
/// Blurred edges are error functions across the squares before the slant, so blur is slanted too;
/// that keeps the image exact without sampling it finely.
struct SimulatedCorner {
  /// The shape of the image.
  struct Shape: Sendable {
    /// The longer side of a square, in pixels.
    var squarePixels: Double
    /// One standard deviation of blur, in pixels along the longer side; 0 samples sharp squares
    /// over each pixel's area.
    var blurPixels: Double
    /// One standard deviation of noise, in gray levels.
    var noise = 0.0
    /// The change of light over the image, as a share of it.
    var unevenness = 0.0
  }

  /// The image.
  let luma: Raster<UInt8>
  /// The position of the corner, in pixels.
  let corner: SIMD2<Double>

  /// The width and height of all images.
  static let size = RasterSize(width: 35, height: 35)

  /// Draws a corner anywhere in the middle pixel, at any turn and slant.
  init(_ shape: Shape, using random: inout SeededGenerator) {
    let corner = SIMD2(17 + random.uniform(in: -0.5..<0.5), 17 + random.uniform(in: -0.5..<0.5))
    let turn = random.uniform(in: 0..<(.pi))
    let slant = random.uniform(in: -0.5..<0.5)
    let ratio = random.uniform(in: 0.7..<1)
    let vanishing = SIMD2(random.uniform(in: -1..<1), random.uniform(in: -1..<1)) * 0.05
    let side = shape.squarePixels
    let (cosine, sine) = (cos(turn), sin(turn))

    func reflectance(_ pixel: SIMD2<Double>) -> Double {
      let d = pixel - corner
      let turned = SIMD2(cosine * d.x + sine * d.y, cosine * d.y - sine * d.x) / side
      let y = turned.y / ratio
      let x = turned.x - slant * y
      let nearness = 1 / (1 + (vanishing * d).sum() / side)
      let blur = shape.blurPixels / side
      return 0.5 + 0.5 * wave(x * nearness, blur: blur) * wave(y * nearness, blur: blur)
    }

    self.corner = corner
    luma = Raster(size: Self.size) { column, row in
      let pixel = SIMD2(Double(column), Double(row))
      var share = 0.0
      if shape.blurPixels > 0 {
        share = reflectance(pixel)
      } else {
        for part in 0..<36 {
          let x = (Double(part % 6) + 0.5) / 6 - 0.5
          let y = (Double(part / 6) + 0.5) / 6 - 0.5
          share += reflectance(pixel + SIMD2(x, y)) / 36
        }
      }
      let light = 1 + shape.unevenness * (pixel.x - corner.x) / Double(Self.size.width)
      let level = (40 + 170 * share) * light + random.gaussian(mean: 0, sigma: shape.noise)
      return UInt8(min(max(level.rounded(), 0), 255))
    }
  }
}

/// A square wave that changes sign at whole numbers and is positive from 0 to 1, blurred; the blur is
/// in the wave's own unit.
func wave(_ position: Double, blur: Double) -> Double {
  let nearest = position.rounded()
  let sign = nearest.remainder(dividingBy: 2) == 0 ? 1.0 : -1
  guard blur > 0 else { return position >= nearest ? sign : -sign }
  var value = 0.0
  for edge in -2...2 {
    let direction = edge.isMultiple(of: 2) ? sign : -sign
    value += direction * erf((position - nearest - Double(edge)) / (blur * 2.0.squareRoot()))
  }
  return value
}
