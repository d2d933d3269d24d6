internal import CKernels
internal import PlumblineModel

/// A scene of two layers that can be seen from elsewhere: the photo, and the photo with what is in
/// front at edges replaced by what lies around behind it.
///
/// Each pixel of a view looks along its line for the nearest surface that falls on it; where it would
/// meet a surface from its side, it takes the second layer. There are no cracks, and what appears
/// comes from the background.
/// - Source: depth-image rendering as in Fehn, *Depth-image-based rendering (DIBR), compression, and
///   transmission for a new approach on 3D-TV*, SPIE 5291, 2004; two layers as in Shade, Gortler, He
///   and Szeliski, *Layered depth images*, SIGGRAPH 1998.
struct ParallaxScene: Sendable {
  /// Bounds are kept for squares of so many pixels.
  private static let square = 16

  private let color: Raster<RGB8>
  private let disparity: CleanDisparity
  private let maximum: Raster<Float>
  private let behind: BackgroundCompletion
  private let step: Float
  /// For tests: looks for surfaces from the nearest of all on.
  var looksEverywhere = false

  /// Prepares a scene for views that move a pixel by at most some pixels per unit of disparity.
  static func prepared(
    color: Raster<RGB8>, disparity: CleanDisparity, pixelsPerUnit: Double, threads: Int
  ) -> ParallaxScene {
    var disparity = disparity
    // Pixels that share a near surface's color belong to it: edges of images are a few soft.
    let soft = max((max(color.width, color.height) + 350) / 700, 1)
    disparity.values = maxima(
      disparity.values, disparity.size, radius: soft, threads: threads)
    let range = disparity.maximum - disparity.least
    // What opens by less than a pixel, or is less than 2 % of all disparities, is one surface.
    let step = max(range * 0.02, pixelsPerUnit > 0 ? Float(min(1 / pixelsPerUnit, 1e30)) : 1e30)
    let reach = pixelsPerUnit * Double(range)
    // The hidden part is as deep as pixels move; three times
    // that, so that the foreground's inside is farther from a hole than the background is.
    let radius = Int(min(3 * max(reach, 1).rounded(.up) + 2, 4096))
    let known =
      reach >= 1
      ? far(disparity, radius: radius, step: step, threads: threads)
      : [UInt8](repeating: 1, count: disparity.values.count)
    return ParallaxScene(
      color: color.packed, disparity: disparity, maximum: bounds(disparity, threads: threads),
      behind: BackgroundCompletion.completed(
        color: color, disparity: disparity.values, known: known, threads: threads), step: step)
  }

  /// The image from a camera whose move shifts a pixel by some pixels per unit of disparity.
  func view(
    shift: SIMD2<Double>, focus: Float, threads: Int
  ) -> Raster<RGB8> {
    let size = color.size
    guard size.pixelCount > 0 else { return color }
    let bounds =
      looksEverywhere
      ? [Float](repeating: disparity.maximum, count: maximum.size.pixelCount)
      : reachable(shift, focus)
    return color.samples.withUnsafeBytes { colors in
      behind.color.samples.withUnsafeBytes { farColors in
        disparity.values.withUnsafeBufferPointer { near in
          behind.disparity.withUnsafeBufferPointer { far in
            bounds.withUnsafeBufferPointer { bounds in
              let all = (
                colors.bindMemory(to: UInt8.self).baseAddress, near.baseAddress,
                farColors.bindMemory(to: UInt8.self).baseAddress, far.baseAddress,
                bounds.baseAddress
              )
              // Strips are taken as threads come to them: a near subject is slower than a far wall.
              let pixels = [UInt8](unsafeUninitializedCapacity: 3 * size.pixelCount) {
                buffer, count in
                count = 3 * size.pixelCount
                guard let target = buffer.baseAddress, let color = all.0, let near = all.1,
                  let farColor = all.2, let far = all.3, let bounds = all.4
                else { return }
                let view = plb_parallax(
                  color: color, disparity: near, far_color: farColor, far_disparity: far,
                  width: Int32(size.width), height: Int32(size.height), shift_x: Float(shift.x),
                  shift_y: Float(shift.y), focus: focus, nearest: disparity.maximum,
                  farthest: disparity.least, step: step, bounds: bounds,
                  side: Int32(Self.square))
                let strip = Self.square
                forEachConcurrently((size.height + strip - 1) / strip, threads: threads) { index in
                  var view = view
                  plb_parallax_view(
                    &view, Int32(index * strip), Int32(min((index + 1) * strip, size.height)),
                    target)
                }
              }
              return Raster(size: size, pixels: pixels)
            }
          }
        }
      }
    }
  }

  /// 1 for pixels that belong to the farthest surface around them, none within two pixels of a
  /// nearer one, whose color they share.
  private static func far(
    _ disparity: CleanDisparity, radius: Int, step: Float, threads: Int
  ) -> [UInt8] {
    let least = minima(disparity.values, disparity.size, radius: radius, threads: threads)
    let (values, width) = (disparity.values, disparity.size.width)
    let mask: [Float] = values.withUnsafeBufferPointer { values in
      least.withUnsafeBufferPointer { least in
        nonisolated(unsafe) let all = (values.baseAddress, least.baseAddress)
        return filled(values.count, rows: disparity.size.height, threads: threads) {
          rows, target in
          guard let values = all.0, let least = all.1 else { return }
          let first = rows.lowerBound * width
          plb_parallax_far(
            values + first, least + first, rows.count * width, step, target + first)
        }
      }
    }
    let eroded = minima(mask, disparity.size, radius: 2, threads: threads)
    return changed(eroded, disparity.size, threads: threads) { $0 > 0.5 ? 1 : 0 }
  }

  /// Each value changed by itself.
  @inline(__always)
  private static func changed<Value: BitwiseCopyable & Sendable>(
    _ values: [Float], _ size: RasterSize, threads: Int, _ change: @Sendable (Float) -> Value
  ) -> [Value] {
    values.withUnsafeBufferPointer { values in
      nonisolated(unsafe) let values = values
      return filled(values.count, rows: size.height, threads: threads) { rows, target in
        for index in rows.lowerBound * size.width..<rows.upperBound * size.width {
          target[index] = change(values[index])
        }
      }
    }
  }

  private static func maxima(
    _ values: [Float], _ size: RasterSize, radius: Int, threads: Int
  ) -> [Float] {
    let negative = changed(values, size, threads: threads) { -$0 }
    let least = minima(negative, size, radius: radius, threads: threads)
    return changed(least, size, threads: threads) { -$0 }
  }

  private static func bounds(_ disparity: CleanDisparity, threads: Int) -> Raster<Float> {
    let side = square
    let (width, height) = (disparity.size.width, disparity.size.height)
    let size = RasterSize(width: (width + side - 1) / side, height: (height + side - 1) / side)
    let values: [Float] = disparity.values.withUnsafeBufferPointer { values in
      nonisolated(unsafe) let values = values
      return filled(size.pixelCount, rows: size.height, threads: threads) { rows, target in
        guard let start = values.baseAddress else { return }
        plb_parallax_maximum(
          start, Int32(width), Int32(height), Int32(side), Int32(rows.lowerBound),
          Int32(rows.upperBound), target)
      }
    }
    return Raster(size: size, samples: values)
  }

  /// The maximum disparities within the reach of each square's pixels.
  private func reachable(_ shift: SIMD2<Double>, _ focus: Float) -> [Float] {
    let off = Double(max(abs(disparity.maximum - focus), abs(disparity.least - focus)))
    func squares(_ shift: Double) -> Int {
      Int(min((abs(shift) * off + 1) / Double(Self.square), 65536).rounded(.up))
    }
    let (across, down) = (squares(shift.x), squares(shift.y))
    let (width, height) = (maximum.width, maximum.height)
    // Positions beyond the border are taken at it, so windows end there.
    let rows = Raster<Float>(size: maximum.size) { x, y in
      maximum.row(y)[
        maximum.row(y).startIndex + max(x - across, 0)...maximum.row(y).startIndex
          + min(x + across, width - 1)
      ].max() ?? disparity.maximum
    }
    return Raster<Float>(size: maximum.size) { x, y in
      (max(y - down, 0)...min(y + down, height - 1)).reduce(-Float.infinity) {
        max($0, rows[x, $1])
      }
    }.samples
  }

  static func minima(
    _ values: [Float], _ size: RasterSize, radius: Int, threads: Int
  ) -> [Float] {
    let (width, height) = (Int32(size.width), Int32(size.height))
    let across: [Float] = values.withUnsafeBufferPointer { values in
      nonisolated(unsafe) let values = values
      return filled(values.count, rows: size.height, threads: threads) { rows, target in
        guard let start = values.baseAddress else { return }
        var scratch = [Float](repeating: 0, count: 16 * size.width)
        plb_parallax_least_rows(
          start, width, Int32(radius), Int32(rows.lowerBound), Int32(rows.upperBound), &scratch,
          target)
      }
    }
    return across.withUnsafeBufferPointer { values in
      nonisolated(unsafe) let values = values
      return filled(values.count, rows: size.width, threads: threads) { columns, target in
        guard let start = values.baseAddress else { return }
        var scratch = [Float](repeating: 0, count: 32 * size.height)
        plb_parallax_least_columns(
          start, width, height, Int32(radius), Int32(columns.lowerBound),
          Int32(columns.upperBound), &scratch, target)
      }
    }
  }
}
