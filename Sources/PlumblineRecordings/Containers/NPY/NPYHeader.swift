import PlumblineImages
import PlumblineIO

/// The header of a NumPy array file: a Python literal, read as data and never evaluated.
///
/// - Source: NumPy, *numpy.lib.format*: versions 1.0 to 3.0 differ in the width of the length and
///   the encoding of the text.
struct NPYHeader {
  /// The description of one number, such as `<f4`.
  package let description: String
  /// Whether the first index runs fastest.
  let isColumnMajor: Bool
  /// The lengths of the axes.
  let shape: [Int]

  /// The bytes of a text beyond which `numpy.load` itself does not trust it (`max_header_size`).
  private static let maximumBytes = 10_000

  /// Reads signature, version, length and text; leaves the cursor at the first number.
  ///
  /// - Throws: `.malformed` for a text that is not that of an array; `.unsupported` for records and
  ///   versions to come; `.limitExceeded`.
  init(from reader: inout ByteReader, limits: ReadingLimits) throws(CaptureReadingError) {
    let signature = try reader.readBytes(NPYArray.signature.count, as: "the NumPy signature")
    guard signature.elementsEqual(NPYArray.signature) else {
      throw CaptureReadingError(
        .malformed, path: reader.path, offset: signature.startIndex,
        expected: "the NumPy signature", found: printable(signature))
    }
    let major = try reader.readUInt8("the version")
    try reader.skip(1, as: "the minor version")
    guard (1...3).contains(major) else {
      throw CaptureReadingError(
        .unsupported, path: reader.path, offset: reader.offset - 2,
        expected: "version 1, 2 or 3 of the format", found: "\(major)")
    }
    let length =
      major == 1
      ? Int(try reader.readUInt16("the length of the header"))
      : Int(try reader.readUInt32("the length of the header"))
    try limits.require(
      length, atMost: Self.maximumBytes, "bytes of header", path: reader.path,
      offset: reader.offset)
    var literal = PythonLiteral(
      ByteReader(try reader.readBytes(length, as: "the header"), path: reader.path + ["header"]))
    let members = try literal.readDictionary()
    guard case .text(let description) = members["descr"] else {
      throw CaptureReadingError(
        members["descr"] == nil ? .malformed : .unsupported, path: reader.path + ["descr"],
        expected: "the type of one number",
        found: members["descr"] == nil ? "none" : "records of several fields")
    }
    guard case .truth(let isColumnMajor) = members["fortran_order"],
      case .integers(let shape) = members["shape"]
    else {
      throw CaptureReadingError(
        .malformed, path: reader.path + ["header"], expected: "fortran_order and shape",
        found: "a header with \(members.count) entries")
    }
    self.description = description
    self.isColumnMajor = isColumnMajor
    self.shape = shape
  }
}
