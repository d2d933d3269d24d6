import Foundation
import Plumbline

/// Rectifying an image: what `cv2.remap` and `cv2.initUndistortRectifyMap` do.
struct ImageWorkload {
  private let color: Raster<RGB8>
  private let gray: Raster<UInt8>
  private let camera: CameraCalibration
  private let plan: BilinearPlan

  /// Takes raw RGB bytes; the camera is the one that `peers/kernels.py` has.
  init(_ bytes: [UInt8], width: Int, height: Int) throws {
    let size = RasterSize(width: width, height: height)
    guard bytes.count == 3 * size.pixelCount else {
      throw Refusal.wrongLength(expected: 3 * size.pixelCount, found: bytes.count)
    }
    color = Raster(size: size) { x, y in
      let index = 3 * (y * width + x)
      return RGB8(red: bytes[index], green: bytes[index + 1], blue: bytes[index + 2])
    }
    gray = color.map(\.green)
    let intrinsics = PinholeIntrinsics(
      focalLength: SIMD2(0.93, 0.93) * Double(width),
      principalPoint: [Double(width) / 2 - 3.25, Double(height) / 2 + 1.5], size: size)
    camera = CameraCalibration(
      intrinsics: intrinsics,
      distortion: LensDistortion(radialPolynomial: [-0.2664, -0.0386, 0.2384], of: intrinsics))
    guard let map = PixelMap(.rectifying, camera) else { throw Refusal.missing("lens") }
    plan = BilinearPlan(map)
  }

  /// Calls one kernel and keeps its last result.
  func run(
    _ kernel: Kernel, count: Int, time: (Int, () -> Void) -> [Int]
  ) -> (times: [Int], result: Data) {
    switch kernel {
    case .rectifyGray:
      var samples = [UInt8](repeating: 0, count: gray.size.pixelCount)
      let times = time(count) { plan.resample(gray, into: &samples) }
      return (times, Data(samples))
    case .rectificationPlan:
      var fresh = plan
      let times = time(count) {
        if let map = PixelMap(.rectifying, camera) { fresh = BilinearPlan(map) }
      }
      return (times, Data(fresh.validity.samples))
    default:
      let black = RGB8(red: 0, green: 0, blue: 0)
      var samples = [RGB8](repeating: black, count: color.size.pixelCount)
      let times = time(count) { plan.resample(color, into: &samples) }
      return (times, samples.withUnsafeBytes { Data($0) })
    }
  }
}
