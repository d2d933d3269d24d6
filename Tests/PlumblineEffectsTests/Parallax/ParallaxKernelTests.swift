import CKernels
import PlumblineModel
import PlumblineSimulation
import Testing

@testable import PlumblineEffects

/// Looking for surfaces, many pixels at once, beside one pixel after another in plain Swift.
@Suite struct ParallaxKernelTests {
  private struct Layer {
    var color: Raster<RGB8>
    var disparity: Raster<Float>
  }

  private struct Slow {
    var near: Layer
    var far: Layer
    var shift: SIMD2<Float>
    var focus: Float
    var nearest: Float
    var farthest: Float
    var step: Float

    private func within(_ value: Float, _ count: Int) -> Float {
      min(max(value, 0), Float(count - 1))
    }

    private func nearestPixel(_ x: Float, _ y: Float) -> (Int, Int) {
      let size = near.color.size
      return (Int(within(x, size.width) + 0.5), Int(within(y, size.height) + 0.5))
    }

    func pixel(_ column: Int, _ row: Int) -> RGB8 {
      let (x, y) = (Float(column), Float(row))
      let range = nearest - farthest
      let count = Int((max(abs(shift.x), abs(shift.y)) * range).rounded(.up)) + 1
      let drop = range / Float(count)
      let side = drop + step
      var layer = near
      var isFar = false
      for k in 0...count {
        let level = nearest - Float(k) * drop
        let off = level - focus
        let (u, v) = nearestPixel(x - shift.x * off, y - shift.y * off)
        var value = layer.disparity[u, v]
        if value < level && k < count { continue }
        if value - level > side && !isFar {
          isFar = true
          layer = far
          value = layer.disparity[u, v]
          if value < level && k < count { continue }
        }
        return color(layer, x, y, value - level > side ? level : value)
      }
      return color(layer, x, y, farthest)
    }

    private func color(_ layer: Layer, _ x: Float, _ y: Float, _ start: Float) -> RGB8 {
      let size = near.color.size
      var found = start
      for round in 0..<2 {
        let off = found - focus
        let u = within(x - shift.x * off, size.width)
        let v = within(y - shift.y * off, size.height)
        let (left, top) = (Int(u), Int(v))
        let (right, bottom) = (min(left + 1, size.width - 1), min(top + 1, size.height - 1))
        let (a, b) = (u - Float(left), v - Float(top))
        let corners = [
          (left, top, (1 - a) * (1 - b)), (right, top, a * (1 - b)), (left, bottom, (1 - a) * b),
          (right, bottom, a * b),
        ].map { x, y, share in
          (x, y, abs(layer.disparity[x, y] - found) <= step ? share : 0)
        }
        let total = corners.reduce(Float(0)) { $0 + $1.2 }
        guard total > 1e-6 else {
          let at = nearestPixel(x - shift.x * off, y - shift.y * off)
          return layer.color[at.0, at.1]
        }
        let more =
          corners.reduce(Float(0)) { $0 + (layer.disparity[$1.0, $1.1] - found) * $1.2 } / total
        if round == 0 && more != 0 {
          found += more
          continue
        }
        func mean(_ channel: KeyPath<RGB8, UInt8>) -> UInt8 {
          let sum = corners.reduce(Float(0)) {
            $0 + Float(layer.color[$1.0, $1.1][keyPath: channel]) * $1.2
          }
          return UInt8(sum / total + 0.5)
        }
        return RGB8(red: mean(\.red), green: mean(\.green), blue: mean(\.blue))
      }
      return layer.color[0, 0]
    }
  }

  @Test("Many pixels at once are each as by itself", arguments: 0..<6 as Range<UInt64>)
  func viewEqualsPlainSwift(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Widths that are no multiple of a block of pixels, and one that is.
    let size = RasterSize(width: [37, 48, 3, 61, 16, 1][Int(seed)], height: 17)
    let far = Raster<Float>(size: size) { _, y in 0.3 + 0.01 * Float(y) }
    let near = Raster<Float>(size: size) { x, y in
      (x / 7 + y / 5) % 2 == 0 ? 1.4 + 0.02 * Float(x % 7) : far[x, y]
    }
    let (least, most) = (near.samples.min() ?? 0, near.samples.max() ?? 0)
    let slow = Slow(
      near: Layer(color: RandomScenes.color(size, &random), disparity: near),
      far: Layer(color: RandomScenes.color(size, &random), disparity: far),
      shift: [Float(seed) * 2.3 - 5, seed % 2 == 0 ? 0 : 1.7], focus: 0.8, nearest: most,
      farthest: least, step: 0.05)
    let bounds = [Float](repeating: most, count: (size.width + 15) / 16 * 2)
    var pixels = [UInt8](repeating: 0, count: 3 * size.pixelCount)
    slow.near.color.samples.withUnsafeBytes { color in
      slow.far.color.samples.withUnsafeBytes { farColor in
        near.samples.withUnsafeBufferPointer { disparity in
          far.samples.withUnsafeBufferPointer { farDisparity in
            bounds.withUnsafeBufferPointer { bounds in
              guard let color = color.bindMemory(to: UInt8.self).baseAddress,
                let farColor = farColor.bindMemory(to: UInt8.self).baseAddress,
                let disparity = disparity.baseAddress, let bounds = bounds.baseAddress,
                let farDisparity = farDisparity.baseAddress
              else { return }
              var view = plb_parallax(
                color: color, disparity: disparity, far_color: farColor,
                far_disparity: farDisparity, width: Int32(size.width),
                height: Int32(size.height), shift_x: slow.shift.x, shift_y: slow.shift.y,
                focus: slow.focus, nearest: most, farthest: least, step: slow.step,
                bounds: bounds, side: 16)
              plb_parallax_view(&view, 0, Int32(size.height), &pixels)
            }
          }
        }
      }
    }
    for y in 0..<size.height {
      for x in 0..<size.width {
        let place = 3 * (y * size.width + x)
        let found = RGB8(red: pixels[place], green: pixels[place + 1], blue: pixels[place + 2])
        #expect(found == slow.pixel(x, y), "(\(x), \(y))")
      }
    }
  }
}
