import PlumblineTestSupport
@testable import PlumblineImages
@testable import PlumblineStreams
/// What differs between two HEIF files, item by item and box by box.
struct HEIFComparison {
  /// Items only in the first file, by number and type.
  var removed: [String] = []
  /// Items only in the second file.
  var added: [String] = []
  /// Items whose bytes, entry or properties differ, and how.
  var changed: [String] = []
  /// Boxes of `meta` and of the outermost level that differ, tables of items ignored.
  var boxes: [String] = []
  /// References and groups that only one file has.
  var links: [String] = []

  /// Compares two files.
  init(_ first: [UInt8], _ second: [UInt8]) throws {
    let (a, b) = (try HEIFFile(bytes: first), try HEIFFile(bytes: second))
    let (x, y) = (try HEIFDraft(a), try HEIFDraft(b))
    for entry in x.entries {
      guard let id = entry.id, let type = a.item(id)?.type else { continue }
      guard let other = y.entries.first(where: { $0.id == id }) else {
        removed.append("\(id) \(type)")
        continue
      }
      if entry.box != other.box { changed.append("\(id) \(type): entry") }
      if try a.data(of: id) != b.data(of: id) { changed.append("\(id) \(type): bytes") }
      let (uses, others) = (Self.uses(of: id, in: x), Self.uses(of: id, in: y))
      if uses != others {
        let names = Set(uses).symmetricDifference(others).map { String($0.dropLast().prefix(4)) }
        changed.append("\(id) \(type): \(Set(names).sorted().joined(separator: " "))")
      }
      // Where bytes lie is another matter, how they are found is not.
      let (place, otherPlace) = (Self.location(of: id, in: x), Self.location(of: id, in: y))
      if place?.construction != otherPlace?.construction
        || place?.extents.map(\.index) != otherPlace?.extents.map(\.index)
      {
        changed.append("\(id) \(type): iloc")
      }
    }
    added = y.entries.compactMap { entry in
      guard let id = entry.id, a.item(id) == nil else { return nil }
      return "\(id) \(b.item(id)?.type ?? "")"
    }
    let (kept, otherKept) = (Self.kept(x), Self.kept(y))
    boxes = Set(kept).symmetricDifference(otherKept).map {
      String(decoding: $0[4..<8], as: UTF8.self)
    }
    let (outer, otherOuter) = (Self.outer(x, first), Self.outer(y, second))
    if outer != otherOuter { boxes.append("outermost level") }
    if a.primaryItemID != b.primaryItemID { boxes.append("pitm") }
    func names(_ file: HEIFFile) -> Set<String> {
      Set(file.references.map { "\($0.type) \($0.from) → \($0.to)" })
        .union(file.groups.map { "\($0.type) \($0.items)" })
    }
    links = names(a).symmetricDifference(names(b)).sorted()
  }

  /// The boxes that an item uses, in their order, each with whether it must be understood.
  private static func uses(of id: HEIFItemID, in draft: HEIFDraft) -> [String] {
    draft.associations.filter { $0.id == id }.flatMap(\.uses).map { use in
      let box = use.property.map { draft.properties[$0] } ?? []
      let name = box.isEmpty ? "none" : String(decoding: box[4..<8], as: UTF8.self)
      return "\(name) \(box)\(use.isEssential ? "!" : ".")"
    }
  }

  private static func location(of id: HEIFItemID, in draft: HEIFDraft) -> HEIFDraftLocation? {
    draft.locations.first { $0.id == id }
  }

  private static func kept(_ draft: HEIFDraft) -> [[UInt8]] {
    draft.parts.compactMap { if case .kept(let box) = $0 { box } else { nil } }
      + draft.furtherPropertyBoxes
  }

  private static func outer(_ draft: HEIFDraft, _ bytes: [UInt8]) -> [[UInt8]] {
    draft.outerParts.map { part in
      switch part {
      case .meta: Array("meta".utf8)
      case .kept(let range): [UInt8](bytes[range])
      case .new(let box): box
      case .mediaData(let header, _): [UInt8](bytes[header.lowerBound + 4..<header.lowerBound + 8])
      }
    }
  }
}
