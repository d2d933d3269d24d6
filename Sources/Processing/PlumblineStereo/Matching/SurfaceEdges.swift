import CKernels
import PlumblineModel

/// Chooses again between the surfaces on both sides of an edge.
///
/// Squares that straddle an edge follow the side with more texture, so that foregrounds extend by
/// some pixels over their edges. Here each pixel that has another surface within 6 pixels is compared
/// at the disparities of both sides by its surroundings of like gray alone, and takes the disparity
/// that fits them clearly better. What the comparison leaves open is added to σ: 0.6 px where both fit
/// alike, and 0.1 px for each gray level by which the better one misses, as it does where the right
/// camera does not see the pixel. Pixels far from edges keep their bits.
/// - Source: decision 0053, with the errors before and after; weights by gray level are those of
///   K.-J. Yoon, I. S. Kweon, "Adaptive Support-Weight Approach for Correspondence Search", IEEE TPAMI
///   28(4), 2006.
package struct SurfaceEdges {
  private let pair: RectifiedPair

  /// Prepares the choice in one pair.
  package init(pair: RectifiedPair) { self.pair = pair }

  /// Moves disparities near edges and widens their σ; missing ones stay missing.
  ///
  /// - Parameters:
  ///   - disparity: Pixels, row after row, of the pair's size; NaN where missing.
  ///   - sigma: Their σ in pixels.
  ///   - threads: How many threads work; the result is the same for any number.
  /// - Complexity: O(*n*), two further maps of floats and a padded copy of both images.
  package func choose(
    _ disparity: UnsafeMutablePointer<Float>, sigma: UnsafeMutablePointer<Float>, threads: Int
  ) {
    let (width, height) = (pair.size.width, pair.size.height)
    let left = PaddedLevels(pair.left), right = PaddedLevels(pair.right)
    let values = MatchingMemory<Float>(unwritten: width * height)
    let sigmas = MatchingMemory<Float>(unwritten: width * height)
    writeLevelOffsets(values.base, where: disparity)
    let offsets = NeighborhoodMeans(
      of: values.base, where: disparity, width: width, height: height)
    values.base.update(from: disparity, count: width * height)
    sigmas.base.update(from: sigma, count: width * height)
    nonisolated(unsafe) let images = plb_stereo_edge_images(
      left: left.first, right: right.first, stride: left.stride, width: width, height: height)
    nonisolated(unsafe) let (sources, results) = ((values.base, sigmas.base), (disparity, sigma))
    forEachPart(of: 0..<height, threads: threads) { rows in
      let offset = MatchingMemory<Float>(unwritten: width)
      for y in rows {
        offsets.write(row: y, to: offset.base)
        plb_stereo_edges(
          images, sources.0, sources.1, y, offset.base, results.0 + y * width,
          results.1 + y * width)
      }
    }
  }

  /// Writes by how many levels each left pixel is lighter than its match; the exposures of two cameras
  /// differ.
  private func writeLevelOffsets(
    _ offsets: UnsafeMutablePointer<Float>, where disparity: UnsafePointer<Float>
  ) {
    let (width, height) = (pair.size.width, pair.size.height)
    for y in 0..<height {
      pair.left.row(y).withUnsafeBufferPointer { left in
        pair.right.row(y).withUnsafeBufferPointer { right in
          if let left = left.baseAddress, let right = right.baseAddress {
            plb_stereo_level_offsets(
              left, right, disparity + y * width, width, offsets + y * width)
          }
        }
      }
    }
  }
}

/// The gray levels of an image with its border repeated outside, so that windows need no checks.
private struct PaddedLevels: ~Copyable {
  private static let before = Int(PLB_EDGE_WINDOW)
  private static let after = 8
  /// Rows are read 16 bytes at once.
  private static let atEnd = 8
  private let memory: MatchingMemory<UInt8>
  /// The distance between rows.
  let stride: Int

  /// The first pixel.
  var first: UnsafePointer<UInt8> {
    UnsafePointer(memory.base + Self.before * stride + Self.before)
  }

  /// Copies an image of at least one pixel; O(*n*).
  init(_ image: Raster<UInt8>) {
    let (width, height) = (image.width, image.height)
    stride = width + Self.before + Self.after
    memory = MatchingMemory(
      unwritten: stride * (height + 2 * Self.before) + Self.atEnd)
    for y in 0..<height + 2 * Self.before {
      let row = image.row(min(max(y - Self.before, 0), height - 1))
      let target = memory.base + y * stride
      target.update(repeating: row[row.startIndex], count: Self.before)
      row.withUnsafeBufferPointer { source in
        if let base = source.baseAddress {
          (target + Self.before).update(from: base, count: width)
        }
      }
      (target + Self.before + width).update(
        repeating: row[row.endIndex - 1], count: Self.after)
    }
  }
}
