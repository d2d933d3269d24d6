public import PlumblineIO
public import PlumblineModel

/// The frame header of a JPEG image: how it is coded, how deep and how large it is.
///
/// Source: ITU-T T.81 §B.2.2.
public struct JPEGFrame: Sendable, Hashable {
  /// One component of the frame, such as luma.
  public struct Component: Sendable, Hashable {
    /// The name by which scans refer to the component.
    public var identifier: UInt8
    /// Samples per unit horizontally, 1 to 4.
    public var horizontalSampling: Int
    /// Samples per unit vertically, 1 to 4.
    public var verticalSampling: Int
  }

  /// The marker that started the frame, which names the coding process.
  public var marker: JPEGMarker
  /// Bits per sample.
  public var precision: Int
  /// Columns and rows, both above 0.
  public var size: RasterSize
  /// The components, 1 or more.
  public var components: [Component]

  /// Whether samples are predicted instead of transformed (Huffman-coded, SOF3).
  public var isLossless: Bool { marker.rawValue == 0xC3 }
  /// Whether the coefficients come in several passes.
  public var isProgressive: Bool { marker.rawValue == 0xC2 || marker.rawValue == 0xCA }

  /// Reads the data of a frame segment; the size is not yet held against any limit.
  ///
  /// - Throws: `.malformed` for an empty image, a component count that its length contradicts or
  ///   a sampling factor outside 1…4.
  public init(marker: JPEGMarker, payload: ArraySlice<UInt8>) throws(CaptureReadingError) {
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
