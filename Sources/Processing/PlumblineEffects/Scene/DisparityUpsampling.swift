import CKernels
import PlumblineModel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

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

  /// Of the map's field of view, without padding.
  let color: Raster<RGB8>
  /// Of the color's size; `nil` without one.
  let matte: Raster<UInt8>?
  /// One standard deviation of the map; NaN where not known.
  let sigma: Float
  /// The power of codes that surfaces are taken to share: between codes, where noise is alike in dark
  /// and light, and light itself, which is about their 2.2nd power and is what surfaces really share.
  ///
  /// - Source: chosen by `Benchmarks/run --blur-quality FOLDER --edges`, of 1, 1.5, 1.8, 2 and 2.2.
  private static let power = 1.8
  /// The level of each code, up to 65535.
  private let levels = (0..<256).map { code in
    UInt16((65535 * pow(Double(code) / 255, power)).rounded())
  }

  /// A map with what was found of its edges.
  private struct Edges {
    /// The size of the map.
    let size: RasterSize
    /// The map and its surfaces, with a border.
    let values: [Float]
    let near: [Float]
    let far: [Float]
    let bands: [UInt8]
    /// How many pixels of the image, squared, are one of ``lines``.
    let side: Int
    /// Coverage as a linear function of levels.
    var lines: [SIMD4<Float>] = []
    /// 1 where colors show an edge.
    var marks: [UInt8] = []
  }

  /// The disparity of every pixel of the image, and how much of it the nearer of two surfaces covers,
  /// of 255; away from steps that is the matte, and 0 without one.
  ///
  /// - Parameters:
  ///   - map: Disparities without holes.
  ///   - threads: How many threads may work; the result does not depend on it.
  /// - Returns: Both, of the image's size. Cost: O(pixels), and for each near a step 25 products in at
  ///   most 110 rounds.
  func upsampled(
    _ map: Raster<Float>, threads: Int
  ) -> (values: Raster<Float>, coverage: Raster<UInt8>) {
    values(along: edges(of: map.packed, threads: threads), threads: threads)
  }

  private func edges(of map: Raster<Float>, threads: Int) -> Edges {
    let cover = matte.map { $0.interpolated(to: map.size, threads: threads) }
    let steps = DepthSteps.found(in: map, matte: cover, sigma: sigma, threads: threads)
    // Cells are some two squares wide: finer ones cost more and show no more edges.
    let enlargement = Double(color.width) / Double(map.width)
    var edges = Edges(
      size: map.size, values: Self.bordered(map.samples, map.size),
      near: Self.bordered(steps.near, map.size), far: Self.bordered(steps.far, map.size),
      bands: Self.bordered(steps.bands, map.size), side: max(1, min(Int(enlargement / 2), 4)))
    let problem = EdgeProblem(
      color: color, matte: matte?.packed, levels: levels, side: edges.side,
      parting: Raster(size: map.size, samples: steps.parting))
    (edges.lines, edges.marks) = Self.withMap(edges) { problem.solved($0, threads: threads) }
    return edges
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
    _ edges: Edges, _ body: (plb_upsampling) -> Result
  ) -> Result {
    edges.values.withUnsafeBufferPointer { values in
      edges.near.withUnsafeBufferPointer { near in
        edges.far.withUnsafeBufferPointer { far in
          edges.bands.withUnsafeBufferPointer { bands in
            guard let values = values.baseAddress, let near = near.baseAddress,
              let far = far.baseAddress, let bands = bands.baseAddress
            else { preconditionFailure("a map without cells") }
            return body(
              plb_upsampling(
                values: values, near: near, far: far, bands: bands,
                stride: edges.size.width + 2 * border))
          }
        }
      }
    }
  }

  /// The rows of the image, with what was found of the map's edges.
  private func values(
    along edges: Edges, threads: Int
  ) -> (values: Raster<Float>, coverage: Raster<UInt8>) {
    let columns = UpsamplingAxis(from: edges.size.width, to: color.width)
    let rows = UpsamplingAxis(from: edges.size.height, to: color.height)
    let places = columns.first.map { $0 + Int32(Self.border) }
    let (width, height) = (color.width, color.height)
    var coverage = [UInt8](repeating: 0, count: color.size.pixelCount)
    let samples = [Float](unsafeUninitializedCapacity: color.size.pixelCount) { result, count in
      coverage.withUnsafeMutableBufferPointer { coverage in
        withInputs(edges) { map, lines, pixels, matte in
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
    _ edges: Edges,
    _ body: (
      plb_upsampling, plb_upsampling_lines, UnsafePointer<UInt8>, UnsafePointer<UInt8>?
    ) -> Void
  ) {
    let (matte, side) = (matte?.packed, edges.side)
    let width = Int32((color.width + side - 1) / side)
    let height = Int32((color.height + side - 1) / side)
    Self.withMap(edges) { map in
      edges.lines.withUnsafeBytes { lines in
        edges.marks.withUnsafeBufferPointer { marks in
          levels.withUnsafeBufferPointer { levels in
            color.samples.withUnsafeBytes { pixels in
              guard let lines = lines.bindMemory(to: Float.self).baseAddress,
                let marks = marks.baseAddress, let levels = levels.baseAddress,
                let pixels = pixels.bindMemory(to: UInt8.self).baseAddress
              else { return }
              let functions = plb_upsampling_lines(
                lines: lines, light: levels, edges: marks, width: width, height: height,
                side: Int32(side))
              guard let matte else { return body(map, functions, pixels, nil) }
              matte.samples.withUnsafeBufferPointer {
                body(map, functions, pixels, $0.baseAddress)
              }
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
