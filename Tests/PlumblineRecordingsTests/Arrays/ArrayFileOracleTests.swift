import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
/// TIFF and NPY files of tifffile, Pillow and numpy, value by value.
@Suite(
  "Array files against their Python writers",
  .enabled(
    if: PythonPeer.has("tifffile", "PIL", "numpy"),
    Comment(rawValue: PythonPeer.absence("tifffile, PIL, numpy"))))
struct ArrayFileOracleTests {
  struct File: Decodable {
    var file, type: String
    var width, height: Int
    var values: [Double]
  }

  @Test func everyValueIsTheirs() throws {
    let folder = try TemporaryFolder()
    let files = try JSONDecoder().decode(
      [File].self, from: Data(try PythonPeer.run("array_files.py", folder.path)))
    // 24 NPY files, 13 of Pillow and at least those TIFF files that need no codec but zlib.
    #expect(files.count >= 80, "\(files.count) files")
    for file in files {
      let bytes = [UInt8](
        try Data(contentsOf: URL(filePath: folder.path).appending(path: file.file)))
      let (type, values): (NumberType, NumericRaster)
      do throws(CaptureReadingError) {
        if TIFFImage.recognizes(bytes) {
          let image = try TIFFImage(bytes[...])
          (type, values) = (image.numberType, image.values)
        } else {
          let array = try NPYArray(bytes[...])
          (type, values) = (array.numberType, array.values)
        }
      } catch {
        Issue.record("\(file.file): \(error)")
        continue
      }
      #expect(type.rawValue == file.type, "\(file.file)")
      #expect(values.size == RasterSize(width: file.width, height: file.height), "\(file.file)")
      // Doubles hold all of these types exactly.
      #expect(Self.doubles(values) == file.values, "\(file.file)")
    }
  }

  private static func doubles(_ values: NumericRaster) -> [Double] {
    switch values {
    case .uint8(let raster): raster.samples.map { Double($0) }
    case .uint16(let raster): raster.samples.map { Double($0) }
    case .uint32(let raster): raster.samples.map { Double($0) }
    case .float32(let raster): raster.samples.map { Double($0) }
    case .float64(let raster): raster.samples
    }
  }
}
