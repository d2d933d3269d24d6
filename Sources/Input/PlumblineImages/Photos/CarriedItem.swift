import PlumblineIO
import PlumblineModel

/// An item of a HEIC file that describes the image in a way that is not read here, such as one that a
/// URI names: what a new file can hold as well.
package struct CarriedItem: Sendable, Hashable {
  /// `uri ` or `mime`.
  package var type: String
  /// The item's name, mostly empty.
  package var name: String
  /// The URI or the media type that says what the bytes are.
  package var kind: String
  /// The content encoding of a `mime` item; empty for none.
  package var encoding: String
  package var data: [UInt8]
  /// Whether it says that it describes the image.
  var describesImage: Bool
}

extension HEIFFile {
  /// The items that describe an image, or nothing, and that only their makers read.
  ///
  /// - Parameter images: The image, and what is derived from it.
  /// - Returns: Those that can be carried; what is left out beside them.
  /// - Throws: As ``data(of:)`` does.
  func carriedItems(
    of images: [HEIFItemID]
  ) throws(CaptureReadingError) -> (items: [CarriedItem], leftOut: [Finding]) {
    var carried: [CarriedItem] = []
    var leftOut: [Finding] = []
    var known: Set<String> = []
    var total = 0
    for item in items where !Self.imageTypes.contains(item.type) {
      let described = items(referredToBy: item.id, as: "cdsc")
      let isOfImage = described.contains(where: images.contains)
      // What describes depth maps and mattes goes with them.
      guard isOfImage || described.isEmpty else { continue }
      // The first Exif block and XMP packet are the photo's own metadata.
      let isRead = item.type == "Exif" || item.isXMP && item.contentEncoding.isEmpty
      if isOfImage, isRead, known.insert(item.type).inserted { continue }
      let name = "\(item.type) \(item.uriType)\(item.contentType)"
        .split(separator: " ").joined(separator: " ")
      guard item.type == "uri " || item.type == "mime", let bytes = try? data(of: item.id),
        // Items may lie in each other; together they are no larger than the file.
        total + bytes.count <= self.bytes.count
      else {
        leftOut.append(
          Finding(
            .photoMetadataLeftOut, .note, "an item of type \(name) was left out",
            evidence: "item \(item.id)"))
        continue
      }
      total += bytes.count
      carried.append(
        CarriedItem(
          type: item.type, name: item.name,
          kind: item.type == "mime" ? item.contentType : item.uriType,
          encoding: item.contentEncoding, data: [UInt8](bytes), describesImage: isOfImage))
    }
    return (carried, leftOut)
  }

  private static let imageTypes: Set<String> = [
    "hvc1", "hev1", "grid", "iden", "iovl", "tmap", "av01", "jpeg", "avc1", "j2k1", "unci",
  ]
}

extension HEIFDraft {
  /// Adds an item that is not read here.
  mutating func add(_ item: CarriedItem, of image: HEIFItemID) {
    let id = addItem(
      item.type, item.data, name: item.name, contentType: item.kind, encoding: item.encoding,
      isHidden: true)
    if item.describesImage { addReference("cdsc", from: id, to: [image]) }
  }
}
