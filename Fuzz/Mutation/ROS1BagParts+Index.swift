extension BagParts {
  /// The index records that stand behind each record: those of a chunk that lies open, else none.
  var chunkIndexes: [[Record]] { records.map { Self.index(of: $0.inner ?? []) } }

  /// The messages of a chunk by their connections, each with its time and place.
  private static func index(of inner: [Record]) -> [Record] {
    var entries: [[UInt8]: [UInt8]] = [:]
    var place = 0
    for record in inner {
      if record.opcode == 2, let connection = record.value("conn"), connection.count == 4,
        let time = record.value("time"), time.count == 8
      {
        entries[connection, default: []] += time + bagNumber(place, 4)
      }
      place += record.bytes.count
    }
    let sorted = entries.sorted {
      $0.key.number(bigEndian: false) < $1.key.number(bigEndian: false)
    }
    return sorted.map { connection, entries in
      let count = bagNumber(entries.count / 12, 4)
      return Record(4, [("ver", bagNumber(1, 4)), ("conn", connection), ("count", count)], entries)
    }
  }

  /// The index at the end: the connections in the order of the bag, then the chunks.
  ///
  /// - Parameter chunkIndexes: The index records behind each record, which move what follows them.
  /// - Returns: The records.
  func endIndex(behind chunkIndexes: [[Record]]) -> [Record] {
    var connections: [Record] = []
    var known: Set<Record> = []
    for record in records.flatMap({ $0.inner ?? [$0] }) + hiddenConnections
    where record.opcode == 7 && known.insert(record).inserted { connections.append(record) }
    var infos: [Record] = []
    var position = Self.magic.count + head(indexPosition: 0, []).count
    for (number, record) in records.enumerated() {
      if record.opcode == 5 {
        infos.append(info(of: number, at: position, chunkIndexes[number]))
      }
      position += record.bytes.count
      position += chunkIndexes[number].reduce(0) { $0 + $1.bytes.count }
    }
    return connections + infos
  }

  /// What the index says of a chunk.
  private func info(of number: Int, at position: Int, _ chunkIndex: [Record]) -> Record {
    // The index records of a compressed chunk are records of the bag.
    let behind = records[(number + 1)...].prefix { $0.opcode == 4 }
    let index = chunkIndex + behind
    let counts = index.flatMap { ($0.value("conn") ?? []) + ($0.value("count") ?? []) }
    var times: [[UInt8]] = []
    for record in index {
      for entry in stride(from: 0, to: record.data.count, by: 12) {
        times += record.data.run(at: entry, count: 8).map { [$0] } ?? []
      }
    }
    // Seconds come before nanoseconds, each with its lowest byte first.
    times.sort { Self.ticks($0) < Self.ticks($1) }
    let none = [UInt8](repeating: 0, count: 8)
    return Record(
      6,
      [
        ("ver", bagNumber(1, 4)), ("chunk_pos", bagNumber(position, 8)),
        ("start_time", times.first ?? none), ("end_time", times.last ?? none),
        ("count", bagNumber(index.count, 4)),
      ], counts)
  }

  private static func ticks(_ time: [UInt8]) -> UInt64 {
    let number = time.number(bigEndian: false)
    return number << 32 | number >> 32
  }

  /// The bag.
  ///
  /// - Parameters:
  ///   - ending: How it ends.
  ///   - chunkIndexes: The index records behind each record in place of the right ones.
  ///   - endIndex: The index at the end in place of the right one.
  /// - Returns: The whole file.
  func bytes(
    ending: Ending, chunkIndexes: [[Record]]? = nil, endIndex: [Record]? = nil
  ) -> [UInt8] {
    let chunkIndexes = chunkIndexes ?? self.chunkIndexes
    let last = records.lastIndex { $0.inner != nil }
    var body: [UInt8] = []
    for (number, record) in records.enumerated() {
      if ending == .openChunk, number == last {
        var open = record
        (open.inner, open.data) = (nil, [])
        open.set("size", to: bagNumber(0, 4))
        body += open.bytes + record.contentBytes
        break
      }
      body += record.bytes + chunkIndexes[number].flatMap(\.bytes)
    }
    guard ending == .index else { return Self.magic + head(indexPosition: 0, []) + body }
    let end = endIndex ?? self.endIndex(behind: chunkIndexes)
    let start = Self.magic.count + head(indexPosition: 0, []).count + body.count
    return Self.magic + head(indexPosition: start, end) + body + end.flatMap(\.bytes)
  }

  /// The bag's header, with spaces up to the size that recorders give it.
  private func head(indexPosition: Int, _ end: [Record]) -> [UInt8] {
    let connections = Set(end.filter { $0.opcode == 7 }.map { $0.value("conn") })
    var header = Record(
      3,
      [
        ("index_pos", bagNumber(indexPosition, 8)),
        ("conn_count", bagNumber(connections.count, 4)),
        ("chunk_count", bagNumber(end.count { $0.opcode == 6 }, 4)),
      ], [])
    header.fields += headerFields
    let room = 4096 - header.bytes.count
    header.data = [UInt8](repeating: 0x20, count: max(room, 0))
    return header.bytes
  }
}
