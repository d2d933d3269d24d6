/// A problem in a container that did not stop the reader but has to be reported.
///
/// Container readers create no findings; the producer's reader turns each note into a finding.
package struct ContainerNote: Sendable, Hashable {
  /// The kind of note.
  package enum Code: String, Sendable, CaseIterable {
    /// An entry of a multi-picture index names bytes outside the file, data that are not a JPEG, or
    /// an image that was already found; the entry was ignored.
    case multiPictureEntryRejected
    /// A multi-picture index contradicts itself; it was ignored as a whole.
    case multiPictureIndexRejected
    /// A length in a multi-picture index differs from the actual length of the image.
    case multiPictureLengthDiffers
    /// Images were found by scanning; no multi-picture index names them.
    case imageFoundByScanning
    /// An image has no end marker: the file is truncated, or its compressed data are damaged.
    case imageTruncated
    /// A decoder warning that concerns no pixel.
    case imageWarning
    /// Extended XMP is incomplete or contradicts itself and was ignored.
    case extendedXMPRejected
    /// A metadata block cannot be read and was ignored.
    case metadataRejected
    /// One value in a metadata block makes no sense and is treated as absent.
    case metadataValueRejected
    /// Zero bytes follow the last image.
    case trailingZeros
    /// Data of another kind follow the last image.
    case trailer
  }

  /// The kind of note.
  package var code: Code
  /// One sentence with the numbers, safe on a terminal: text from the file is escaped.
  package var text: String
  /// The byte offset in the file at which the problem occurred.
  package var offset: Int?

  /// Creates a note from its parts.
  package init(_ code: Code, _ text: String, offset: Int? = nil) {
    self.code = code
    self.text = text
    self.offset = offset
  }
}
