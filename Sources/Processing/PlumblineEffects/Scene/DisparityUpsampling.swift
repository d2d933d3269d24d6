import CKernels
import PlumblineModel

/// A disparity for every pixel of an image from a smaller map, its edges drawn where color has them.
///
/// Where no step of the map is near, cells are interpolated, which keeps planes and leaves no trace of
/// texture. Near a step (``DepthSteps``) the colors of the image say how much of a pixel the nearer
/// surface covers (``ClosedFormMatting``), and the pixel has the disparity of the surface that covers
/// more of it: nothing hangs between two surfaces. Where a portrait matte parts the two, it says what
/// to expect.
struct DisparityUpsampling {
  /// Cells around the map, so that every pixel has two of them in each direction.
  private static let border = 1

  private let color: Raster<RGB8>
  private let matte: Raster<UInt8>?
  private let size: RasterSize
  /// The map and its surfaces, with a border.
  private let values: [Float]
  private let near: [Float]
  private let far: [Float]
  private let bands: [UInt8]
  /// How many pixels of the image, squared, are one of ``lines``.
  private let side: Int
  /// Coverage as a linear function of color.
  private let lines: [SIMD4<Float>]
  /// 1 where colors show an edge.
  private let edges: [UInt8]

  /// - Parameters:
  ///   - map: Without holes.
  ///   - color: Of the same field of view, without padding.
  ///   - matte: Of the color's size.
  ///   - sigma: One standard deviation of the map; NaN where not known.
  ///   - threads: How many threads may work; the result does not depend on it.
  init(
    _ map: Raster<Float>, color: Raster<RGB8>, matte: Raster<UInt8>?, sigma: Float,
    threads: Int = 1
  ) {
    self.color = color
    self.matte = matte?.packed
    size = map.size
    let map = map.packed
    let cover = matte.map { $0.interpolated(to: map.size, threads: threads) }
    let steps = DepthSteps(map, matte: cover, sigma: sigma, threads: threads)
    values = Self.bordered(map.samples, map.size)
    near = Self.bordered(steps.near, map.size)
    far = Self.bordered(steps.far, map.size)
    bands = Self.bordered(steps.bands, map.size)
    // Cells are some two squares wide: finer ones cost more and show no more edges.
    let enlargement = Double(color.width) / Double(map.width)
    side = max(1, min(Int(enlargement / 2), 4))
    let problem = EdgeProblem(
      color: color, matte: self.matte, side: side,
      parting: Raster(size: map.size, samples: steps.parting))
    (lines, edges) = Self.withMap(
      values, near, far, bands, columns: map.width + 2 * Self.border
    ) {
      problem.solved($0, threads: threads)
    }
  }

  /// A map with its border cells repeated.
  private static func bordered<Value>(_ source: [Value], _ size: RasterSize) -> [Value] {
    let columns = size.width + 2 * border
    return [Value](unsafeUninitializedCapacity: columns * (size.height + 2 * border)) {
      result, count in
      for row in 0..<size.height + 2 * border {
        let first = min(max(row - border, 0), size.height - 1) * size.width
        for column in 0..<columns {
          let place = first + min(max(column - border, 0), size.width - 1)
          result.initializeElement(at: row * columns + column, to: source[place])
        }
      }
      count = columns * (size.height + 2 * border)
    }
  }

  private static func withMap<Result>(
    _ values: [Float], _ near: [Float], _ far: [Float], _ bands: [UInt8], columns: Int,
    _ body: (plb_upsampling) -> Result
  ) -> Result {
    values.withUnsafeBufferPointer { values in
      near.withUnsafeBufferPointer { near in
        far.withUnsafeBufferPointer { far in
          bands.withUnsafeBufferPointer { bands in
            guard let values = values.baseAddress, let near = near.baseAddress,
              let far = far.baseAddress, let bands = bands.baseAddress
            else { preconditionFailure("a map without cells") }
            return body(
              plb_upsampling(values: values, near: near, far: far, bands: bands, stride: columns))
          }
        }
      }
    }
  }

  /// The disparity of every pixel of the image, and how much of it the nearer of two surfaces covers,
  /// of 255; away from steps that is the matte, and 0 without one.
  func disparity(threads: Int) -> (values: Raster<Float>, coverage: Raster<UInt8>) {
    let columns = UpsamplingAxis(from: size.width, to: color.width)
    let rows = UpsamplingAxis(from: size.height, to: color.height)
    let places = columns.first.map { $0 + Int32(Self.border) }
    let (width, height) = (color.width, color.height)
    var coverage = [UInt8](repeating: 0, count: color.size.pixelCount)
    let samples = [Float](unsafeUninitializedCapacity: color.size.pixelCount) { result, count in
      coverage.withUnsafeMutableBufferPointer { coverage in
        withInputs { map, lines, pixels, matte in
          nonisolated(unsafe) let all = (map, lines, pixels, matte, result, coverage)
          forEachConcurrently((height + 31) / 32, threads: threads) { band in
            var (map, lines) = (all.0, all.1)
            let (pixels, matte) = (all.2, all.3)
            guard let result = all.4.baseAddress, let coverage = all.5.baseAddress else { return }
            for y in band * 32..<min(band * 32 + 32, height) {
              places.withUnsafeBufferPointer { places in
                columns.shares.withUnsafeBufferPointer { shares in
                  guard let places = places.baseAddress, let shares = shares.baseAddress else {
                    return
                  }
                  var place = plb_upsampling_row(
                    columns: places, shares: shares, count: width,
                    row: rows.first[y] + Int32(Self.border), share: rows.shares[y])
                  plb_upsample_row(
                    &map, &place, &lines, Int32(y), pixels + 3 * y * width,
                    matte.map { $0 + y * width }, result + y * width, coverage + y * width)
                }
              }
            }
          }
        }
      }
      count = color.size.pixelCount
    }
    return (
      Raster(size: color.size, samples: samples), Raster(size: color.size, samples: coverage)
    )
  }

  /// The kernel's inputs, as pointers.
  private func withInputs(
    _ body: (
      plb_upsampling, plb_upsampling_lines, UnsafePointer<UInt8>, UnsafePointer<UInt8>?
    ) -> Void
  ) {
    let small = RasterSize(
      width: (color.width + side - 1) / side, height: (color.height + side - 1) / side)
    Self.withMap(values, near, far, bands, columns: size.width + 2 * Self.border) { map in
      lines.withUnsafeBytes { lines in
        edges.withUnsafeBufferPointer { edges in
          color.samples.withUnsafeBytes { pixels in
            guard let lines = lines.bindMemory(to: Float.self).baseAddress,
              let edges = edges.baseAddress,
              let pixels = pixels.bindMemory(to: UInt8.self).baseAddress
            else { return }
            let functions = plb_upsampling_lines(
              lines: lines, edges: edges, width: Int32(small.width), height: Int32(small.height),
              side: Int32(side))
            if let matte {
              matte.samples.withUnsafeBufferPointer {
                body(map, functions, pixels, $0.baseAddress)
              }
            } else {
              body(map, functions, pixels, nil)
            }
          }
        }
      }
    }
  }
}

extension Raster<Float> {
  /// How far the 2nd and the 98th percentile of finite values on a lattice lie apart; 0 for none.
  var robustRange: Float {
    let ends = percentiles([0.02, 0.98])
    return ends[0].isNaN ? 0 : ends[1] - ends[0]
  }
}

extension Raster<RGB8> {
  /// The image at a map's size: means of areas where it is larger, else nearest pixels.
  func sampled(at target: RasterSize) -> Raster {
    if target == size { return packed }
    // Whole squares of pixels have a faster mean.
    let whole = reduced(toMaximumSide: Swift.max(target.width, target.height))
    if whole.size == target { return whole }
    if target.width <= width && target.height <= height { return averaged(to: target) }
    return scaledNearest(to: target)
  }
}

/// Between which two cells of a smaller row each pixel lies, centers matched.
struct UpsamplingAxis {
  /// The cell at or before each pixel; −1 before the first.
  var first: [Int32]
  /// How far each pixel is toward the next cell, 0 to 1.
  var shares: [Float]

  /// - Parameters:
  ///   - source: Cells of the smaller row.
  ///   - target: Pixels of the larger one.
  ///   - side: How many pixels are taken as one; the last may reach beyond the border.
  init(from source: Int, to target: Int, side: Int = 1) {
    first = []
    shares = []
    for pixel in 0..<(target + side - 1) / side {
      let place =
        (Double(pixel) + 0.5) * Double(side) * Double(source) / Double(target) - 0.5
      let cell = min(place.rounded(.down), Double(source - 1))
      first.append(Int32(cell))
      shares.append(Float(min(place - cell, 1)))
    }
  }

  /// The cell nearest to a pixel, of `count` cells.
  func nearest(_ pixel: Int, of count: Int) -> Int {
    min(max(Int((Float(first[pixel]) + shares[pixel] + 0.5).rounded(.down)), 0), count - 1)
  }
}

extension Raster<UInt8> {
  /// The levels at another size, bilinear, rounded half up; the border is repeated outside.
  ///
  /// - Precondition: Both sizes have pixels. O(*n*) of the result.
  func interpolated(to target: RasterSize, threads: Int) -> Raster<UInt8> {
    if target == size { return packed }
    let columns = UpsamplingAxis(from: width, to: target.width)
    let rows = UpsamplingAxis(from: height, to: target.height)
    let left = columns.first.map { min(max($0, 0), Int32(width - 1)) }
    let right = columns.first.map { min(max($0 + 1, 0), Int32(width - 1)) }
    let levels = [UInt8](unsafeUninitializedCapacity: target.pixelCount) { result, count in
      samples.withUnsafeBufferPointer { source in
        guard let source = source.baseAddress, let result = result.baseAddress else { return }
        let bands = (target.height + 63) / 64
        forEachConcurrently(bands, threads: threads) { band in
          for y in band * 64..<Swift.min(band * 64 + 64, target.height) {
            let upper = min(max(Int(rows.first[y]), 0), height - 1)
            let lower = min(max(Int(rows.first[y]) + 1, 0), height - 1)
            plb_upsample_levels(
              source + upper * rowStride, source + lower * rowStride, rows.shares[y], left, right,
              columns.shares, target.width, result + y * target.width)
          }
        }
      }
      count = target.pixelCount
    }
    return Raster(size: target, samples: levels)
  }
}
