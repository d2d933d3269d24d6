import PlumblineGeometry
import PlumblineIO

/// Writes a point cloud as E57, the exchange format of laser scanners.
///
/// One scan with `cartesianX`, `cartesianY`, `cartesianZ` as floats; with color `colorRed`,
/// `colorGreen`, `colorBlue` from 0 to 255; with uncertainty `plumb:sigma` as a float. The parts are, in
/// order, the header, the points, an index of them, and the XML section that describes them. See
/// `Documentation/formats/e57.md`.
/// - Source: ASTM E2807-11, *Standard Specification for 3D Imaging Data Exchange, Version 1.0*.
struct E57Writer: Sendable {
  /// The bytes of the file's header.
  private static let headerLength = 48
  /// The bytes of pages that are given at once.
  private static let pieceLength = 1 << 20

  let statements: PointCloudStatements

  /// Gives the file piece by piece, each about 1 MiB; O(*n*).
  func forEachPiece(
    _ body: (_ bytes: [UInt8]) throws(OutputError) -> Void
  ) throws(OutputError) {
    let cloud = statements.cloud
    let section = E57Section(cloud: cloud, start: Self.headerLength)
    let (sectionHeader, index, sectionLength) = section.headerAndIndex()
    let document = E57Document(
      statements: statements,
      pointsOffset: E57Pages.physicalOffset(ofLogical: Self.headerLength),
      bounds: cloud.count > 0 ? ViewerAxes.bounds(cloud.positions) : nil)
    let draft = document.bytes(.placeholder)
    var pages = E57Pages()
    pages.append(header(documentAt: Self.headerLength + sectionLength, length: draft.count))
    pages.append(sectionHeader)
    // A digest of the digest so far and the next packet: nothing has to be held or read again.
    var digest = SHA256Digest.bytes(of: draft)
    for number in 0..<section.packetCount {
      let packet = section.packet(number)
      digest = SHA256Digest.bytes(of: digest + packet)
      pages.append(packet)
      if pages.wholeCount >= Self.pieceLength { try body(pages.takeWholePages()) }
    }
    pages.append(index)
    pages.append(document.bytes(E57Identifiers(digest: digest)))
    pages.end()
    try body(pages.takeWholePages())
  }

  /// The header of the file, which says where the XML section is.
  private func header(documentAt start: Int, length: Int) -> [UInt8] {
    var bytes = Array("ASTM-E57".utf8)
    bytes.appendLittleEndian(UInt32(1))
    bytes.appendLittleEndian(UInt32(0))
    let numbers = [
      E57Pages.fileLength(ofContent: start + length), E57Pages.physicalOffset(ofLogical: start),
      length, E57Pages.size,
    ]
    for number in numbers { bytes.appendLittleEndian(UInt64(number)) }
    return bytes
  }
}
