import PlumblineIO
import PlumblineModel

/// Where an Exif block says how the image is turned.
struct ExifOrientationEntry {
  /// The index of the value's first byte, of two.
  let place: Int
  private let isBigEndian: Bool

  /// Finds the entry in the first directory; `nil` without one, or for another type than a short.
  ///
  /// - Source: TIFF 6.0 §2; tag 0x0112.
  init?(_ block: ArraySlice<UInt8>) {
    var reader = ByteReader(block)
    guard let mark = try? reader.readUInt16(), mark == 0x4D4D || mark == 0x4949 else { return nil }
    isBigEndian = mark == 0x4D4D
    reader.endianness = isBigEndian ? .big : .little
    guard (try? reader.readUInt16()) == 42, let offset = try? reader.readUInt32(),
      (try? reader.seek(to: block.startIndex + Int(offset))) != nil,
      let count = try? reader.readUInt16()
    else { return nil }
    for _ in 0..<count {
      let start = reader.offset
      guard let tag = try? reader.readUInt16(), let type = try? reader.readUInt16(),
        (try? reader.skip(8)) != nil
      else { return nil }
      if tag == 0x0112 {
        guard type == 3 else { return nil }
        place = start + 8
        return
      }
    }
    return nil
  }

  /// The two bytes of another orientation.
  func bytes(_ orientation: ImageOrientation) -> [UInt8] {
    let value = UInt8(orientation.rawValue)
    return isBigEndian ? [0, value] : [value, 0]
  }
}
