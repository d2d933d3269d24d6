import Foundation
import PlumblineModel
package import PlumblineSimulation

/// Small photos: bundled ones, and ones made when needed.
package enum SampleCapture {
  /// The bundled capture that can be measured.
  package static let healthy = bundled(DemoCapture.healthy)
  /// The bundled capture whose calibration contradicts itself.
  package static let untrusted = bundled(DemoCapture.untrusted)

  private static func bundled(_ capture: DemoCapture) -> String {
    PackageRoot.url.appending(path: "Fixtures/demo/\(capture.fileName)").path
  }

  /// A slanted plane of 64 × 48 codes with a calibration, whose Exif says what the caller wants.
  package static func small(
    isRelative: Bool = false, exif: PhotoExif = PhotoExif()
  ) throws -> [UInt8] {
    let size = RasterSize(width: 64, height: 48)
    let codes = (0..<size.pixelCount).map { (index: Int) -> UInt8 in
      UInt8(index % 64 * 2 + index / 64)
    }
    var depth = ApplePhoto.DepthImage(
      codes: Raster(size: size, samples: codes),
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: 255, minimumValue: 1.5, maximumValue: 4.5))
    depth.accuracy = isRelative ? .relative : .absolute
    depth.calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [600, 600], principalPoint: [319.5, 239.5],
        size: RasterSize(width: 640, height: 480)))
    let gray = [RGB8](repeating: RGB8(red: 90, green: 90, blue: 90), count: size.pixelCount)
    var photo = ApplePhoto(color: Raster(size: size, samples: gray), exif: exif)
    photo.depth = depth
    return try ApplePhotoWriter().bytes(of: photo)
  }

  /// A gray photo without depth.
  package static func colorOnly() throws -> [UInt8] {
    let size = RasterSize(width: 64, height: 48)
    let gray = [RGB8](repeating: RGB8(red: 90, green: 90, blue: 90), count: size.pixelCount)
    return try ApplePhotoWriter().bytes(of: ApplePhoto(color: Raster(size: size, samples: gray)))
  }
}
