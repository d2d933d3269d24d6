package import PlumblineModel

/// The bytes of a pixel buffer of 32 bits a pixel: blue, green, red, 255.
///
/// - Source: Apple, `kCVPixelFormatType_32BGRA`.
package enum BGRABytes {
  /// Writes the codes of a tensor of 1 × 3 × rows × columns, red first, rounded and kept in 0 to 255; NaN
  /// is 0.
  ///
  /// - Parameters:
  ///   - tensor: The codes.
  ///   - memory: The rows one after the other.
  ///   - bytesPerRow: The distance between their starts.
  /// - Returns: `false` where the tensor has another shape or the memory is too small; nothing is written
  ///   then. O(*n*).
  package static func write(
    _ tensor: Tensor, to memory: UnsafeMutableRawBufferPointer, bytesPerRow: Int
  ) -> Bool {
    let shape = tensor.shape
    guard shape.count == 4, shape[0] == 1, shape[1] == 3,
      hasRoom(memory, bytesPerRow, width: shape[3], height: shape[2])
    else { return false }
    let (height, width) = (shape[2], shape[3])
    let plane = width * height
    func code(_ value: Float) -> UInt8 { value > 0 ? UInt8(min(value.rounded(), 255)) : 0 }
    tensor.values.withUnsafeBufferPointer { values in
      for y in 0..<height {
        var place = y * bytesPerRow
        for index in y * width..<(y + 1) * width {
          memory[place] = code(values[2 * plane + index])
          memory[place + 1] = code(values[plane + index])
          memory[place + 2] = code(values[index])
          memory[place + 3] = 255
          place += 4
        }
      }
    }
    return true
  }

  /// Writes an image; the rest as above.
  package static func write(
    _ image: Raster<RGB8>, to memory: UnsafeMutableRawBufferPointer, bytesPerRow: Int
  ) -> Bool {
    guard hasRoom(memory, bytesPerRow, width: image.width, height: image.height) else {
      return false
    }
    for y in 0..<image.height {
      var place = y * bytesPerRow
      for color in image.row(y) {
        memory[place] = color.blue
        memory[place + 1] = color.green
        memory[place + 2] = color.red
        memory[place + 3] = 255
        place += 4
      }
    }
    return true
  }

  private static func hasRoom(
    _ memory: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int, width: Int, height: Int
  ) -> Bool {
    width > 0 && height > 0 && bytesPerRow >= 4 * width
      && memory.count >= bytesPerRow * (height - 1) + 4 * width
  }
}

/// The pixel types of images of one channel that networks give.
package enum GrayPixelType: UInt32, Sendable, CaseIterable {
  /// Codes of 8 bits, as shares of 255: `L008`.
  case code8 = 0x4C30_3038
  /// Numbers in half precision: `L00h`.
  case half = 0x4C30_3068
  /// Numbers in single precision: `L00f`.
  case single = 0x4C30_3066

  /// The numbers of a pixel buffer's memory; O(*n*).
  ///
  /// - Parameters:
  ///   - bytes: The rows one after the other.
  ///   - bytesPerRow: The distance between their starts.
  ///   - size: The columns and rows.
  /// - Returns: A tensor of rows × columns; `nil` where the memory is too small.
  package func tensor(
    _ bytes: UnsafeRawBufferPointer, bytesPerRow: Int, size: RasterSize
  ) -> Tensor? {
    let width =
      switch self {
      case .code8: 1
      case .half: 2
      case .single: 4
      }
    guard size.pixelCount > 0, bytesPerRow >= width * size.width,
      bytes.count >= bytesPerRow * (size.height - 1) + width * size.width
    else { return nil }
    var values: [Float] = []
    values.reserveCapacity(size.pixelCount)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let place = y * bytesPerRow + x * width
        switch self {
        case .code8: values.append(Float(bytes[place]) / 255)
        case .half:
          let bits = bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self)
          values.append(HalfPrecision.value(bits))
        case .single:
          values.append(bytes.loadUnaligned(fromByteOffset: place, as: Float.self))
        }
      }
    }
    return Tensor(shape: [size.height, size.width], values: values)
  }
}
