import PlumblineImages
import PlumblineIO

/// The codec of a video's images, and the parameter sets for a decoder.
struct VideoCodec: Sendable, Hashable {
  /// The supported codecs.
  enum Kind: String, Sendable { case h264, hevc }

  let kind: Kind
  /// The size in bytes of a unit's length field: 1, 2 or 4.
  let lengthFieldBytes: Int
  /// The parameter sets, each after a start code.
  let parameterSets: [UInt8]

  static let startCode: [UInt8] = [0, 0, 0, 1]

  /// Reads the boxes after a visual sample entry.
  ///
  /// `avc3` and `hev1` may have their parameter sets in the images.
  init(
    entry type: String, _ reader: inout ByteReader, _ limits: ReadingLimits
  ) throws(CaptureReadingError) {
    let wanted: String
    switch type {
    case "avc1", "avc3": (kind, wanted) = (.h264, "avcC")
    case "hvc1", "hev1": (kind, wanted) = (.hevc, "hvcC")
    default:
      throw CaptureReadingError(
        .unsupported, path: reader.path, offset: reader.offset,
        expected: "H.264 (avc1) or HEVC (hvc1)", found: "\(type)")
    }
    // QuickTime ends the list with four zero bytes.
    var box: ISOBox?
    while reader.remaining >= 8, box == nil {
      let next = try reader.readBox()
      if next.type == wanted { box = next }
    }
    guard let box else {
      throw CaptureReadingError(
        .missing, path: reader.path, expected: "a box of type \(wanted)", found: "none")
    }
    var inside = box.reader(in: reader.path)
    if kind == .hevc {
      let configuration = try HEVCConfiguration.read(&inside)
      lengthFieldBytes = configuration.lengthFieldBytes
      parameterSets = configuration.units.flatMap { Self.startCode + $0 }
    } else {
      (lengthFieldBytes, parameterSets) = try Self.readAVC(&inside)
    }
  }

  /// Reads the payload of `avcC` (ISO/IEC 14496-15 §5.3.3.1).
  private static func readAVC(
    _ reader: inout ByteReader
  ) throws(CaptureReadingError) -> (Int, [UInt8]) {
    let version = try reader.readUInt8("a configuration version")
    guard version == 1 else {
      throw reader.malformed(expected: "configuration version 1", found: "\(version)")
    }
    try reader.skip(3, as: "profile and level")
    let width = Int(try reader.readUInt8("a length size") & 3) + 1
    guard width != 3 else {
      throw reader.malformed(expected: "length fields of 1, 2 or 4 bytes", found: "3")
    }
    var sets: [UInt8] = []
    for mask in [UInt8(0x1F), 0xFF] {
      for _ in 0..<(try reader.readUInt8("a number of parameter sets") & mask) {
        let length = Int(try reader.readUInt16("a length"))
        sets += startCode
        sets += try reader.readBytes(length, as: "a parameter set")
      }
    }
    return (width, sets)
  }

  /// A sample's units with start codes instead of length fields (Annex B of both standards).
  ///
  /// - Throws: `.malformed` when a unit runs past the sample. O(*n*).
  func annexB(_ sample: [UInt8], offset: Int) throws(CaptureReadingError) -> [UInt8] {
    var stream: [UInt8] = []
    stream.reserveCapacity(sample.count + 16)
    var place = 0
    while place < sample.count {
      var length = 0
      guard sample.count - place >= lengthFieldBytes else {
        throw damaged(offset + place, "\(sample.count - place) bytes left")
      }
      for byte in sample[place..<place + lengthFieldBytes] { length = length << 8 | Int(byte) }
      place += lengthFieldBytes
      guard length <= sample.count - place else {
        throw damaged(offset + place, "a length of \(length), \(sample.count - place) bytes left")
      }
      stream += Self.startCode
      stream += sample[place..<place + length]
      place += length
    }
    return stream
  }

  private func damaged(_ offset: Int, _ found: String) -> CaptureReadingError {
    CaptureReadingError(
      .malformed, path: ["mdat"], offset: offset, expected: "a whole unit of \(kind.rawValue)",
      found: found)
  }
}
