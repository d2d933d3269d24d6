import Foundation
import PlumblineModel
import PlumblineTestSupport
import PlumblineVision

/// An image of a board through an exact projective map, with the truth of every corner.
///
/// Each pixel is the mean of a grid of samples; then comes blur, uneven light and noise.
struct SimulatedBoardImage {
  /// The conditions under which an image is taken.
  struct Shot {
    var size = RasterSize(width: 400, height: 320)
    /// The side of a square in the middle of the board, in pixels.
    var squarePixels = 32.0
    /// The turn in the image plane, in radians.
    var turn = 0.0
    /// How the scale changes over the board's half diagonal, as a share.
    var slant = SIMD2(0.1, -0.08)
    /// Where the board's middle lies, as shares of the image.
    var middle = SIMD2(0.5, 0.5)
    /// One standard deviation of blur, in pixels.
    var blurPixels = 0.8
    /// One standard deviation of noise, in gray levels.
    var noise = 2.0
    /// The share of light that the right end of the image loses.
    var dimming = 0.0
    /// The gray levels of black and white.
    var levels = (black: 30.0, white: 210.0)
    /// Samples along a pixel's side.
    var sampling = 4
    /// Whether left and right are exchanged at the end.
    var isMirrored = false
    var seed: UInt64 = 1
  }

  let luma: Raster<UInt8>
  /// The pixel of each corner by its number, some of them outside.
  let corners: [SIMD2<Double>]

  init(_ board: Board, _ shot: Shot = Shot()) {
    let middle = SIMD2(Double(board.columns), Double(board.rows)) / 2
    let radius = (middle * middle).sum().squareRoot()
    let slant = shot.slant / radius
    let (cosine, sine) = (cos(shot.turn) * shot.squarePixels, sin(shot.turn) * shot.squarePixels)
    let (w, h) = (shot.size.width, shot.size.height)
    let target = SIMD2(Double(w), Double(h)) * shot.middle
    func pixel(_ square: SIMD2<Double>) -> SIMD2<Double> {
      let d = square - middle
      let scale = 1 / (1 + (slant * d).sum())
      return target + SIMD2(cosine * d.x - sine * d.y, sine * d.x + cosine * d.y) * scale
    }
    let truth = (0..<board.cornerCount).map { id in
      let (column, row) = board.gridPosition(ofCorner: id)
      return pixel(SIMD2(Double(column + 1), Double(row + 1)))
    }
    var levels = Self.sampled(board, shot, target: target, slant: slant, middle: middle)
    Self.blur(&levels, width: w, height: h, sigma: shot.blurPixels)
    var random = SeededGenerator(seed: shot.seed)
    let samples = (0..<w * h).map { index in
      let light = 1 - shot.dimming * Double(index % w) / Double(w)
      let level = shot.levels.black + (shot.levels.white - shot.levels.black) * levels[index]
      let noisy = level * light + (shot.noise > 0 ? shot.noise * random.gaussian() : 0)
      return UInt8(max(0, min(255, noisy.rounded())))
    }
    if shot.isMirrored {
      luma = Raster(size: shot.size) { x, y in samples[y * w + w - 1 - x] }
      corners = truth.map { SIMD2(Double(w - 1) - $0.x, $0.y) }
    } else {
      luma = Raster(size: shot.size, samples: samples)
      corners = truth
    }
  }

  /// Whiteness from 0 to 1, the mean over each pixel's area; paper is white around the board.
  private static func sampled(
    _ board: Board, _ shot: Shot, target: SIMD2<Double>, slant: SIMD2<Double>, middle: SIMD2<Double>
  ) -> [Double] {
    let cells = 40
    let texture = texture(board, cellsPerSquare: cells)
    let textureWidth = board.columns * cells
    let (limitX, limitY) = (Double(board.columns * cells), Double(board.rows * cells))
    let (w, n) = (shot.size.width, shot.sampling)
    let unit = 1 / (shot.squarePixels)
    let (cosine, sine) = (cos(shot.turn) * unit, sin(shot.turn) * unit)
    let per = 1 / Double(n * n)
    var result = [Double](repeating: 0, count: shot.size.pixelCount)
    result.withUnsafeMutableBufferPointer { result in
      texture.withUnsafeBufferPointer { texture in
        let step = 1 / Double(n)
        var row = 0
        while row < shot.size.height * n {
          let y = (Double(row) + 0.5) * step - 0.5 - target.y
          let x = 0.5 * step - 0.5 - target.x
          // Back from the pixel: with e the turned offset, d = e / (1 − slant·e).
          var (ex, ey) = (cosine * x + sine * y, cosine * y - sine * x)
          let start = row / n &* w
          var (pixel, part) = (0, 0)
          while pixel < w {
            let scale = 1 / (1 - (slant.x * ex + slant.y * ey))
            let u = (middle.x + ex * scale) * Double(cells)
            let v = (middle.y + ey * scale) * Double(cells)
            let isInside = u >= 0 && v >= 0 && u < limitX && v < limitY
            if !isInside || texture[Int(v) &* textureWidth &+ Int(u)] != 0 {
              result[start &+ pixel] += per
            }
            ex += cosine * step
            ey -= sine * step
            part &+= 1
            if part == n { (pixel, part) = (pixel &+ 1, 0) }
          }
          row &+= 1
        }
      }
    }
    return result
  }

  /// The board in so many texels a square, white is 1.
  private static func texture(_ board: Board, cellsPerSquare n: Int) -> [UInt8] {
    var texture = [UInt8](repeating: 0, count: board.columns * board.rows * n * n)
    let width = board.columns * n
    guard case .charuco(let pattern) = board.pattern else { return texture }
    let dictionary = MarkerDictionary(pattern.dictionary)
    let side = dictionary.side
    // The marker's cell of a texel along either axis: −1 and `side` are its border.
    let cells = (0..<n).map { texel -> Int? in
      let place = (Double(texel) + 0.5) / Double(n) - (1 - pattern.markerShare) / 2
      let cell = Int((place / pattern.markerShare * Double(side + 2)).rounded(.down)) - 1
      return (-1...side).contains(cell) ? cell : nil
    }
    for row in 0..<board.rows {
      for column in 0..<board.columns {
        guard let id = board.marker(column: column, row: row) else { continue }
        let word = dictionary.bits(of: id)
        for v in 0..<n {
          let start = (row * n + v) * width + column * n
          for u in 0..<n {
            guard let i = cells[u], let j = cells[v] else {
              texture[start + u] = 1
              continue
            }
            guard i >= 0, j >= 0, i < side, j < side else { continue }
            texture[start + u] = UInt8(word >> UInt64(side * side - 1 - j * side - i) & 1)
          }
        }
      }
    }
    return texture
  }

  /// Gaussian blur, one axis after the other; the edge's level goes on outside.
  private static func blur(_ levels: inout [Double], width: Int, height: Int, sigma: Double) {
    guard sigma > 0 else { return }
    let reach = Int((3 * sigma).rounded(.up))
    var weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = weights.reduce(0, +)
    weights = weights.map { $0 / sum }
    for (step, length, next, count) in [(1, width, width, height), (width, height, 1, width)] {
      var line = [Double](repeating: 0, count: length + 2 * reach)
      levels.withUnsafeMutableBufferPointer { levels in
        line.withUnsafeMutableBufferPointer { line in
          weights.withUnsafeBufferPointer { weights in
            for start in 0..<count {
              for index in 0..<length + 2 * reach {
                let inside = max(0, min(length &- 1, index &- reach))
                line[index] = levels[start &* next &+ inside &* step]
              }
              var place = 0
              while place < length {
                var value = 0.0
                var tap = 0
                while tap < weights.count {
                  value += weights[tap] * line[place &+ tap]
                  tap &+= 1
                }
                levels[start &* next &+ place &* step] = value
                place &+= 1
              }
            }
          }
        }
      }
    }
  }
}
