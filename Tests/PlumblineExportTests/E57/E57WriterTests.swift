import Foundation
import PlumblineGeometry
import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineExport

@Suite struct E57WriterTests {
  static func bytes(_ cloud: PointCloud, statements: [String] = []) throws -> [UInt8] {
    try PointCloudWriterTests.bytes(cloud, .e57, statements: statements)
  }

  /// The streams that the file must have.
  static func streams(_ cloud: PointCloud) -> [[UInt8]] {
    var streams = [
      rawBytes(cloud.positions.map(\.x)), rawBytes(cloud.positions.map(\.y)),
      rawBytes(cloud.positions.map(\.z)),
    ]
    if let colors = cloud.colors {
      streams += [colors.map(\.red), colors.map(\.green), colors.map(\.blue)]
    }
    if let sigmas = cloud.sigmaMeters { streams.append(rawBytes(sigmas)) }
    return streams
  }

  // 3448 is what one packet holds with all fields, 5460 without color and σ.
  @Test(
    arguments: [0, 1, 2, 339, 3448, 3449, 5460, 5461, 20_000],
    [(true, true), (true, false), (false, true), (false, false)])
  func aPlainReaderFindsEveryPoint(count: Int, parts: (isColored: Bool, hasSigma: Bool)) throws {
    let cloud = PLYWriterTests.cloud(
      count: count, isColored: parts.isColored, hasSigma: parts.hasSigma)
    let file = try E57File(try Self.bytes(cloud))
    let streams = Self.streams(cloud)
    for packet in file.packets { try #require(packet.streams.count == streams.count) }
    for (index, stream) in streams.enumerated() {
      #expect(file.stream(index) == stream, "stream \(index)")
    }
    #expect(file.xml.contains("recordCount=\"\(count)\""))
    #expect(file.xml.contains("<colorRed ") == parts.isColored)
    #expect(file.xml.contains("<plumb:sigma ") == parts.hasSigma)
    #expect(file.xml.contains("xmlns:plumb=") == parts.hasSigma)
    // The index names the packets, each with its first point.
    var point = 0
    let expected = file.packets.map { packet in
      defer { point += packet.streams[0].count / 4 }
      return [point, packet.offset]
    }
    #expect(file.entries.map { [$0.point, $0.offset] } == (count == 0 ? [] : expected))
    // All packets but the last are as full as they can be: one more point does not fit.
    let pointLength = 12 + (parts.isColored ? 3 : 0) + (parts.hasSigma ? 4 : 0)
    for packet in file.packets.dropLast() {
      #expect(packet.length <= 65_536 && packet.length > 65_536 - pointLength)
    }
  }

  @Test(arguments: [2, 3, 4, 7, 13])
  func aLargeIndexIsATree(maximumEntries: Int) throws {
    let cloud = PLYWriterTests.cloud(count: 3448 * 12 + 5, isColored: true, hasSigma: true)
    var section = E57Section(cloud: cloud, start: 48)
    section.maximumEntries = maximumEntries
    let (header, index, length) = section.headerAndIndex()
    let packets = (0..<section.packetCount).map { section.packet($0) }
    #expect(packets.count == 13 && packets.allSatisfy { $0.count % 4 == 0 })
    #expect(length == header.count + packets.reduce(0) { $0 + $1.count } + index.count)
    // Leaves first, so the root is the last packet.
    var leaves = 0
    var offset = 0
    var levels: [UInt8] = []
    while offset < index.count {
      let count = Int(index[offset + 4]) | Int(index[offset + 5]) << 8
      #expect(count <= maximumEntries)
      levels.append(index[offset + 6])
      if index[offset + 6] == 0 { leaves += count }
      offset += 16 + 16 * count
    }
    #expect(leaves == 13 && offset == index.count && levels == levels.sorted())
    #expect(levels.filter { $0 == levels.last }.count == 1)
  }

  @Test func equalCloudsHaveEqualBytesAndOthersOtherIdentifiers() throws {
    var cloud = PLYWriterTests.cloud(count: 5000, isColored: true, hasSigma: true)
    let bytes = try Self.bytes(cloud)
    #expect(try Self.bytes(cloud) == bytes)
    func identifiers(_ bytes: [UInt8]) throws -> [String] {
      let file = try E57File(bytes)
      let scan = try #require(file.xml.firstRange(of: "<vectorChild"))
      let parts = [file.xml[..<scan.lowerBound], file.xml[scan.lowerBound...]]
      return try parts.map { part in
        let start = try #require(part.firstRange(of: #"<guid type="String">"#))
        let found = String(part[start.upperBound...].prefix { $0 != "<" })
        let form = /\{\w{8}-\w{4}-8\w{3}-[89ab]\w{3}-\w{12}\}/
        #expect(found.wholeMatch(of: form) != nil, "\(found)")
        return found
      }
    }
    var all = Set(try identifiers(bytes))
    #expect(all.count == 2)
    // The last point, a color and a statement each make another content.
    cloud.positions[4999].z.negate()
    all.formUnion(try identifiers(try Self.bytes(cloud)))
    cloud.colors?[0].red ^= 1
    all.formUnion(try identifiers(try Self.bytes(cloud)))
    all.formUnion(try identifiers(try Self.bytes(cloud, statements: ["thinned"])))
    #expect(all.count == 8)
  }

  @Test func textCannotEndAnElement() throws {
    let cloud = PLYWriterTests.cloud(count: 2, isColored: false, hasSigma: true)
    let file = try E57File(try Self.bytes(cloud, statements: ["a<b>&\"]]>\n</e57Root>"]))
    #expect(file.xml.contains("a&lt;b&gt;&amp;&quot;]]&gt;?&lt;/e57Root&gt;"))
    let description = try #require(file.text("description"))
    // One statement a line, as a number that every parser turns into a line end.
    #expect(description.contains("&#10;unit meter&#10;frame camera: x right, y down, z forward"))
    #expect(description.contains("z forward&#10;sigma is one standard deviation of z"))
  }

  @Test func aRelativeCloudSaysSoInItsName() throws {
    var cloud = PLYWriterTests.cloud(count: 2, isColored: false, hasSigma: false)
    #expect(try E57File(try Self.bytes(cloud)).text("name") == "points")
    cloud.isMetric = false
    let file = try E57File(try Self.bytes(cloud))
    #expect(file.text("name") == "points in a relative unit, not in meters")
    #expect(file.text("description")?.contains("unit relative") == true)
  }

  @Test func anUnknownSigmaIsANumberThatTheFileNames() throws {
    var cloud = PLYWriterTests.cloud(count: 3, isColored: false, hasSigma: true)
    cloud.sigmaMeters = [0.5, .nan, .infinity]
    let file = try E57File(try Self.bytes(cloud))
    #expect(file.stream(3) == rawBytes([Float(0.5), -1, -1]))
    #expect(file.text("description")?.contains("-1.0 where it is not known") == true)
  }

  @Test func boundsAreThoseOfThePoints() throws {
    let cloud = PLYWriterTests.cloud(count: 500, isColored: true, hasSigma: false)
    let file = try E57File(try Self.bytes(cloud))
    for (name, values) in [
      ("x", cloud.positions.map(\.x)), ("y", cloud.positions.map(\.y)),
      ("z", cloud.positions.map(\.z)),
    ] {
      let low = file.text("\(name)Minimum").flatMap { Double($0) }
      let high = file.text("\(name)Maximum").flatMap { Double($0) }
      #expect(low == values.min().map { Double($0) } && high == values.max().map { Double($0) })
    }
    let empty = PLYWriterTests.cloud(count: 0, isColored: true, hasSigma: false)
    #expect(try !E57File(try Self.bytes(empty)).xml.contains("cartesianBounds"))
  }

  @Test func pagesAreTheSameInAnyPieces() {
    var random = SeededGenerator(seed: 57)
    let content = (0..<9000).map { _ in UInt8(random.integer(below: 256)) }
    var whole = E57Pages()
    whole.append(content)
    whole.end()
    let expected = whole.takeWholePages()
    #expect(expected.count == E57Pages.fileLength(ofContent: 9000) && expected.count == 9 * 1024)
    for _ in 0..<30 {
      var pages = E57Pages()
      var found: [UInt8] = []
      var first = 0
      while first < content.count {
        let next = min(content.count, first + random.integer(below: 2500))
        pages.append(Array(content[first..<next]))
        if random.integer(below: 2) == 0 { found += pages.takeWholePages() }
        first = next
      }
      pages.end()
      #expect(found + pages.takeWholePages() == expected)
    }
    for offset in 0..<content.count {
      #expect(expected[E57Pages.physicalOffset(ofLogical: offset)] == content[offset])
    }
  }

  @Test(
    .enabled(if: PythonPeer.has("pye57"), "\(PythonPeer.absence("pye57"))"),
    arguments: [0, 1, 70_000], [true, false])
  func libE57ReadsEveryValue(count: Int, hasAll: Bool) throws {
    let cloud = PLYWriterTests.cloud(count: count, isColored: hasAll, hasSigma: hasAll)
    let answer = try ExportOracle("pye57", try Self.bytes(cloud), name: "c.e57")
    #expect(answer.values == PLYWriterTests.values(cloud))
    #expect(answer.about.contains("\"shape\": [\(count)]"))
    #expect(answer.about.contains(#""description": "made by plumbline 0.1.0\nsource sha256 abc\n"#))
    #expect(answer.about.contains(E57Document.sigmaNamespace) == hasAll)
  }

  @Test(
    .enabled(if: PythonPeer.has("e57"), "\(PythonPeer.absence("e57"))"),
    arguments: [0, 1, 70_000], [true, false])
  func aSecondReaderReadsPositionsAndColors(count: Int, isColored: Bool) throws {
    // It has no field for σ, and must read past it.
    let cloud = PLYWriterTests.cloud(count: count, isColored: isColored, hasSigma: true)
    let answer = try ExportOracle("e57", try Self.bytes(cloud), name: "c.e57")
    #expect(answer.values == rawBytes(cloud.positions) + rawBytes(cloud.colors ?? []))
  }
}
