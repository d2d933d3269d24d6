package import PlumblineIO
package import PlumblineModel

/// The numbers of an array file exactly as stored, before any meaning is given to them.
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

  /// Takes numbers out of bytes.
  ///
  /// - Parameters:
  ///   - bytes: Exactly those of the numbers.
  ///   - type: How each is stored.
  ///   - endianness: The order of the bytes of each.
  ///   - size: Their columns and rows.
  ///   - isColumnMajor: Whether columns follow each other instead of rows.
  /// - Precondition: The bytes are as many as size and type say. O(*n*).
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

/// The types of a number in an array file.
package enum NumberType: String, Sendable, CaseIterable {
  /// 8 bits without sign.
  case uint8
  /// 16 bits without sign.
  case uint16
  /// 32 bits without sign.
  case uint32
  /// IEEE 754 half precision.
  case float16
  /// IEEE 754 single precision.
  case float32
  /// IEEE 754 double precision.
  case float64

  /// The bytes of one number.
  package var byteCount: Int {
    switch self {
    case .uint8: 1
    case .uint16, .float16: 2
    case .uint32, .float32: 4
    case .float64: 8
    }
  }

  /// Whether numbers are fractions, in which depth files hold meters by custom.
  package var isFloatingPoint: Bool {
    switch self {
    case .uint8, .uint16, .uint32: false
    case .float16, .float32, .float64: true
    }
  }
}
