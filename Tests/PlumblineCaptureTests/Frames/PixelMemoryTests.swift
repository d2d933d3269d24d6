import PlumblineCapture
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("Frames out of device memory")
struct PixelMemoryTests {
  private let size = RasterSize(width: 5, height: 3)

  @Test("Rows end where their pixels do, whatever the padding holds", arguments: [20, 21, 32, 64])
  func padding(bytesPerRow: Int) throws {
    var memory = [UInt8](repeating: 0xEE, count: bytesPerRow * size.height)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let value = x == 4 ? Float.nan : Float(1 + x) / 8 + Float(y)
        withUnsafeBytes(of: value.bitPattern) { bytes in
          for (k, byte) in bytes.enumerated() { memory[y * bytesPerRow + 4 * x + k] = byte }
        }
      }
    }
    let depth = memory.withUnsafeBytes {
      DepthRecord.Values(bytes: $0, bytesPerRow: bytesPerRow, size: size, type: .depth32)
    }
    guard case .depth(let map) = depth else {
      Issue.record("no depth map")
      return
    }
    #expect(map.meters[2, 1] == 1.375)
    #expect(map.meters[4, 2].isNaN)
    let disparity = memory.withUnsafeBytes {
      DepthRecord.Values(bytes: $0, bytesPerRow: bytesPerRow, size: size, type: .disparity32)
    }
    guard case .disparity(let inverse) = disparity else {
      Issue.record("no disparity map")
      return
    }
    #expect(inverse.inverseMeters[2, 1] == 1.375)
  }

  @Test("Memory that is too small for its size gives nothing")
  func tooSmall() {
    let memory = [UInt8](repeating: 0, count: 59)
    memory.withUnsafeBytes {
      #expect(
        DepthRecord.Values(bytes: $0, bytesPerRow: 20, size: size, type: .depth32) == nil)
    }
  }

  @Test("Half precision depth and disparity keep their kinds")
  func halves() {
    // 1.5 as IEEE 754 half.
    let memory = [UInt16](repeating: 0x3E00, count: 15)
    memory.withUnsafeBytes {
      let depth = DepthRecord.Values(bytes: $0, bytesPerRow: 10, size: size, type: .depth16)
      let disparity = DepthRecord.Values(bytes: $0, bytesPerRow: 10, size: size, type: .disparity16)
      if case .depth(let map) = depth {
        #expect(map.meters[4, 2] == 1.5)
      } else {
        Issue.record("not depth")
      }
      if case .disparity(let map) = disparity {
        #expect(map.inverseMeters[0, 0] == 1.5)
      } else {
        Issue.record("not disparity")
      }
    }
  }
}
