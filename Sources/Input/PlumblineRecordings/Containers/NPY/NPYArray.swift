import PlumblineIO
import PlumblineImages
import PlumblineModel

/// The two-dimensional array of a NumPy file (`.npy`), in row-major order.
///
/// No content of the file is ever executed: pickled objects are rejected, and the header is parsed
/// as data.
///
/// - Source: NumPy, *numpy.lib.format* (NEP 1), versions 1.0, 2.0 and 3.0.
struct NPYArray: Sendable {
  static let signature: [UInt8] = [0x93] + Array("NUMPY".utf8)

  /// The type of a stored number.
  let numberType: NumberType
  /// The numbers; half precision is converted to single precision.
  let values: NumericRaster

  /// Whether bytes start with the signature of a NumPy file.
  static func recognizes(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: signature)
  }

  /// Reads a file.
  ///
  /// Axes of length 1 before or after the other two, which programs leave from batches and
  /// channels, are dropped.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; indices are offsets for errors.
  ///   - limits: `auxiliaryPixels` limits the number of values.
  /// - Throws: `.malformed` for damage, such as fewer or more bytes than the shape needs;
  ///   `.unsupported` for objects, records, text, signed and complex numbers and for other numbers
  ///   of axes; `.limitExceeded` before anything is allocated. O(*n*).
  init(
    _ bytes: ArraySlice<UInt8>, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    var reader = ByteReader(bytes, endianness: .little, path: ["NPY"])
    let header = try NPYHeader(from: &reader, limits: limits)
    let (type, endianness) = try Self.numbers(header.description, reader)
    var shape = header.shape
    while shape.count > 2, shape[0] == 1 { shape.removeFirst() }
    while shape.count > 2, shape[shape.count - 1] == 1 { shape.removeLast() }
    guard shape.count == 2 else {
      throw CaptureReadingError(
        .unsupported, path: ["NPY", "shape"], expected: "rows and columns",
        found: "\(header.shape.count) axes of \(header.shape.prefix(8))")
    }
    let count = try limits.pixelCount(
      width: shape[1], height: shape[0], atMost: limits.auxiliaryPixels, path: ["NPY", "shape"])
    guard reader.remaining == count * type.byteCount else {
      throw reader.malformed(
        expected: "\(count) numbers of \(type.byteCount) bytes", found: "\(reader.remaining) bytes")
    }
    numberType = type
    values = NumericRaster(
      bytes[reader.offset...], type: type, endianness: endianness,
      size: RasterSize(width: shape[1], height: shape[0]), isColumnMajor: header.isColumnMajor)
  }

  private static func numbers(
    _ description: String, _ reader: ByteReader
  ) throws(CaptureReadingError) -> (NumberType, ByteReader.Endianness) {
    let endianness: ByteReader.Endianness = description.first == ">" ? .big : .little
    let order = "<>|=".contains(description.first ?? " ")
    let type: NumberType? =
      switch order ? description.dropFirst() : description[...] {
      case "u1": .uint8
      case "u2": .uint16
      case "u4": .uint32
      case "f2": .float16
      case "f4": .float32
      case "f8": .float64
      default: nil
      }
    guard let type else {
      throw CaptureReadingError(
        .unsupported, path: ["NPY", "descr"], expected: "u1, u2, u4, f2, f4 or f8",
        found: description.hasSuffix("O")
          ? "pickled objects" : printable(text: description.prefix(24)))
    }
    return (type, endianness)
  }
}

/// The header of a NumPy array file: a Python literal, parsed as data and never evaluated.
///
/// - Source: NumPy, *numpy.lib.format*: versions 1.0 to 3.0 differ in the width of the length and
///   the encoding of the text.
struct NPYHeader {
  /// The description of one number, such as `<f4`.
  package let description: String
  /// Whether the first index varies fastest.
  let isColumnMajor: Bool
  /// The lengths of the axes.
  let shape: [Int]

  /// The maximum size of a header that `numpy.load` itself accepts (`max_header_size`).
  private static let maximumBytes = 10_000

  /// Reads signature, version, length and text; leaves the cursor at the first number.
  ///
  /// - Throws: `.malformed` for a text that does not describe an array; `.unsupported` for records
  ///   and for later versions; `.limitExceeded`.
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
