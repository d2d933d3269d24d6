package import PlumblineIO
package import PlumblineModel

/// The second byte of a JPEG marker (ITU-T T.81 table B.1).
package struct JPEGMarker: RawRepresentable, Sendable, Hashable {
  /// The byte after 0xFF.
  package var rawValue: UInt8

  /// Creates the marker for any byte after 0xFF.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Define Huffman tables.
  package static let defineHuffmanTables = Self(rawValue: 0xC4)
  /// Define arithmetic coding conditioning.
  package static let defineArithmeticConditioning = Self(rawValue: 0xCC)
  /// Reserved for extensions by T.81, in the code range of the frame headers.
  package static let jpegExtension = Self(rawValue: 0xC8)
  /// Start of image.
  package static let startOfImage = Self(rawValue: 0xD8)
  /// End of image.
  package static let endOfImage = Self(rawValue: 0xD9)
  /// Start of scan.
  package static let startOfScan = Self(rawValue: 0xDA)
  /// Define quantization tables.
  package static let defineQuantizationTables = Self(rawValue: 0xDB)
  /// Define the restart interval.
  package static let defineRestartInterval = Self(rawValue: 0xDD)

  /// The marker of application data `number`, 0 to 15.
  package static func application(_ number: Int) -> Self {
    precondition((0...15).contains(number), "no application segment \(number)")
    return Self(rawValue: 0xE0 + UInt8(number))
  }

  /// Whether a frame header follows (SOF0 to SOF15 without DHT, JPG and DAC).
  package var startsFrame: Bool {
    (0xC0...0xCF).contains(rawValue) && self != .defineHuffmanTables && self != .jpegExtension
      && self != .defineArithmeticConditioning
  }

  /// Whether this is one of the eight restart markers.
  package var isRestart: Bool { (0xD0...0xD7).contains(rawValue) }

  /// Whether no length follows: the temporary marker, restarts, start and end of image.
  package var standsAlone: Bool {
    rawValue == 0x01 || isRestart || self == .startOfImage || self == .endOfImage
  }
}

extension JPEGMarker: CustomStringConvertible {
  /// The marker as `FFxx`.
  package var description: String {
    Hexadecimal.uppercase([0xFF, rawValue])
  }
}

/// One marker segment: its kind and the position of its data.
package struct JPEGSegment: Sendable, Hashable {
  /// The kind of segment.
  package var marker: JPEGMarker
  /// The file offsets of the data, without marker and length.
  package var payload: Range<Int>
}

/// An encoded JPEG split in two, so that segments can be inserted between its start and its tables.
package struct JPEGSegments {
  /// The start marker, and the JFIF segment if there is one.
  package var start: [UInt8]
  /// Everything after, to the end marker.
  package var rest: [UInt8]

  /// Splits a JPEG that begins with a start marker.
  package init(_ bytes: [UInt8]) {
    var cut = 2
    if bytes.count > 6, bytes[2] == 0xFF, bytes[3] == 0xE0 {
      cut = 4 + Int(bytes[4]) << 8 + Int(bytes[5])
    }
    start = Array(bytes[..<cut])
    rest = Array(bytes[cut...])
  }

  /// The maximum payload of one segment in bytes: the length field counts itself.
  package static let maximumPayload = 65_533

  /// One segment: marker, length, payload.
  ///
  /// - Precondition: The payload fits the 16-bit length.
  package static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    precondition(payload.count <= maximumPayload, "a segment cannot hold \(payload.count) bytes")
    return [0xFF, marker] + bigEndian(UInt16(payload.count + 2)) + payload
  }
}

/// The frame header of a JPEG image: its coding process, bit depth and size.
///
/// Source: ITU-T T.81 §B.2.2.
package struct JPEGFrame: Sendable, Hashable {
  /// One component of the frame, such as luma.
  package struct Component: Sendable, Hashable {
    /// The identifier by which scans refer to the component.
    package var identifier: UInt8
    /// Samples per unit horizontally, 1 to 4.
    package var horizontalSampling: Int
    /// Samples per unit vertically, 1 to 4.
    package var verticalSampling: Int
  }

  /// The marker of the frame header, which identifies the coding process.
  package var marker: JPEGMarker
  /// Bits per sample.
  package var precision: Int
  /// Columns and rows, both above 0.
  package var size: RasterSize
  /// The components, 1 or more.
  package var components: [Component]

  /// Whether samples are predicted instead of transformed (Huffman-coded, SOF3).
  package var isLossless: Bool { marker.rawValue == 0xC3 }
  /// Whether the coefficients are coded in several passes.
  package var isProgressive: Bool { marker.rawValue == 0xC2 || marker.rawValue == 0xCA }

  /// Reads the data of a frame header; the size is not yet checked against a limit.
  ///
  /// - Throws: `.malformed` for an empty image, for a component count that contradicts the length,
  ///   or for a sampling factor outside 1…4.
  package init(marker: JPEGMarker, payload: ArraySlice<UInt8>) throws(CaptureReadingError) {
    var reader = ByteReader(payload, path: ["\(marker)"])
    precision = Int(try reader.readUInt8("the sample precision"))
    let height = Int(try reader.readUInt16("the height"))
    let width = Int(try reader.readUInt16("the width"))
    guard width > 0, height > 0, (2...16).contains(precision) else {
      throw reader.malformed(
        expected: "a size above 0 and 2 to 16 bits", found: "\(width)×\(height), \(precision) bits")
    }
    let count = Int(try reader.readUInt8("the number of components"))
    guard count > 0, reader.remaining == 3 * count else {
      throw reader.malformed(
        expected: "3 bytes for each of \(count) components", found: "\(reader.remaining) bytes")
    }
    self.marker = marker
    size = RasterSize(width: width, height: height)
    components = []
    for _ in 0..<count {
      let identifier = try reader.readUInt8()
      let sampling = try reader.readUInt8()
      try reader.skip(1)
      let horizontal = Int(sampling >> 4)
      let vertical = Int(sampling & 15)
      guard (1...4).contains(horizontal), (1...4).contains(vertical) else {
        throw reader.malformed(
          expected: "sampling factors from 1 to 4", found: "\(horizontal)×\(vertical)")
      }
      components.append(
        Component(
          identifier: identifier, horizontalSampling: horizontal, verticalSampling: vertical))
    }
  }
}
