import CKernels
import PlumblineModel

/// A position where two dark and two bright sectors meet.
struct Saddle {
  /// The pixel where they meet.
  var pixel: SIMD2<Double>
  /// How brightness bends there (xx, xy, yy), scaled to a length of 1 with `xy` counted twice:
  /// positive along the bright sectors, negative along the dark ones.
  var bend: SIMD3<Double>
  /// The directions of the two edges, each of length 1.
  var edges: (SIMD2<Double>, SIMD2<Double>)

  /// Describes the saddle in the middle of a patch.
  ///
  /// The bright sectors' axis `u` is where brightness bends upward most; edges run at an angle `h`
  /// to both sides of it with tan² h = Guu/Gvv, where G sums the squares of gradients, which are
  /// normal to the edges.
  init?(at pixel: SIMD2<Double>, in patch: CornerPatch) {
    let sums = patch.sums
    let (xx, xy, yy) = (Double(sums.bend_xx), Double(sums.bend_xy), Double(sums.bend_yy))
    let length = (xx * xx + 2 * xy * xy + yy * yy).squareRoot()
    let (half, radius) = ((xx - yy) / 2, (((xx - yy) / 2) * ((xx - yy) / 2) + xy * xy).squareRoot())
    guard length > 0, radius > 0 else { return nil }
    // Half the angle of (half, xy), by the formulas for half angles.
    let cosine = max(0, (1 + half / radius) / 2).squareRoot()
    let sine = max(0, (1 - half / radius) / 2).squareRoot()
    let u = SIMD2(cosine, xy < 0 ? -sine : sine)
    let v = SIMD2(-u.y, u.x)
    let gradient = SIMD3(
      Double(sums.gradient_xx), Double(sums.gradient_xy), Double(sums.gradient_yy))
    func squared(along d: SIMD2<Double>) -> Double {
      max(0, gradient.x * d.x * d.x + 2 * gradient.y * d.x * d.y + gradient.z * d.y * d.y)
    }
    let (alongU, alongV) = (squared(along: u), squared(along: v))
    guard alongU + alongV > 0 else { return nil }
    let near = (alongV / (alongU + alongV)).squareRoot() * u
    let far = (alongU / (alongU + alongV)).squareRoot() * v
    self.pixel = pixel
    bend = SIMD3(xx, xy, yy) / length
    edges = (near + far, near - far)
  }

  /// How alike two saddles are: 1 where bright sectors point the same way, −1 where one has them
  /// where the other's are dark, as neighbors on a chessboard have.
  func likeness(to other: Saddle) -> Double {
    let product = bend * other.bend
    return product.x + 2 * product.y + product.z
  }

  /// Whether brightness rises in a direction.
  func isBright(toward direction: SIMD2<Double>) -> Bool {
    bend.x * direction.x * direction.x + 2 * bend.y * direction.x * direction.y
      + bend.z * direction.y * direction.y > 0
  }

  /// The cosine of the angle between a direction of length 1 and the nearest edge.
  func alignment(with direction: SIMD2<Double>) -> Double {
    max(abs((edges.0 * direction).sum()), abs((edges.1 * direction).sum()))
  }
}

/// Finds all saddles of an image, the clearest first.
struct SaddleFinder {
  /// No more saddles than this are kept, the clearest; boards have a few hundred.
  var limit = 800
  /// The least response, in gray levels: an ideal corner has eight times its contrast.
  var threshold: Int16 = 40

  /// The saddles of an image, refined, the clearest first; O(*pixels*), about 2 ns a pixel.
  func saddles(in luma: Raster<UInt8>) -> [Saddle] {
    let candidates = candidates(in: luma)
    return luma.samples.withUnsafeBufferPointer { pixels in
      let window = PixelWindow(
        pixels: pixels, width: luma.width, height: luma.height, stride: luma.rowStride)
      var saddles: [Saddle] = []
      saddles.reserveCapacity(candidates.count)
      for candidate in candidates {
        if let saddle = Saddle(near: candidate, radius: 4, in: window) { saddles.append(saddle) }
      }
      return saddles
    }
  }

  /// Pixels whose ring looks like a corner's, the clearest first; equal ones by row and column.
  private func candidates(in luma: Raster<UInt8>) -> [SIMD2<Double>] {
    let (width, height) = (luma.width, luma.height)
    guard width >= 16, height >= 16 else { return [] }
    let smooth = smoothed(luma)
    var peaks: [(response: Int16, column: Int32, row: Int)] = []
    smooth.withUnsafeBufferPointer { smooth in
      guard let base = smooth.baseAddress else { return }
      var response = [Int16](repeating: 0, count: width * height)
      var columns = [Int32](repeating: 0, count: width)
      response.withUnsafeMutableBufferPointer { response in
        guard let rows = response.baseAddress else { return }
        for y in 5..<(height - 5) {
          plb_ring_response(base + y * width, width, width, rows + y * width)
        }
        for y in 7..<(height - 7) {
          let count = columns.withUnsafeMutableBufferPointer { columns in
            guard let first = columns.baseAddress else { return 0 }
            return plb_peaks_of_row(rows + y * width, width, 7, width - 7, threshold, first)
          }
          for column in columns[..<count] {
            peaks.append((response[y * width + Int(column)], column, y))
          }
        }
      }
    }
    peaks.sort { ($1.response, $0.row, $0.column) < ($0.response, $1.row, $1.column) }
    return peaks.prefix(limit).map { SIMD2(Double($0.column), Double($0.row)) }
  }

  /// The image smoothed by a binomial of three, so that single pixels of noise make no ring.
  private func smoothed(_ luma: Raster<UInt8>) -> [UInt8] {
    let (width, height, stride) = (luma.width, luma.height, luma.rowStride)
    return [UInt8](unsafeUninitializedCapacity: width * height) { result, count in
      count = width * height
      luma.samples.withUnsafeBufferPointer { pixels in
        guard let base = pixels.baseAddress, let target = result.baseAddress else { return }
        for y in 0..<height {
          plb_smooth_row(
            base + max(y - 1, 0) * stride, base + y * stride,
            base + min(y + 1, height - 1) * stride, width, target + y * width)
        }
      }
    }
  }
}

extension Saddle {
  /// The saddle that a few steps lead to from a position close by; `nil` when there is none.
  init?(near start: SIMD2<Double>, radius: Int, in window: PixelWindow) {
    let refinement = CornerRefinement(radius: radius)
    guard
      let (point, patch) = refinement.settled(
        from: start, radius: refinement.radius, fromAfar: false, in: window, steps: 6)
    else { return nil }
    self.init(at: point, in: patch)
  }
}
