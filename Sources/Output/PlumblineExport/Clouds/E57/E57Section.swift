import PlumblineGeometry
import PlumblineIO
import PlumblineModel

/// The points of an E57 file as a binary section: a header, packets of points, and an index of them.
///
/// Every packet holds the same number of points, the last one the rest, as a stream of bytes for each
/// field. All fields of a point are in the same packet, so each packet is a chunk of the index.
/// - Source: ASTM E2807-11; the limits of packets and of the index as libE57Format, `Packet.cpp`,
///   verifies them.
struct E57Section: Sendable {
  /// The most bytes of a packet, whose length less one has 16 bits.
  static let maximumPacketLength = 1 << 16
  /// The bytes of the section's header.
  static let headerLength = 32

  let cloud: PointCloud
  /// The logical offset of the section.
  let start: Int
  /// The most entries of a packet of the index.
  var maximumEntries = 2048

  /// The number of streams: a coordinate, a color's channel or σ each.
  private var streamCount: Int {
    3 + (cloud.colors == nil ? 0 : 3) + (cloud.sigmaMeters == nil ? 0 : 1)
  }

  /// The bytes of one point over all streams.
  private var pointLength: Int {
    12 + (cloud.colors == nil ? 0 : 3) + (cloud.sigmaMeters == nil ? 0 : 4)
  }

  /// The bytes of a packet before its streams.
  private var packetHeaderLength: Int { 6 + 2 * streamCount }

  /// The points of every packet but the last.
  var pointsPerPacket: Int { (Self.maximumPacketLength - packetHeaderLength) / pointLength }

  /// The number of packets; one without points where there are none, since readers ask for one.
  var packetCount: Int { max(1, (cloud.count + pointsPerPacket - 1) / pointsPerPacket) }

  /// The points of a packet.
  func points(ofPacket index: Int) -> Range<Int> {
    index * pointsPerPacket..<min(cloud.count, (index + 1) * pointsPerPacket)
  }

  /// The bytes of all packets of points.
  private var packetsLength: Int {
    (packetCount - 1) * packetLength(pointCount: pointsPerPacket)
      + packetLength(pointCount: points(ofPacket: packetCount - 1).count)
  }

  /// The length of a packet in bytes, a multiple of four.
  private func packetLength(pointCount: Int) -> Int {
    (packetHeaderLength + pointCount * pointLength + 3) / 4 * 4
  }

  /// The section's header, and the index that follows the packets of points.
  ///
  /// Cost: O(number of packets).
  func headerAndIndex() -> (header: [UInt8], index: [UInt8], length: Int) {
    let data = start + Self.headerLength
    let (index, root) = index(at: data + packetsLength)
    let length = Self.headerLength + packetsLength + index.count
    var header: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
    for number in [length, E57Pages.physicalOffset(ofLogical: data), root] {
      header.appendLittleEndian(UInt64(number))
    }
    return (header, index, length)
  }

  /// A tree of index packets, leaves first, and the physical offset of its root.
  ///
  /// Entries are spread evenly, since a packet above the leaves must have two at least. Without points
  /// there is no index, and the offset is 0: an entry would name a point.
  private func index(at logicalStart: Int) -> (bytes: [UInt8], root: Int) {
    guard cloud.count > 0 else { return ([], 0) }
    let data = start + Self.headerLength
    let fullLength = packetLength(pointCount: pointsPerPacket)
    var entries = (0..<packetCount).map { packet in
      (
        point: packet * pointsPerPacket,
        offset: E57Pages.physicalOffset(ofLogical: data + packet * fullLength)
      )
    }
    var bytes: [UInt8] = []
    var level: UInt8 = 0
    repeat {
      let groupCount = (entries.count + maximumEntries - 1) / maximumEntries
      var parents: [(point: Int, offset: Int)] = []
      for group in 0..<groupCount {
        let part =
          entries[
            group * entries.count / groupCount..<(group + 1) * entries.count / groupCount]
        let offset = E57Pages.physicalOffset(ofLogical: logicalStart + bytes.count)
        parents.append((part.first?.point ?? 0, offset))
        bytes += [0, 0]
        bytes.appendLittleEndian(UInt16(16 + 16 * part.count - 1))
        bytes.appendLittleEndian(UInt16(part.count))
        bytes += [level] + Array(repeating: 0, count: 9)
        for entry in part {
          bytes.appendLittleEndian(UInt64(entry.point))
          bytes.appendLittleEndian(UInt64(entry.offset))
        }
      }
      entries = parents
      level += 1
    } while entries.count > 1
    return (bytes, entries.first?.offset ?? 0)
  }
}

extension E57Section {
  /// The bytes of a packet of points.
  func packet(_ index: Int) -> [UInt8] {
    let range = points(ofPacket: index)
    let length = packetLength(pointCount: range.count)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    bytes += [1, 0]
    bytes.appendLittleEndian(UInt16(length - 1))
    bytes.appendLittleEndian(UInt16(streamCount))
    let elementLengths =
      [4, 4, 4] + (cloud.colors == nil ? [] : [1, 1, 1]) + (cloud.sigmaMeters == nil ? [] : [4])
    for elementLength in elementLengths {
      bytes.appendLittleEndian(UInt16(range.count * elementLength))
    }
    appendStreams(of: range, to: &bytes)
    bytes += Array(repeating: 0, count: length - bytes.count)
    return bytes
  }

  private func appendStreams(of range: Range<Int>, to bytes: inout [UInt8]) {
    let positions = cloud.positions[range]
    append(positions, 4, to: &bytes) { $0.store($1.x, at: $2) }
    append(positions, 4, to: &bytes) { $0.store($1.y, at: $2) }
    append(positions, 4, to: &bytes) { $0.store($1.z, at: $2) }
    if let colors = cloud.colors?[range] {
      append(colors, 1, to: &bytes) { $0[$2] = $1.red }
      append(colors, 1, to: &bytes) { $0[$2] = $1.green }
      append(colors, 1, to: &bytes) { $0[$2] = $1.blue }
    }
    if let sigmas = cloud.sigmaMeters?[range] {
      append(sigmas, 4, to: &bytes) { output, sigma, offset in
        output.store(sigma.isFinite ? sigma : GLBWriter.missingSigma, at: offset)
      }
    }
  }

  /// Appends a stream of one field, so many bytes for each point.
  @inline(__always)
  private func append<Element>(
    _ elements: ArraySlice<Element>, _ length: Int, to bytes: inout [UInt8],
    _ store: (UnsafeMutableRawBufferPointer, Element, Int) -> Void
  ) {
    bytes += [UInt8](unsafeUninitializedCapacity: elements.count * length) { buffer, count in
      let output = UnsafeMutableRawBufferPointer(buffer)
      elements.withUnsafeBufferPointer { elements in
        for index in 0..<elements.count { store(output, elements[index], index &* length) }
      }
      count = elements.count * length
    }
  }
}
