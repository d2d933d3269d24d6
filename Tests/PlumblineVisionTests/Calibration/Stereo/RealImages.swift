import PlumblineImages
import PlumblineModel
import PlumblineStreams
import PlumblineTestSupport

/// Photographs of the data that lies beside some checkouts.
enum RealImages {
  /// The gray levels of a JPEG file.
  static func gray(_ path: String) throws -> Raster<UInt8> {
    let bytes = try RealData.bytes(path)
    return try JPEGFile(bytes[...]).primary.color().raster.luma
  }
}
