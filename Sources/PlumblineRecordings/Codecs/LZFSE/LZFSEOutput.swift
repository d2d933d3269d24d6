/// Decompressed bytes in memory that has ``LZFSEDecoder/slack`` bytes more than they will be.
struct LZFSEOutput {
  private let start: UnsafeMutablePointer<UInt8>
  private let count: Int
  private(set) var written = 0

  /// Starts with none.
  init(start: UnsafeMutablePointer<UInt8>, count: Int) {
    self.start = start
    self.count = count
  }

  /// Appends bytes exactly; says what is wrong when there is no room.
  mutating func append(_ bytes: UnsafePointer<UInt8>, _ size: Int) -> String? {
    guard size <= count - written else { return "more" }
    (start + written).update(from: bytes, count: size)
    written += size
    return nil
  }

  /// Appends bytes for which the caller made sure that there is room, and of which up to 15 more
  /// can be read.
  @inline(__always)
  mutating func appendWithSlack(_ bytes: UnsafePointer<UInt8>, _ size: Int) {
    let target = UnsafeMutableRawPointer(start + written)
    let source = UnsafeRawPointer(bytes)
    var done = 0
    while done < size {
      target.storeBytes(
        of: source.loadUnaligned(fromByteOffset: done, as: SIMD16<UInt8>.self),
        toByteOffset: done, as: SIMD16<UInt8>.self)
      done &+= 16
    }
    written &+= size
  }

  /// Appends `size` bytes, each equal to that `distance` before it, for which the caller made sure
  /// that there is room; `false` when there are none so far back.
  @inline(__always)
  mutating func repeatBytes(from distance: Int, count size: Int) -> Bool {
    if size == 0 { return true }
    guard distance > 0, distance <= written else { return false }
    let target = UnsafeMutableRawPointer(start + written)
    let source = UnsafeRawPointer(target - distance)
    var done = 0
    if distance >= 16 {
      while done < size {
        target.storeBytes(
          of: source.loadUnaligned(fromByteOffset: done, as: SIMD16<UInt8>.self),
          toByteOffset: done, as: SIMD16<UInt8>.self)
        done &+= 16
      }
    } else if distance >= 8 {
      while done < size {
        target.storeBytes(
          of: source.loadUnaligned(fromByteOffset: done, as: UInt64.self), toByteOffset: done,
          as: UInt64.self)
        done &+= 8
      }
    } else if distance == 1 {
      let byte = source.load(as: UInt8.self)
      (start + written).update(repeating: byte, count: size)
    } else {
      let bytes = start + written
      while done < size {
        bytes[done] = bytes[done &- distance]
        done &+= 1
      }
    }
    written &+= size
    return true
  }
}
