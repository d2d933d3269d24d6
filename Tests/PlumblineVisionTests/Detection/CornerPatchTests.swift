import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineVision

/// The kernel's sums beside plain loops in double precision.
@Suite struct CornerPatchTests {
  /// The cubic B-spline smoothed by (1 2 1)/4, or its slope, at a distance in pixels.
  private func smoothing(_ t: Double, slope: Bool) -> Double {
    func spline(_ t: Double) -> Double {
      let a = abs(t)
      let sign = t < 0 ? -1.0 : 1
      if slope {
        if a < 1 { return sign * (1.5 * a * a - 2 * a) }
        return a < 2 ? sign * -0.5 * (2 - a) * (2 - a) : 0
      }
      if a < 1 { return 2.0 / 3 - a * a + a * a * a / 2 }
      return a < 2 ? (2 - a) * (2 - a) * (2 - a) / 6 : 0
    }
    return spline(t - 1) / 4 + spline(t) / 2 + spline(t + 1) / 4
  }

  @Test("All sums agree with plain loops to single precision", arguments: 1...8)
  func sums(radius: Int) throws {
    var random = SeededGenerator(seed: UInt64(radius))
    let size = RasterSize(width: 30, height: 30)
    let luma = Raster(size: size) { _, _ in UInt8(random.integer(below: 256)) }
    let point = SIMD2(14 + random.uniform(), 14 + random.uniform())
    let patch = try #require(
      luma.samples.withUnsafeBufferPointer { pixels in
        CornerPatch(
          around: point, radius: radius,
          in: PixelWindow(pixels: pixels, width: 30, height: 30, stride: 30))
      })

    /// The smoothed image and its gradient at a point.
    func sample(_ place: SIMD2<Double>) -> SIMD3<Double> {
      var result = SIMD3<Double>.zero
      for y in 0..<30 {
        for x in 0..<30 {
          let (dx, dy) = (place.x - Double(x), place.y - Double(y))
          if abs(dx) >= 3 || abs(dy) >= 3 { continue }
          let (a, b) = (smoothing(dx, slope: false), smoothing(dy, slope: false))
          let gradient = SIMD2(smoothing(dx, slope: true) * b, a * smoothing(dy, slope: true))
          result += SIMD3(a * b, gradient.x, gradient.y) * Double(luma[x, y])
        }
      }
      return result
    }

    var expected: [String: Double] = [:]
    func add(_ name: String, _ value: Double) { expected[name, default: 0] += value }
    for row in -radius...radius {
      for column in -radius...radius {
        let d = SIMD2(Double(column), Double(row))
        let reach = 1 - (d * d).sum() / Double((radius + 1) * (radius + 1))
        if reach <= 0 { continue }
        // Every pair is met twice.
        let w = reach * reach / 2
        let (a, b) = (sample(point + d), sample(point - d))
        let (both, difference) = (a.x + b.x, a.x - b.x)
        let j = SIMD2(a.y - b.y, a.z - b.z)
        add("weight", w)
        add("sum_sum", w * (both - 256) * (both - 256))
        add("difference_difference", w * difference * difference)
        add("j_xx", w * j.x * j.x)
        add("j_xy", w * j.x * j.y)
        add("j_difference_x", w * j.x * difference)
        add("light_xy", w * both * both * d.x * d.y)
        add("light_yy", w * both * both * d.y * d.y)
        add("j_light_xy", w * both * j.x * d.y)
        add("j_light_yx", w * both * j.y * d.x)
        add("light_difference_y", w * both * d.y * difference)
        add("bend_xy", w * (j.x * d.y + j.y * d.x) / 2)
        add("bend_yy", w * j.y * d.y)
        add("gradient_xy", w * (a.y * a.z + b.y * b.z))
        add("line_x", w * 2 * a.y * (a.y * d.x + a.z * d.y))
        add("line_y", w * 2 * a.z * (a.y * d.x + a.z * d.y))
      }
    }
    for child in Mirror(reflecting: patch.sums).children {
      guard let name = child.label, let value = child.value as? Float, let sum = expected[name]
      else { continue }
      expected[name] = nil
      // Sums of squares of up to 510 gray levels times up to 8 pixels; noise makes many cancel.
      let scale = Float(radius * radius) * (name.contains("light") ? 2e5 : 2e3) * 100
      #expect(abs(value - Float(sum)) < scale * 1e-5, "\(name): \(value) for \(sum)")
    }
    #expect(expected.isEmpty, "all named sums exist")
  }
}
