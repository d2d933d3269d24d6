import CPlumbline
import Plumbline

/// Memory that C reads: allocated and filled once, never written again, freed with the handle that has it.
///
/// The base address of a Swift array would do in practice, but Swift does not promise that it stays.
final class ArrayStorage: Sendable {
  /// The first byte as a number, since pointers are not `Sendable`; nothing writes there after `init`.
  private let address: Int
  private let element: plumbline_element
  /// Elements along each dimension; at least 0.
  private let shape: [Int]
  private let elementBytes: Int

  /// Copies rows of samples without their padding; a sample is `channels` elements, of which one is the last
  /// dimension where there are several.
  convenience init<Sample: BitwiseCopyable & Sendable>(
    _ raster: Raster<Sample>, _ element: plumbline_element, channels: Int = 1
  ) {
    let shape = [raster.height, raster.width] + (channels == 1 ? [] : [channels])
    self.init(shape: shape, element, elementBytes: MemoryLayout<Sample>.stride / channels) {
      memory in
      raster.samples.withUnsafeBytes { samples in
        let rowBytes = raster.width * MemoryLayout<Sample>.stride
        let strideBytes = raster.rowStride * MemoryLayout<Sample>.stride
        guard let source = samples.baseAddress, rowBytes > 0 else { return }
        if rowBytes == strideBytes {
          memory.copyMemory(from: source, byteCount: rowBytes * raster.height)
          return
        }
        for row in 0..<raster.height {
          (memory + row * rowBytes).copyMemory(
            from: source + row * strideBytes, byteCount: rowBytes)
        }
      }
    }
  }

  /// Copies a list; an entry is `channels` elements.
  convenience init<Entry: BitwiseCopyable>(
    list: [Entry], _ element: plumbline_element, channels: Int = 1
  ) {
    self.init(
      shape: [list.count] + (channels == 1 ? [] : [channels]), element,
      elementBytes: MemoryLayout<Entry>.stride / channels
    ) { memory in
      list.withUnsafeBytes { source in
        if let start = source.baseAddress {
          memory.copyMemory(from: start, byteCount: source.count)
        }
      }
    }
  }

  private init(
    shape: [Int], _ element: plumbline_element, elementBytes: Int,
    _ fill: (UnsafeMutableRawPointer) -> Void
  ) {
    let count = shape.reduce(1, *)
    // Of one element at least: an empty array has an address too. Aligned for vector loads.
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, count) * elementBytes, alignment: 64)
    fill(memory)
    address = Int(bitPattern: memory)
    self.element = element
    self.shape = shape
    self.elementBytes = elementBytes
  }

  deinit { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }

  /// The array as C sees it.
  var description: plumbline_array {
    var array = plumbline_array()
    array.values = UnsafeRawPointer(bitPattern: address)
    array.element = element
    array.dimensions = Int32(shape.count)
    var strides = [Int](repeating: elementBytes, count: shape.count)
    for index in shape.indices.dropLast().reversed() {
      strides[index] = strides[index + 1] * shape[index + 1]
    }
    func three(_ numbers: [Int]) -> (Int64, Int64, Int64) {
      let padded = numbers.map(Int64.init) + [0, 0, 0]
      return (padded[0], padded[1], padded[2])
    }
    array.shape = three(shape)
    array.stride = three(strides)
    return array
  }

  /// The elements as an image of colors, for what is computed from it; `nil` for another shape.
  var colors: Raster<RGB8>? {
    guard shape.count == 3, shape[2] == 3, elementBytes == 1,
      let start = UnsafeRawPointer(bitPattern: address)
    else { return nil }
    let size = RasterSize(width: shape[1], height: shape[0])
    let samples = [RGB8](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
      UnsafeMutableRawBufferPointer(buffer).copyMemory(
        from: UnsafeRawBufferPointer(start: start, count: 3 * size.pixelCount))
      count = size.pixelCount
    }
    return Raster(size: size, samples: samples)
  }
}
