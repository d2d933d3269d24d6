import Foundation
import PlumblineModel
import PlumblineReconstruction

/// Frames as `peers/scan.py` writes them.
///
/// Four Int32 (frames, width, height, whether there is color), four Float64 (focal lengths, principal point); for each
/// frame sixteen Float64 (world from camera, row after row), Float64 seconds, Float32 depths in meters and ± in
/// meters, and three bytes a pixel with color.
enum FrameFile {
  /// Reads all frames of a file.
  static func read(path: String) throws -> [ScanFrame] {
    var reader = FrameReader(try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe))
    let head = try reader.values(4, of: Int32.self).map(Int.init)
    let camera = try reader.values(4, of: Double.self)
    let size = RasterSize(width: head[1], height: head[2])
    return try (0..<head[0]).map { _ in
      let pose = try reader.values(16, of: Double.self)
      let seconds = try reader.values(1, of: Double.self)
      let depth = try reader.values(size.pixelCount, of: Float.self)
      let noise = try reader.values(size.pixelCount, of: Float.self)
      let color = head[3] == 0 ? [] : try reader.values(size.pixelCount, of: RGB8.self)
      return ScanFrame(
        depth: DepthMap(meters: Raster(size: size, samples: depth)),
        noiseMeters: Raster(size: size, samples: noise), shared: SigmaCurve(perMeter: 0.004),
        camera: PinholeIntrinsics(
          focalLength: [camera[0], camera[1]], principalPoint: [camera[2], camera[3]], size: size),
        color: color.isEmpty ? nil : Raster(size: size, samples: color),
        worldFromCamera: RigidTransform(rowMajor: Array(pose.prefix(12))),
        timestampSeconds: seconds[0])
    }
  }
}

private struct FrameReader {
  private let data: Data
  private var place = 0

  /// The file ends too soon.
  struct Truncated: Error {}

  init(_ data: Data) { self.data = data }

  mutating func values<Value: BitwiseCopyable>(_ count: Int, of: Value.Type) throws -> [Value] {
    let bytes = count * MemoryLayout<Value>.stride
    guard count >= 0, place + bytes <= data.count else { throw Truncated() }
    defer { place += bytes }
    return [Value](unsafeUninitializedCapacity: count) { buffer, filled in
      data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer), from: place..<place + bytes)
      filled = count
    }
  }
}
