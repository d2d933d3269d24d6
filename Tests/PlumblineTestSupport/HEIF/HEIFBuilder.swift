import PlumblineIO
/// Writes small HEIF files for tests, sound or not, from items, properties and references.
package struct HEIFBuilder: Sendable {
  /// One item of the file.
  package struct Item: Sendable {
    /// Its number.
    package var id: Int
    /// Its four-character type.
    package var type: String
    /// Its bytes.
    package var data: [UInt8]
    /// The MIME type of a `mime` item.
    package var contentType: String = ""
    /// What an item of type `uri ` is.
    package var uriType: String = ""
    /// Whether it is not meant for display.
    package var isHidden = false
    /// The numbers of its properties, counted from 1, in their order.
    package var properties: [Int] = []
    /// Whether its bytes lie in `idat` (construction method 1) rather than in `mdat`.
    package var isInItemData = false
    /// The lengths of its runs of bytes; one run when empty.
    package var extentLengths: [Int] = []

    /// Creates an item.
    package init(_ id: Int, _ type: String, _ data: [UInt8], properties: [Int] = []) {
      self.id = id
      self.type = type
      self.data = data
      self.properties = properties
    }
  }

  /// The item that is shown.
  package var primaryItem = 1
  /// The items in file order.
  package var items: [Item] = []
  /// Whole property boxes in file order.
  package private(set) var properties: [[UInt8]] = []
  /// References: kind, from, to.
  package var references: [(type: String, from: Int, to: [Int])] = []
  /// Groups: kind, members.
  package var groups: [(type: String, items: [Int])] = []

  /// Creates an empty file.
  package init() {}

  /// Adds a property and returns its number, counted from 1.
  package mutating func addProperty(_ type: String, _ payload: [UInt8]) -> Int {
    properties.append(Self.box(type, payload))
    return properties.count
  }

  /// Adds the size property and returns its number.
  package mutating func addSize(_ width: Int, _ height: Int) -> Int {
    addProperty("ispe", [0, 0, 0, 0] + bigEndian(width, bytes: 4) + bigEndian(height, bytes: 4))
  }

  /// Adds the auxiliary type property and returns its number.
  package mutating func addAuxiliaryType(_ type: String, subtype: [UInt8] = []) -> Int {
    addProperty("auxC", [0, 0, 0, 0] + Array(type.utf8) + [0] + subtype)
  }

  /// A box of a four-character type.
  package static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    bigEndian(payload.count + 8, bytes: 4) + Array(type.utf8) + payload
  }

  /// The whole file.
  package var bytes: [UInt8] {
    let start = Self.box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8))
    // Offsets have a fixed width, so the size of the tables does not depend on their values.
    let tableSize = meta(dataOffset: 0).count
    let data = items.filter { !$0.isInItemData }.flatMap(\.data)
    return start + meta(dataOffset: start.count + tableSize + 8) + Self.box("mdat", data)
  }

  private func meta(dataOffset: Int) -> [UInt8] {
    let version: [UInt8] = [0, 0, 0, 0]
    var body = version
    let handler = version + version + Array("pict".utf8) + Array(repeating: 0, count: 13)
    body += Self.box("hdlr", handler)
    body += Self.box("pitm", version + bigEndian(primaryItem, bytes: 2))
    let entries = items.flatMap { item in
      var entry: [UInt8] = [2, 0, 0, item.isHidden ? 1 : 0] + bigEndian(item.id, bytes: 2)
      entry += [0, 0] + Array(item.type.utf8) + [0]
      if item.type == "mime" { entry += Array(item.contentType.utf8) + [0, 0] }
      if item.type == "uri " { entry += Array(item.uriType.utf8) + [0] }
      return Self.box("infe", entry)
    }
    body += Self.box("iinf", version + bigEndian(items.count, bytes: 2) + entries)
    let links = references.flatMap { reference in
      Self.box(
        reference.type,
        bigEndian(reference.from, bytes: 2) + bigEndian(reference.to.count, bytes: 2)
          + reference.to.flatMap { bigEndian($0, bytes: 2) })
    }
    if !references.isEmpty { body += Self.box("iref", version + links) }
    body += Self.box("iprp", Self.box("ipco", properties.flatMap { $0 }) + associations)
    if !groups.isEmpty {
      let boxes = groups.enumerated().flatMap { index, group in
        Self.box(
          group.type,
          version + bigEndian(1000 + index, bytes: 4) + bigEndian(group.items.count, bytes: 4)
            + group.items.flatMap { bigEndian($0, bytes: 4) })
      }
      body += Self.box("grpl", boxes)
    }
    body += Self.box("idat", items.filter(\.isInItemData).flatMap(\.data))
    body += locations(dataOffset: dataOffset)
    return Self.box("meta", body)
  }

  private var associations: [UInt8] {
    let uses = items.flatMap { item in
      bigEndian(item.id, bytes: 2) + [UInt8(item.properties.count)]
        + item.properties.map { UInt8(0x80 | $0) }
    }
    return Self.box("ipma", [0, 0, 0, 0] + bigEndian(items.count, bytes: 4) + uses)
  }

  private func locations(dataOffset: Int) -> [UInt8] {
    var (inFile, inItemData) = (dataOffset, 0)
    var body: [UInt8] = [1, 0, 0, 0, 0x44, 0x00] + bigEndian(items.count, bytes: 2)
    for item in items {
      let lengths = item.extentLengths.isEmpty ? [item.data.count] : item.extentLengths
      body += bigEndian(item.id, bytes: 2) + [0, item.isInItemData ? 1 : 0, 0, 0]
      body += bigEndian(lengths.count, bytes: 2)
      for length in lengths {
        body += bigEndian(item.isInItemData ? inItemData : inFile, bytes: 4)
        body += bigEndian(length, bytes: 4)
        if item.isInItemData { inItemData += length } else { inFile += length }
      }
    }
    return Self.box("iloc", body)
  }
}

/// A number as a fixed count of bytes, highest first.
func bigEndian(_ value: Int, bytes count: Int) -> [UInt8] {
  [UInt8](bigEndian: value, bytes: count)
}
