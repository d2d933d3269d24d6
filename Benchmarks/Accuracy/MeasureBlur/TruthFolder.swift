import Foundation
import PlumblineModel
import PlumblineSimulation

/// A folder of ray-traced images, raw RGB, each made once.
///
/// Names hold all that an image depends on but the code that traces it: after a change there, start
/// with an empty folder.
struct TruthFolder {
  let url: URL
  let side: Int
  let threads: Int

  init(path: String, side: Int, threads: Int) throws {
    url = URL(filePath: path, directoryHint: .isDirectory)
    self.side = side
    self.threads = threads
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// What the lens of a setting sees.
  func blurred(_ setting: BlurSetting, rays: Int, seed: UInt64 = 1) throws -> Raster<RGB8> {
    let lens = ThinLensCamera(
      setting.camera(side: side), apertureMeters: setting.apertureMeters,
      focusMeters: setting.focusMeters, samples: rays)
    return try image("\(setting.name)-f\(setting.fNumber)-\(rays)-\(seed)", lens, setting, seed)
  }

  /// What a pinhole sees, pixels being means over their area.
  func sharp(_ setting: BlurSetting, rays: Int) throws -> Raster<RGB8> {
    let lens = ThinLensCamera(
      setting.camera(side: side), apertureMeters: 0, focusMeters: 1, samples: rays)
    return try image("\(setting.sceneName)-sharp-\(rays)", lens, setting, 7)
  }

  private func image(
    _ name: String, _ lens: ThinLensCamera, _ setting: BlurSetting, _ seed: UInt64
  ) throws -> Raster<RGB8> {
    let size = lens.camera.size
    let file = url.appending(path: "\(name)-\(size.width)x\(size.height).rgb")
    if let data = try? Data(contentsOf: file), data.count == 3 * size.pixelCount {
      let bytes = [UInt8](data)
      return Raster(
        size: size,
        samples: stride(from: 0, to: bytes.count, by: 3).map {
          RGB8(red: bytes[$0], green: bytes[$0 + 1], blue: bytes[$0 + 2])
        })
    }
    let image = lens.image(of: setting.scene, seed: seed, threads: threads)
    try Data(image.samples.flatMap { [$0.red, $0.green, $0.blue] }).write(
      to: file, options: .atomic)
    return image
  }
}
