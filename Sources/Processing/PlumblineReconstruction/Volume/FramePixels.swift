import CKernels
import PlumblineModel

/// A frame prepared for fusion: a plane, a weight and a truncation for each pixel.
struct FramePixels {
  /// What all pixels share.
  let frame: plb_volume_frame
  /// Row after row.
  let pixels: [plb_volume_pixel]
  let hasColor: Bool
  /// Rows that one task prepares.
  static let rowsPerTask = 16

  /// Prepares a frame; O(pixels).
  static func prepare(
    _ scan: ScanFrame, settings: VolumeSettings, timeWeight: Double, threads: Int
  ) -> FramePixels {
    let size = scan.depth.size
    let frame = parameters(of: scan, settings, timeWeight)
    let (depth, noise) = (scan.depth.meters.packed.samples, scan.noiseMeters.packed.samples)
    let count = size.pixelCount
    let pixels = [plb_volume_pixel](unsafeUninitializedCapacity: count) { buffer, filled in
      let tasks = (size.height + rowsPerTask - 1) / rowsPerTask
      depth.withUnsafeBufferPointer { depth in
        noise.withUnsafeBufferPointer { noise in
          guard let depth = depth.baseAddress, let noise = noise.baseAddress,
            let result = buffer.baseAddress
          else { return }
          forEachConcurrently(tasks, threads: threads) { task in
            withUnsafePointer(to: frame) { frame in
              for y in task * rowsPerTask..<min(size.height, (task + 1) * rowsPerTask) {
                plb_volume_row(frame, depth, noise, Int32(y), result + y * size.width)
              }
            }
            guard let color = scan.color else { return }
            for y in task * rowsPerTask..<min(size.height, (task + 1) * rowsPerTask) {
              paint(result + y * size.width, row: y, of: size, from: color)
            }
          }
        }
      }
      filled = count
    }
    return FramePixels(frame: frame, pixels: pixels, hasColor: scan.color != nil)
  }

  private static func parameters(
    of scan: ScanFrame, _ settings: VolumeSettings, _ timeWeight: Double
  ) -> plb_volume_frame {
    let (camera, shared) = (scan.camera, scan.shared)
    return plb_volume_frame(
      focal_x: Float(camera.focalLength.x), focal_y: Float(camera.focalLength.y),
      center_x: Float(camera.principalPoint.x), center_y: Float(camera.principalPoint.y),
      width: Int32(camera.size.width), height: Int32(camera.size.height),
      // The same angle for small and large maps: 1 pixel of 256, 2 of 640.
      slope_step: Int32(max(1, (camera.size.width + 160) / 320)),
      voxel: Float(settings.voxelMeters), time_weight: Float(timeWeight),
      shared_constant: Float(shared.constantMeters * shared.constantMeters),
      shared_linear: Float(shared.perMeter * shared.perMeter),
      shared_quadratic: Float(shared.perMeterSquared * shared.perMeterSquared),
      free_views: Float(settings.freeViews))
  }

  /// The color at the center of each pixel of a row.
  private static func paint(
    _ pixels: UnsafeMutablePointer<plb_volume_pixel>, row y: Int, of size: RasterSize,
    from color: Raster<RGB8>
  ) {
    let row = (2 * y + 1) * color.height / (2 * size.height) * color.rowStride
    color.samples.withUnsafeBufferPointer { samples in
      for x in 0..<size.width {
        let sample = samples[row + (2 * x + 1) * color.width / (2 * size.width)]
        pixels[x].color =
          UInt32(sample.red) | UInt32(sample.green) << 8 | UInt32(sample.blue) << 16 | 1 << 24
      }
    }
  }
}
