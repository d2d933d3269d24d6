import CKernels
import PlumblineModel

/// A disparity for every pixel of an image from a smaller map, its edges drawn where color has them.
///
/// Where the cells around a pixel agree, they are interpolated, which keeps planes and leaves no trace
/// of texture. Where they do not, the cells around it are parted into a nearer and a farther class, and the
/// pixel gets the weighted mean of that class whose cells are more like it in place and color:
/// nothing hangs between two surfaces. Where a portrait matte parts the two classes, it decides.
/// - Source: Kopf et al., *Joint bilateral upsampling*, SIGGRAPH 2007, with a choice in place of the
///   mean; the two classes are this project's own.
struct DisparityUpsampling {
  /// Cells around the map, so that every pixel has six of them in each direction.
  private static let border = 3
  /// The share of the map's range that neighboring cells differ by where there is an edge.
  private static let edgeShare: Float = 0.04

  private let color: Raster<RGB8>
  private let matte: Raster<UInt8>?
  private let stride: Int
  private let size: RasterSize
  private var values: [Float] = []
  private var middles: [Float] = []
  private var edges: [UInt8] = []
  private var colors: [UInt8] = []
  private var levels: [UInt8] = []

  /// - Parameters:
  ///   - map: Without holes.
  ///   - color: Of the same field of view, without padding.
  ///   - matte: Of the color's size.
  ///   - threads: How many threads may work; the result does not depend on it.
  init(_ map: Raster<Float>, color: Raster<RGB8>, matte: Raster<UInt8>?, threads: Int = 1) {
    self.color = color
    self.matte = matte
    size = map.size
    stride = map.width + 2 * Self.border
    let source = map.packed.samples
    // Least of the negatives: the largest.
    let least = ParallaxScene.minima(source, size, radius: 2, threads: threads)
    let most = ParallaxScene.minima(source.map { -$0 }, size, radius: 2, threads: threads)
    let limit = Self.edgeShare * map.robustRange
    let guide = color.sampled(at: size)
    let cover = matte.map { $0.interpolated(to: map.size, threads: threads) }
    let border = Self.border
    let (width, height, columns) = (size.width, size.height, stride)
    func bordered<Value>(_ value: (Int) -> Value) -> [Value] {
      let count = columns * (height + 2 * border)
      return [Value](unsafeUninitializedCapacity: count) { result, initialized in
        for row in 0..<height + 2 * border {
          let first = min(max(row - border, 0), height - 1) * width
          for column in 0..<columns {
            let place = first + min(max(column - border, 0), width - 1)
            result.initializeElement(at: row * columns + column, to: value(place))
          }
        }
        initialized = count
      }
    }
    values = bordered { source[$0] }
    middles = bordered { (least[$0] - most[$0]) / 2 }
    edges = bordered { -most[$0] - least[$0] > limit ? 1 : 0 }
    let pixels = bordered { guide.samples[$0] }
    colors = pixels.withUnsafeBytes { [UInt8]($0) }
    if let cover { levels = bordered { cover.samples[$0] } }
  }

  /// The disparity of every pixel of the image.
  func disparity(threads: Int) -> Raster<Float> {
    let columns = UpsamplingAxis(from: size.width, to: color.width)
    let rows = UpsamplingAxis(from: size.height, to: color.height)
    let places = columns.first.map { $0 + Int32(Self.border) }
    let width = color.width
    let samples = [Float](unsafeUninitializedCapacity: color.size.pixelCount) { result, count in
      color.samples.withUnsafeBytes { pixels in
        values.withUnsafeBufferPointer { values in
          middles.withUnsafeBufferPointer { middles in
            edges.withUnsafeBufferPointer { edges in
              colors.withUnsafeBufferPointer { colors in
                levels.withUnsafeBufferPointer { levels in
                  guard let values = values.baseAddress, let middles = middles.baseAddress,
                    let edges = edges.baseAddress, let colors = colors.baseAddress,
                    let result = result.baseAddress,
                    let pixels = pixels.bindMemory(to: UInt8.self).baseAddress
                  else { return }
                  let map = plb_upsampling(
                    values: values, middles: middles, edges: edges, colors: colors,
                    matte: matte == nil ? nil : levels.baseAddress, stride: stride,
                    color_sigma: 24)
                  forEachConcurrently((color.height + 31) / 32, threads: threads) { band in
                    var map = map
                    for y in band * 32..<min(band * 32 + 32, color.height) {
                      let row = rows.first[y] + Int32(Self.border)
                      let draw = { (cover: UnsafePointer<UInt8>?) in
                        plb_upsample_row(
                          &map, row, rows.shares[y], places, columns.shares,
                          pixels + 3 * y * width, cover, width, result + y * width)
                      }
                      if let matte {
                        matte.samples.withUnsafeBufferPointer {
                          draw($0.baseAddress.map { $0 + y * width })
                        }
                      } else {
                        draw(nil)
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
      count = color.size.pixelCount
    }
    return Raster(size: color.size, samples: samples)
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

  init(from source: Int, to target: Int) {
    first = []
    shares = []
    for pixel in 0..<target {
      let place = (Double(pixel) + 0.5) * Double(source) / Double(target) - 0.5
      let cell = place.rounded(.down)
      first.append(Int32(cell))
      shares.append(Float(place - cell))
    }
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
