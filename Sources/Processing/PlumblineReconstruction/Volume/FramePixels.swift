import CKernels
import PlumblineModel
import PlumblineNumerics

/// A frame prepared for fusion: a plane, a weight and a truncation for each pixel, and how far tiles of pixels see.
struct FramePixels {
  /// What all pixels share.
  let frame: plb_volume_frame
  /// Row after row, and one without a surface.
  private var pixels: [plb_volume_pixel]
  /// The depth in front of which each pixel says that space is free, in meters, and seven more numbers.
  private var nearest: [Float]
  /// The depth behind which each pixel says nothing, and seven more numbers.
  private var farthest: [Float]
  private(set) var tiles: FrameDepthTiles
  let hasColor: Bool

  /// Prepares a frame, the one after so many; O(pixels).
  static func prepare(
    _ scan: ScanFrame, after number: Int = 0, settings: VolumeSettings, timeWeight: Double,
    threads: Int
  ) -> FramePixels {
    let frame = parameters(of: scan, number, settings, timeWeight)
    let (empty, count) = (plb_volume_pixel(), scan.depth.size.pixelCount)
    var result = FramePixels(
      frame: frame, pixels: Array(repeating: empty, count: count + 1),
      nearest: Array(repeating: .infinity, count: count + 7),
      farthest: Array(repeating: -.infinity, count: count + 7), tiles: FrameDepthTiles(frame),
      hasColor: scan.color != nil)
    let noise = scan.noiseMeters.packed.samples
    let inverse = InverseMap.make(
      of: scan.depth.meters.packed.samples, noise, frame, threads: threads)
    result.fill(from: inverse, noise: noise, color: scan.color, threads: threads)
    return result
  }

  /// Fills pixels and tiles; each task has the rows of one row of tiles.
  private mutating func fill(
    from inverse: InverseMap, noise: [Float], color: Raster<RGB8>?, threads: Int
  ) {
    let (frame, columns, side) = (frame, tiles.columns, Int(PLB_VOLUME_TILE))
    let (width, height) = (Int(frame.width), Int(frame.height))
    var tiles = tiles
    withMutablePixels { pixels, nearest, farthest in
      tiles.withRanges { tileNearest, tileFarthest in
        inverse.values.withUnsafeBufferPointer { values in
          noise.withUnsafeBufferPointer { noise in
            guard let tileNearest = tileNearest.baseAddress,
              let tileFarthest = tileFarthest.baseAddress, let values = values.baseAddress,
              let noise = noise.baseAddress
            else { return }
            forEachConcurrently((height + side - 1) / side, threads: threads) { task in
              for y in task * side..<min(height, (task + 1) * side) {
                withUnsafePointer(to: frame) {
                  plb_volume_row(
                    $0, values + inverse.first(ofRow: y), inverse.stride, noise + y * width,
                    Int32(y), pixels + y * width, nearest + y * width, farthest + y * width,
                    tileNearest + task * columns, tileFarthest + task * columns)
                }
                guard let color else { continue }
                Self.paint(pixels + y * width, row: y, width: width, height: height, from: color)
              }
            }
          }
        }
      }
    }
    self.tiles = tiles
  }

  /// Calls with pixels, nearest and farthest depths.
  private mutating func withMutablePixels(
    _ body: (
      UnsafeMutablePointer<plb_volume_pixel>, UnsafeMutablePointer<Float>,
      UnsafeMutablePointer<Float>
    ) -> Void
  ) {
    pixels.withUnsafeMutableBufferPointer { pixels in
      nearest.withUnsafeMutableBufferPointer { nearest in
        farthest.withUnsafeMutableBufferPointer { farthest in
          guard let pixels = pixels.baseAddress, let nearest = nearest.baseAddress,
            let farthest = farthest.baseAddress
          else { return }
          body(pixels, nearest, farthest)
        }
      }
    }
  }

  /// Calls with the pixels as the kernels take them; a frame without pixels does not.
  func withKernelPixels(_ body: (plb_volume_pixels) -> Void) {
    pixels.withUnsafeBufferPointer { pixels in
      nearest.withUnsafeBufferPointer { nearest in
        farthest.withUnsafeBufferPointer { farthest in
          guard let pixels = pixels.baseAddress, let nearest = nearest.baseAddress,
            let farthest = farthest.baseAddress
          else { return }
          body(plb_volume_pixels(pixels: pixels, nearest: nearest, farthest: farthest))
        }
      }
    }
  }

  private static func parameters(
    of scan: ScanFrame, _ number: Int, _ settings: VolumeSettings, _ timeWeight: Double
  ) -> plb_volume_frame {
    let (camera, shared) = (scan.camera, scan.shared)
    // The same angle for small and large maps: 1 pixel of 256, 2 of 640.
    let near = max(1, (camera.size.width + 160) / 320)
    return plb_volume_frame(
      focal_x: Float(camera.focalLength.x), focal_y: Float(camera.focalLength.y),
      center_x: Float(camera.principalPoint.x), center_y: Float(camera.principalPoint.y),
      width: Int32(camera.size.width), height: Int32(camera.size.height),
      slope_step: Int32(near * slopeFactor(of: scan, near: near)),
      voxel: Float(settings.voxelMeters), time_weight: Float(timeWeight),
      shared_constant: Float(shared.constantMeters * shared.constantMeters),
      shared_linear: Float(shared.perMeter * shared.perMeter),
      shared_quadratic: Float(shared.perMeterSquared * shared.perMeterSquared),
      free_views: Float(settings.freeViews), one_surface: 0.05 * Float(near),
      seed: UInt32(truncatingIfNeeded: number * BlockKey.voxelCount))
  }

  /// How many times farther than `near` pixels slopes are taken: 1, 2, or 4 at most, so that the noise in the
  /// middle turns a plane by no more than 31°, as for normals in tracking.
  ///
  /// The difference of two pixels 2 r apart has the noise √2 σ over 2 r z/f meters.
  private static func slopeFactor(of scan: ScanFrame, near: Int) -> Int {
    let (depth, noise) = (scan.depth.meters.packed.samples, scan.noiseMeters.packed.samples)
    var ratios: [Float] = []
    for i in stride(from: 0, to: depth.count, by: 17)
    where depth[i] > 0 && depth[i] < .infinity && noise[i] > 0 && noise[i] < .infinity {
      ratios.append(noise[i] / depth[i])
    }
    guard let middle = ratios.upperMedian else { return 1 }
    let tangent =
      Double(middle) * scan.camera.focalLength.x
      / (2.0.squareRoot() * Double(near))
    return tangent <= 0.6 ? 1 : tangent <= 1.2 ? 2 : 4
  }

  /// The color at the center of each pixel of a row.
  private static func paint(
    _ pixels: UnsafeMutablePointer<plb_volume_pixel>, row y: Int, width: Int, height: Int,
    from color: Raster<RGB8>
  ) {
    let row = (2 * y + 1) * color.height / (2 * height) * color.rowStride
    let isSame = color.width == width
    color.samples.withUnsafeBufferPointer { samples in
      for x in 0..<width {
        let sample = samples[row + (isSame ? x : (2 * x + 1) * color.width / (2 * width))]
        pixels[x].color |=
          UInt32(sample.red) | UInt32(sample.green) << 8 | UInt32(sample.blue) << 16
          | UInt32(PLB_VOLUME_COLOR)
      }
    }
  }
}

/// 1/depth of each pixel in 1/m, 0 where there is no surface, with columns and rows of 0 around it.
private struct InverseMap {
  /// Numbers from row to row.
  let stride: Int
  private let margin: Int
  private(set) var values: [Float]

  /// Where the first pixel of a row lies.
  func first(ofRow y: Int) -> Int { (y + margin) * stride + margin }

  /// Inverts a packed map; O(pixels).
  static func make(
    of depth: [Float], _ noise: [Float], _ frame: plb_volume_frame, threads: Int
  ) -> InverseMap {
    let (width, height) = (Int(frame.width), Int(frame.height))
    let margin = Int(frame.slope_step)
    let stride = width + 2 * margin
    var result = InverseMap(
      stride: stride, margin: margin,
      values: Array(repeating: 0, count: stride * (height + 2 * margin)))
    let first = result.first(ofRow: 0)
    result.values.withUnsafeMutableBufferPointer { values in
      depth.withUnsafeBufferPointer { depth in
        noise.withUnsafeBufferPointer { noise in
          guard let values = values.baseAddress, let depth = depth.baseAddress,
            let noise = noise.baseAddress
          else { return }
          // A thread inverts 64 rows: some 20 µs.
          forEachConcurrently((height + 63) / 64, threads: threads) { task in
            for y in task * 64..<min(height, (task + 1) * 64) {
              plb_volume_inverse_row(
                depth + y * width, noise + y * width, Int32(width), values + first + y * stride)
            }
          }
        }
      }
    }
    return result
  }
}
