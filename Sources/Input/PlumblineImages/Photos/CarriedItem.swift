import PlumblineIO
import PlumblineModel

/// A HEIC item that describes the image but is not interpreted here, such as one with a URI type; a
/// new file can contain it as well.
package struct CarriedItem: Sendable, Hashable {
  /// `uri ` or `mime`.
  package var type: String
  /// The item's name, usually empty.
  package var name: String
  /// The URI or the media type that identifies the contents.
  package var kind: String
  /// The content encoding of a `mime` item; empty for none.
  package var encoding: String
  package var data: [UInt8]
  /// Whether the item refers to the image.
  var describesImage: Bool
}

extension HEIFFile {
  /// The items that describe an image (or no image) and that only their makers interpret.
  ///
  /// - Parameter images: The image and the images derived from it.
  /// - Returns: The items that can be carried, and those that are omitted.
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
      // Items that describe depth maps and mattes are handled with these.
      guard isOfImage || described.isEmpty else { continue }
      // The first Exif block and XMP packet are the photo's own metadata.
      let isRead = item.type == "Exif" || item.isXMP && item.contentEncoding.isEmpty
      if isOfImage, isRead, known.insert(item.type).inserted { continue }
      let name = "\(item.type) \(item.uriType)\(item.contentType)"
        .split(separator: " ").joined(separator: " ")
      guard item.type == "uri " || item.type == "mime", let bytes = try? data(of: item.id),
        // Items may contain each other, but together they must not exceed the file.
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
  /// Adds an item that is not interpreted here.
  mutating func add(_ item: CarriedItem, of image: HEIFItemID) {
    let id = addItem(
      item.type, item.data, name: item.name, contentType: item.kind, encoding: item.encoding,
      isHidden: true)
    if item.describesImage { addReference("cdsc", from: id, to: [image]) }
  }
}
