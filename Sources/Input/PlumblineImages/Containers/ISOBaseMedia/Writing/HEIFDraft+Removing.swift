import PlumblineIO

extension HEIFDraft {
  /// Removes items with everything that only they use: entries, references, group memberships,
  /// bytes and properties.
  mutating func remove(_ items: Set<HEIFItemID>) {
    guard !items.isEmpty else { return }
    entries.removeAll { $0.id.map(items.contains) ?? false }
    removedLocations += locations.filter { items.contains($0.id) }
    locations.removeAll { items.contains($0.id) }
    newData.removeAll { items.contains($0.id) }
    references = references.compactMap { reference in
      guard !items.contains(reference.from) else { return nil }
      var kept = reference
      kept.to.removeAll { items.contains($0) }
      return kept.to.isEmpty && !reference.to.isEmpty ? nil : kept
    }
    groups = groups.compactMap { Self.group($0, without: items) }
    let before = usedProperties
    associations.removeAll { items.contains($0.id) }
    removeProperties(before.subtracting(usedProperties))
  }

  /// Removes a brand from the compatible brands of the file; the major brand stays.
  ///
  /// - Parameters:
  ///   - brand: A four-character code.
  ///   - source: The file from which the draft was read.
  mutating func removeBrand(_ brand: String, of source: ArraySlice<UInt8>) {
    for index in outerParts.indices {
      guard case .kept(let range) = outerParts[index] else { continue }
      var reader = ByteReader(source[range])
      guard let box = try? reader.readBox(), box.type == "ftyp", box.payload.count >= 8 else {
        continue
      }
      let list = box.payload.dropFirst(8)
      let brands = stride(from: list.startIndex, to: list.endIndex, by: 4).map {
        list[$0..<min($0 + 4, list.endIndex)]
      }
      let kept = brands.filter { !$0.elementsEqual(brand.utf8) }
      guard kept.count < brands.count else { return }
      outerParts[index] = .new(Self.box("ftyp", box.payload.prefix(8) + kept.flatMap { $0 }))
      return
    }
  }

  /// The properties that at least one item uses.
  var usedProperties: Set<Int> { Set(associations.flatMap { $0.uses.compactMap(\.property) }) }

  /// Removes properties that no item uses.
  mutating func removeProperties(_ unused: Set<Int>) {
    guard !unused.isEmpty else { return }
    var indices: [Int?] = []
    var kept: [[UInt8]] = []
    for (index, box) in properties.enumerated() {
      indices.append(unused.contains(index) ? nil : kept.count)
      if !unused.contains(index) { kept.append(box) }
    }
    properties = kept
    for item in associations.indices {
      for use in associations[item].uses.indices {
        guard let old = associations[item].uses[use].property else { continue }
        associations[item].uses[use].property = indices[old]
      }
    }
  }

  /// A group without some of its members; `nil` if members were removed and fewer than two are
  /// left.
  private static func group(_ box: [UInt8], without items: Set<HEIFItemID>) -> [UInt8]? {
    // The fields are header, version and flags, number, count; the image reader has checked the
    // members.
    var reader = ByteReader(box[...])
    guard let header = try? reader.readBox() else { return box }
    var payload = ByteReader(header.payload)
    guard let start = try? payload.readBytes(8), let count = try? payload.readUInt32(),
      Int(count) * 4 <= payload.remaining
    else { return box }
    var members: [HEIFItemID] = []
    for _ in 0..<count { if let member = try? payload.readUInt32() { members.append(member) } }
    let kept = members.filter { !items.contains($0) }
    if kept.count == members.count { return box }
    if kept.count < 2 { return nil }
    let rest = (try? payload.readBytes(payload.remaining)) ?? []
    return Self.box(
      [UInt8](box[4..<8]),
      start + [UInt8](bigEndian: kept.count, bytes: 4)
        + kept.flatMap { [UInt8](bigEndian: Int($0), bytes: 4) } + rest)
  }
}
