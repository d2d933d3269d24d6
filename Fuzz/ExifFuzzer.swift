import PlumblineImages
/// Reads a TIFF block as Exif, as a HEIF item and as a multi-picture index.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzExif(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  _ = try? ExifMetadata(tiff: bytes[...])
  _ = try? ExifMetadata(heifItem: bytes[...])
  _ = try? MultiPictureIndex(bytes[...])
  return 0
}
