package import PlumblineIO
package import PlumblineModel

/// The numbers of an array file exactly as stored, without an interpretation.
package enum NumericRaster: Sendable, Equatable {
  /// Numbers of 8 bits.
  case uint8(Raster<UInt8>)
  /// Numbers of 16 bits.
  case uint16(Raster<UInt16>)
  /// Numbers of 32 bits.
  case uint32(Raster<UInt32>)
  /// Single precision, and half precision widened without loss.
  case float32(Raster<Float>)
  /// Double precision.
  case float64(Raster<Double>)

  /// The number of columns and rows.
  package var size: RasterSize {
    switch self {
    case .uint8(let raster): raster.size
    case .uint16(let raster): raster.size
    case .uint32(let raster): raster.size
    case .float32(let raster): raster.size
    case .float64(let raster): raster.size
    }
  }

  /// The numbers rounded to single precision, which only `uint32` above 2²⁴ and `float64` need;
  /// O(*n*).
  package var floats: Raster<Float> {
    switch self {
    case .uint8(let raster): raster.map { Float($0) }
    case .uint16(let raster): raster.map { Float($0) }
    case .uint32(let raster): raster.map { Float($0) }
    case .float32(let raster): raster
    case .float64(let raster): raster.map { Float($0) }
    }
  }

  /// Converts bytes to numbers.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of all numbers and nothing else.
  ///   - type: The storage type of a number.
  ///   - endianness: The byte order of a number.
  ///   - size: The number of columns and rows.
  ///   - isColumnMajor: Whether the file stores column after column instead of row after row.
  /// - Precondition: The number of bytes matches size and type. O(*n*).
  package init(
    _ bytes: ArraySlice<UInt8>, type: NumberType, endianness: ByteReader.Endianness,
    size: RasterSize, isColumnMajor: Bool = false
  ) {
    precondition(
      bytes.count == size.pixelCount * type.byteCount,
      "\(bytes.count) bytes for \(size) of \(type)")
    func raster<Bits: FixedWidthInteger, Sample>(
      _ bits: Bits.Type, _ value: (Bits) -> Sample
    ) -> Raster<Sample> {
      let isBig = endianness == .big
      let width = MemoryLayout<Bits>.size
      return bytes.withUnsafeBytes { source in
        Raster(size: size) { x, y in
          let index = isColumnMajor ? x * size.height + y : y * size.width + x
          let stored = source.loadUnaligned(fromByteOffset: index * width, as: Bits.self)
          return value(isBig ? Bits(bigEndian: stored) : Bits(littleEndian: stored))
        }
      }
    }
    switch type {
    case .uint8: self = .uint8(raster(UInt8.self) { $0 })
    case .uint16: self = .uint16(raster(UInt16.self) { $0 })
    case .uint32: self = .uint32(raster(UInt32.self) { $0 })
    case .float16: self = .float32(raster(UInt16.self) { HalfPrecision.value($0) })
    case .float32: self = .float32(raster(UInt32.self) { Float(bitPattern: $0) })
    case .float64: self = .float64(raster(UInt64.self) { Double(bitPattern: $0) })
    }
  }
}

/// The number types of array files.
package enum NumberType: String, Sendable, CaseIterable {
  /// Unsigned, 8 bits.
  case uint8
  /// Unsigned, 16 bits.
  case uint16
  /// Unsigned, 32 bits.
  case uint32
  /// IEEE 754 half precision.
  case float16
  /// IEEE 754 single precision.
  case float32
  /// IEEE 754 double precision.
  case float64

  /// The size of one number in bytes.
  package var byteCount: Int {
    switch self {
    case .uint8: 1
    case .uint16, .float16: 2
    case .uint32, .float32: 4
    case .float64: 8
    }
  }

  /// Whether the type is floating point; depth files with such numbers are usually in meters.
  package var isFloatingPoint: Bool {
    switch self {
    case .uint8, .uint16, .uint32: false
    case .float16, .float32, .float64: true
    }
  }
}
