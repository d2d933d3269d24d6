package import PlumblineIO

/// Items that belong together (`grpl`, ISO/IEC 14496-12 §8.18), such as a stereo pair.
package struct HEIFEntityGroup: Sendable, Hashable {
  /// The four-character kind: `ster` (left, right), `altr` (best first) …, escaped.
  package let type: String
  /// The group's own number.
  package let id: UInt32
  /// The members in file order.
  package let items: [HEIFItemID]

  /// Reads `grpl`.
  ///
  /// - Throws: `.malformed` for damaged groups, `.limitExceeded` for too many members.
  package static func readAll(
    _ box: ISOBox, in path: [String], _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> [HEIFEntityGroup] {
    var reader = box.reader(in: path)
    var groups: [HEIFEntityGroup] = []
    for child in try reader.readBoxes(limits) {
      try limits.require(
        groups.count + 1, atMost: limits.items, "groups", path: reader.path, offset: child.offset)
      var childReader = child.reader(in: reader.path)
      _ = try childReader.readFullBoxHeader()
      let id = try childReader.readUInt32("a group number")
      let count = Int(try childReader.readUInt32("a member count"))
      try limits.require(
        count, atMost: limits.items, "members", path: childReader.path, offset: child.offset)
      var items: [HEIFItemID] = []
      for _ in 0..<count { items.append(try childReader.readUInt32("a member")) }
      groups.append(HEIFEntityGroup(type: child.type, id: id, items: items))
    }
    return groups
  }
}
