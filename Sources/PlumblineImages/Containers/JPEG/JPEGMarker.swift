/// The second byte of a JPEG marker (ITU-T T.81 table B.1).
public struct JPEGMarker: RawRepresentable, Sendable, Hashable {
  /// The byte after 0xFF.
  public var rawValue: UInt8

  /// Names any byte after 0xFF.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Define Huffman tables.
  public static let defineHuffmanTables = Self(rawValue: 0xC4)
  /// Define arithmetic coding conditioning.
  public static let defineArithmeticConditioning = Self(rawValue: 0xCC)
  /// Reserved by T.81 for extensions, in the middle of the frame headers.
  public static let jpegExtension = Self(rawValue: 0xC8)
  /// Start of image.
  public static let startOfImage = Self(rawValue: 0xD8)
  /// End of image.
  public static let endOfImage = Self(rawValue: 0xD9)
  /// Start of scan.
  public static let startOfScan = Self(rawValue: 0xDA)
  /// Define quantization tables.
  public static let defineQuantizationTables = Self(rawValue: 0xDB)
  /// Define the restart interval.
  public static let defineRestartInterval = Self(rawValue: 0xDD)

  /// The marker of application data `number`, 0 to 15.
  public static func application(_ number: Int) -> Self {
    precondition((0...15).contains(number), "no application segment \(number)")
    return Self(rawValue: 0xE0 + UInt8(number))
  }

  /// Whether a frame header follows (SOF0 to SOF15 without DHT, JPG and DAC).
  public var startsFrame: Bool {
    (0xC0...0xCF).contains(rawValue) && self != .defineHuffmanTables && self != .jpegExtension
      && self != .defineArithmeticConditioning
  }

  /// Whether this is one of the eight restart markers.
  public var isRestart: Bool { (0xD0...0xD7).contains(rawValue) }

  /// Whether no length follows: the temporary marker, restarts, start and end of image.
  public var standsAlone: Bool {
    rawValue == 0x01 || isRestart || self == .startOfImage || self == .endOfImage
  }
}

extension JPEGMarker: CustomStringConvertible {
  /// The marker as `FFxx`.
  public var description: String {
    "FF" + (rawValue < 16 ? "0" : "") + String(rawValue, radix: 16, uppercase: true)
  }
}

/// One marker segment: its kind and where its data lie.
public struct JPEGSegment: Sendable, Hashable {
  /// The kind of segment.
  public var marker: JPEGMarker
  /// The file offsets of the data, without marker and length.
  public var payload: Range<Int>
}
