/// What a bag of ROS 1 is put together from.
///
/// - Source: wiki.ros.org/Bags/Format/2.0.
struct BagParts {
  /// A field of a record's header.
  struct Field: Hashable {
    var name: [UInt8]
    var value: [UInt8]

    init(_ name: String, _ value: [UInt8]) { (self.name, self.value) = (Array(name.utf8), value) }

    /// Splits what stands behind a field's length; `nil` without the sign between name and value.
    init?(_ bytes: [UInt8]) {
      guard let sign = bytes.firstIndex(of: 0x3D) else { return nil }
      (name, value) = (Array(bytes[..<sign]), Array(bytes[(sign + 1)...]))
    }
  }

  struct Record: Hashable {
    var fields: [Field]
    /// The data; for a chunk that is taken apart nothing.
    var data: [UInt8]
    /// The records of a chunk without compression.
    var inner: [Record]?
    /// The size that such a chunk states in place of its own; `nil` for the truth.
    var statedSize: [UInt8]?
  }

  /// How a recorder left the bag.
  enum Ending: CaseIterable {
    /// Closed, with its index.
    case index
    /// Without an index at the end.
    case withoutIndex
    /// Without an index, and the last chunk still open: it states no size, and its records follow it.
    case openChunk
  }

  static let magic = Array("#ROSBAG V2.0\n".utf8)

  /// The fields of the bag's header but for what it says of the index.
  var headerFields: [Field] = []
  /// Chunks, and records that stand between them.
  var records: [Record] = []
  /// The connections of the index, where compressed chunks may declare others than are seen here.
  private(set) var hiddenConnections: [Record] = []

  /// Takes a bag apart, up to the first record that is not whole; what indexes say is left out, since
  /// it is made again, but for that of compressed chunks.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.magic) else { return nil }
    var found = Self.records(of: bytes, from: Self.magic.count)[...]
    guard let header = found.first?.record, header.opcode == 3 else { return nil }
    found = found.dropFirst()
    let stated = header.value("index_pos")?.littleEndian(at: 0, width: 8) ?? 0
    let positions = ["index_pos", "conn_count", "chunk_count"].map { Array($0.utf8) }
    headerFields = header.fields.filter { !positions.contains($0.name) && $0.name != Self.opName }
    var isOpened = false
    for (place, record) in found where stated == 0 || place < stated {
      if record.opcode == 4, isOpened { continue }
      records.append(Self.opened(record))
      isOpened = records.last?.inner != nil
    }
    guard !records.isEmpty else { return nil }
    if records.contains(where: { $0.opcode == 5 && $0.inner == nil && !$0.data.isEmpty }) {
      hiddenConnections = found.map(\.record).filter { $0.opcode == 7 }
    }
  }

  private static let opName = Array("op".utf8)

  /// A chunk whose records lie open, where it has no compression and its records fill it.
  private static func opened(_ record: Record) -> Record {
    guard record.opcode == 5, record.value("compression") == Array("none".utf8),
      !record.data.isEmpty
    else { return record }
    let inner = records(of: record.data, from: 0).map(\.record)
    guard inner.flatMap(\.bytes) == record.data else { return record }
    return Record(fields: record.fields, data: [], inner: inner)
  }

  private static func records(of bytes: [UInt8], from start: Int) -> [(place: Int, record: Record)]
  {
    var records: [(Int, Record)] = []
    var place = start
    while records.count < 4096, let headerCount = bytes.littleEndian(at: place, width: 4),
      let header = bytes.run(at: place + 4, count: headerCount), let fields = fields(of: header),
      let dataCount = bytes.littleEndian(at: place + 4 + headerCount, width: 4),
      let data = bytes.run(at: place + 8 + headerCount, count: dataCount)
    {
      records.append((place, Record(fields: fields, data: data)))
      place += 8 + headerCount + dataCount
    }
    return records
  }

  private static func fields(of header: [UInt8]) -> [Field]? {
    var fields: [Field] = []
    var place = 0
    while place < header.count {
      guard let count = header.littleEndian(at: place, width: 4),
        let field = header.run(at: place + 4, count: count).flatMap(Field.init)
      else { return nil }
      fields.append(field)
      place += 4 + count
    }
    return fields
  }
}

extension BagParts.Record {
  /// A record of a header and data.
  init(_ opcode: UInt8, _ fields: [(name: String, value: [UInt8])], _ data: [UInt8]) {
    self.fields = [BagParts.Field("op", [opcode])]
    self.fields += fields.map { BagParts.Field($0.name, $0.value) }
    self.data = data
  }

  /// What kind of record it is; `nil` where it does not say.
  var opcode: UInt8? { value("op")?.first }

  /// The value of a field.
  func value(_ name: String) -> [UInt8]? {
    fields.first { $0.name == Array(name.utf8) }?.value
  }

  /// Gives a field another value, where there is such a field.
  mutating func set(_ name: String, to value: [UInt8]) {
    guard let index = fields.firstIndex(where: { $0.name == Array(name.utf8) }) else { return }
    fields[index].value = value
  }

  /// The data, put together where it was taken apart.
  var contentBytes: [UInt8] { inner.map { $0.flatMap(\.bytes) } ?? data }

  /// The record with its lengths.
  var bytes: [UInt8] {
    let content = contentBytes
    var record = self
    if inner != nil { record.set("size", to: statedSize ?? bagNumber(content.count, 4)) }
    let header = record.fields.flatMap { field -> [UInt8] in
      bagNumber(field.name.count + 1 + field.value.count, 4) + field.name + [0x3D] + field.value
    }
    return bagNumber(header.count, 4) + header + bagNumber(content.count, 4) + content
  }
}

/// A whole number as bags have it.
func bagNumber(_ value: Int, _ width: Int) -> [UInt8] {
  [UInt8](UInt64(value), width: width, bigEndian: false)
}
