extension Mutation {
  /// A file of boxes (HEIF, MP4) with one box, order, field or item changed, whose box sizes are right
  /// and whose item offsets still point at the items; `nil` where the bytes do not begin with boxes.
  public mutating func boxes(_ bytes: [UInt8]) -> [UInt8]? {
    guard let tree = Box.all(in: bytes, depth: 0), tree.first?.kind == "ftyp" else { return nil }
    if once(in: 3), let changed = withChangedItem(bytes, tree) { return changed }
    var places: [[Int]] = []
    Box.collectPlaces(of: tree, into: &places, below: [])
    guard let choice = index(of: places) else { return nil }
    var root = Box(kind: "", header: [], content: .boxes(tree), tail: [])
    root.change(at: places[choice][...]) { box in change(&box) }
    let changed = root.contentBytes
    return Box.withMovedItems(changed, by: changed.count - bytes.count)
  }

  private mutating func change(_ box: inout Box) {
    switch (box.content, below(8)) {
    case (.boxes(var children), 0...4):
      changeOrder(of: &children)
      box.content = .boxes(children)
    case (_, 5): box.kind = awkwardKind()
    case (_, 6): box.header = withAwkwardField(box.header, bigEndian: true)
    case (.boxes, _): box.tail = changedBlindly(box.tail)
    case (.bytes(let content), 0...2):
      box.content = .bytes(withAwkwardField(content, bigEndian: true))
    case (.bytes(let content), _): box.content = .bytes(changedBlindly(content))
    }
  }

  private mutating func awkwardKind() -> String {
    let kinds = [
      "free", "uuid", "mdat", "meta", "hdlr", "pitm", "iinf", "infe", "iloc", "iref", "iprp",
      "ipco",
      "ipma", "ispe", "auxC", "hvcC", "irot", "imir", "clap", "colr", "pixi", "idat", "grpl",
      "dimg",
      "auxl", "cdsc", "thmb", "moov", "trak", "stbl", "stsd",
    ]
    return kinds[below(kinds.count)]
  }

  /// One item's bytes (metadata, above all) changed; where their number changes they go to the end.
  private mutating func withChangedItem(_ bytes: [UInt8], _ tree: [Box]) -> [UInt8]? {
    let extents = Box.extents(in: bytes).filter { $0.count > 0 && $0.count <= 1 << 16 }
    guard let choice = index(of: extents) else { return nil }
    let extent = extents[choice]
    guard let item = bytes.run(at: extent.offset, count: extent.count) else { return nil }
    let changed =
      once(in: 2) ? withAwkwardField(item, bigEndian: once(in: 2)) : changedBlindly(item)
    if changed.count == item.count {
      return bytes.replacing(extent.offset..<extent.offset + extent.count, by: changed)
    }
    guard extent.hasOwnFields else { return nil }
    let header = [UInt8](UInt64(changed.count + 8), width: 4, bigEndian: true) + Array("mdat".utf8)
    let place = UInt64(bytes.count + 8) &- UInt64(extent.base)
    var output = bytes + header + changed
    let offset = [UInt8](place, width: extent.offsetField.count, bigEndian: true)
    let count = [UInt8](UInt64(changed.count), width: extent.countField.count, bigEndian: true)
    output.replaceSubrange(extent.offsetField, with: offset)
    output.replaceSubrange(extent.countField, with: count)
    return output
  }
}

/// A box of an ISO base media file.
///
/// - Source: ISO/IEC 14496-12 §4.2 (boxes), §8.11 (the boxes of `meta`).
struct Box {
  enum Content {
    case bytes([UInt8])
    case boxes([Box])
  }

  var kind: String
  /// What stands before the first inner box: version, flags, a count.
  var header: [UInt8]
  var content: Content
  /// What stands after the last inner box and is none.
  var tail: [UInt8]

  /// The boxes that hold boxes, and the bytes that stand before those.
  private static func headerCount(of kind: String, _ payload: [UInt8]) -> Int? {
    switch kind {
    case "moov", "trak", "mdia", "minf", "stbl", "dinf", "iprp", "ipco", "edts", "udta": 0
    case "meta", "iref", "grpl": 4
    case "iinf": payload.first == 0 ? 6 : 8
    case "stsd", "dref": 8
    default: nil
    }
  }

  /// The boxes that bytes consist of, a broken rest as one without a kind.
  ///
  /// `nil` where not even the first is a box.
  static func all(in bytes: [UInt8], depth: Int) -> [Box]? {
    var boxes: [Box] = []
    var place = 0
    while boxes.count < 512, let size = bytes.bigEndian(at: place, width: 4), size >= 8,
      let whole = bytes.run(at: place, count: size)
    {
      let kind = String(decoding: whole[4..<8], as: Unicode.ASCII.self)
      boxes.append(box(kind: kind, payload: Array(whole[8...]), depth: depth))
      place += size
    }
    guard !boxes.isEmpty else { return nil }
    if place < bytes.count {
      boxes.append(Box(kind: "", header: [], content: .bytes(Array(bytes[place...])), tail: []))
    }
    return boxes
  }

  private static func box(kind: String, payload: [UInt8], depth: Int) -> Box {
    guard depth < 8, let count = headerCount(of: kind, payload),
      let header = payload.run(at: 0, count: count),
      let children = all(in: Array(payload[count...]), depth: depth + 1)
    else { return Box(kind: kind, header: [], content: .bytes(payload), tail: []) }
    return Box(kind: kind, header: header, content: .boxes(children), tail: [])
  }

  /// The places of all boxes, each the indices that lead there; 4,096 at most.
  ///
  /// Pixels are left out: what a codec makes of them is not what is looked for here.
  static func collectPlaces(of boxes: [Box], into places: inout [[Int]], below place: [Int]) {
    for (index, box) in boxes.enumerated() where places.count < 4096 && box.kind != "mdat" {
      places.append(place + [index])
      if case .boxes(let children) = box.content {
        collectPlaces(of: children, into: &places, below: place + [index])
      }
    }
  }

  mutating func change(at place: ArraySlice<Int>, _ body: (inout Box) -> Void) {
    guard let index = place.first else { return body(&self) }
    guard case .boxes(var children) = content else { return }
    children[index].change(at: place.dropFirst(), body)
    content = .boxes(children)
  }

  var contentBytes: [UInt8] {
    switch content {
    case .bytes(let bytes): header + bytes + tail
    case .boxes(let boxes): header + boxes.flatMap(\.bytes) + tail
    }
  }

  /// The box with its right size; one without a kind is a broken rest, which has no size.
  var bytes: [UInt8] {
    let content = contentBytes
    guard !kind.isEmpty else { return content }
    let name = Array((Array(kind.utf8) + [0, 0, 0, 0]).prefix(4))
    return [UInt8](UInt64(content.count + 8), width: 4, bigEndian: true) + name + content
  }
}
