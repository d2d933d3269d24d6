import Foundation
import PlumblineImages
import PlumblineModel

/// An image beside the truth, and eight times their difference about gray, as PNG.
struct ErrorImage {
  private let image: Raster<RGB8>
  private let truth: Raster<RGB8>

  init(_ image: Raster<RGB8>, _ truth: Raster<RGB8>) {
    self.image = image
    self.truth = truth
  }

  /// Writes three files, named after a setting.
  func write(to folder: String, name: String) throws {
    let url = URL(filePath: folder, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    func code(_ a: UInt8, _ b: UInt8) -> UInt8 {
      UInt8(min(max(128 + 8 * (Int(a) - Int(b)), 0), 255))
    }
    let error = Raster<RGB8>(size: truth.size) { x, y in
      let (a, b) = (image[x, y], truth[x, y])
      return RGB8(
        red: code(a.red, b.red), green: code(a.green, b.green), blue: code(a.blue, b.blue))
    }
    for (part, raster) in [("blur", image), ("truth", truth), ("error", error)] {
      try Data(PNGEncoder().encoded(raster)).write(to: url.appending(path: "\(name)-\(part).png"))
    }
  }
}
