extension Mutation {
  /// A bag of ROS 1 with one thing changed, whose lengths, offsets and index are right but for at most
  /// one field that is wrong on purpose; `nil` where the bytes are no bag of version 2.0.
  ///
  /// Chunks come out without compression; compressed ones stay as they are.
  public mutating func bag(_ bytes: [UInt8]) -> [UInt8]? {
    guard var parts = BagParts(bytes) else { return nil }
    switch below(10) {
    case 0: parts.headerFields = changedFields(parts.headerFields)
    case 1, 2: return bytesWithChangedIndex(of: parts)
    default: changeBagRecord(of: &parts.records)
    }
    return parts.bytes(ending: BagParts.Ending.allCases[below(BagParts.Ending.allCases.count)])
  }

  /// The bag with a record of an index dropped, repeated, moved or changed: of one chunk, or of the
  /// index at its end.
  private mutating func bytesWithChangedIndex(of parts: BagParts) -> [UInt8] {
    var chunkIndexes = parts.chunkIndexes
    let indexed = chunkIndexes.indices.filter { !chunkIndexes[$0].isEmpty }
    if let choice = index(of: indexed), once(in: 2) {
      changeBagRecord(of: &chunkIndexes[indexed[choice]])
      return parts.bytes(ending: .index, chunkIndexes: chunkIndexes)
    }
    var end = parts.endIndex(behind: chunkIndexes)
    changeBagRecord(of: &end)
    return parts.bytes(ending: .index, chunkIndexes: chunkIndexes, endIndex: end)
  }

  /// Changes one of the records, mostly one inside of a chunk.
  private mutating func changeBagRecord(of records: inout [BagParts.Record]) {
    guard let index = index(of: records) else { return }
    if var inner = records[index].inner, !inner.isEmpty, !once(in: 4) {
      changeBagRecord(of: &inner)
      records[index].inner = inner
      return
    }
    switch below(6) {
    case 0: changeOrder(of: &records)
    case 1:
      let opcode = once(in: 4) ? next() : UInt64(1 + below(8))
      records[index].set("op", to: [UInt8](opcode, width: 1, bigEndian: false))
    case 2: changeField(of: &records[index])
    // Of a chunk that lies open the order is changed a second time: its data are its records.
    case _ where records[index].inner != nil: changeOrder(of: &records)
    case 3: records[index].data = withAwkwardField(records[index].data, bigEndian: false)
    default: records[index].data = changedBlindly(records[index].data)
    }
  }

  /// Changes a field of a header; the size of a chunk that lies open is one on purpose.
  private mutating func changeField(of record: inout BagParts.Record) {
    if record.inner != nil, once(in: 3) {
      let size = awkwardNumber(near: UInt64(record.contentBytes.count))
      record.statedSize = [UInt8](size, width: 4, bigEndian: false)
    } else {
      record.fields = changedFields(record.fields)
    }
  }

  private mutating func changedFields(_ fields: [BagParts.Field]) -> [BagParts.Field] {
    var fields = fields
    guard let index = index(of: fields) else {
      return [BagParts.Field("encryptor", Array("e".utf8))]
    }
    switch below(5) {
    case 0: changeOrder(of: &fields)
    case 1: fields[index].name = changedBlindly(fields[index].name)
    case 2: fields[index].value = changedBlindly(fields[index].value)
    case 3:
      let names = ["none", "lz4", "bz2", "", "/a", "std_msgs/String", "\u{0}"]
      fields[index].value = Array(names[below(names.count)].utf8)
    default: fields[index].value = withAwkwardField(fields[index].value, bigEndian: false)
    }
    return fields
  }
}
