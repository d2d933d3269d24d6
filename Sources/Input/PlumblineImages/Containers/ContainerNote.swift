/// Something about a container that a reader got past but must not keep to itself.
///
/// A container reader knows no findings; the producer's reader turns each note into one.
package struct ContainerNote: Sendable, Hashable {
  /// The kind of note.
  package enum Code: String, Sendable, CaseIterable {
    /// An entry of a multi-picture index names bytes outside the file, not a JPEG, or an image
    /// that is already accounted for; the entry was left out.
    case multiPictureEntryRejected
    /// A multi-picture index contradicts itself; none of it was used.
    case multiPictureIndexRejected
    /// A length in a multi-picture index differs from where the image really ends.
    case multiPictureLengthDiffers
    /// Images were found by scanning, without a multi-picture index that names them.
    case imageFoundByScanning
    /// An image has no end marker: the file was cut, or its compressed data are damaged.
    case imageTruncated
    /// A decoder warned of something that no pixel depends on.
    case imageWarning
    /// Extended XMP is incomplete or contradicts itself and was left out.
    case extendedXMPRejected
    /// A metadata block cannot be read and was left out.
    case metadataRejected
    /// One value in a metadata block makes no sense and is taken as absent.
    case metadataValueRejected
    /// Zero bytes follow the last image.
    case trailingZeros
    /// Data of another kind follow the last image.
    case trailer
  }

  /// The kind of note.
  package var code: Code
  /// One sentence with the numbers, fit for a terminal; text of the file in it is escaped.
  package var text: String
  /// The byte offset in the file where it was met.
  package var offset: Int?

  /// Creates a note from its parts.
  package init(_ code: Code, _ text: String, offset: Int? = nil) {
    self.code = code
    self.text = text
    self.offset = offset
  }
}
