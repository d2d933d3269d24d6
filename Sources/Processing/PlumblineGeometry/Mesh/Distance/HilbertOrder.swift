/// An order of points in which neighbors in the list are neighbors in space.
enum HilbertOrder {
  /// Cells along each axis are 2 to this power.
  private static let bits = 16

  /// The places of points along a Hilbert curve through their box; of equal ones in the order of the list.
  ///
  /// - Parameter points: Finite.
  /// - Returns: Each place once. Cost: O(*n*).
  /// - Source: J. Skilling, *Programming the Hilbert curve*, AIP Conference Proceedings 707 (2004) 381.
  static func sorted(_ points: [SIMD3<Float>]) -> [UInt32] {
    var low = SIMD3<Float>(repeating: .infinity)
    var high = -low
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    let size = (high - low).max()
    let scale = size > 0 ? Float((1 << bits) - 1) / size : 0
    let keys = points.map { point in
      // Infinite sizes make no numbers; any order serves then.
      let cell = (point - low) * scale
      return key(
        SIMD3(UInt32(limited(cell.x)), UInt32(limited(cell.y)), UInt32(limited(cell.z))))
    }
    return sorted(by: keys)
  }

  private static func limited(_ value: Float) -> Float {
    value > 0 ? min(value, Float((1 << bits) - 1)) : 0
  }

  private static func key(_ cell: SIMD3<UInt32>) -> UInt64 {
    var x = cell
    var bit = UInt32(1) << (bits - 1)
    while bit > 1 {
      let low = bit - 1
      for axis in 0..<3 {
        if x[axis] & bit != 0 {
          x[0] ^= low
        } else {
          let swap = (x[0] ^ x[axis]) & low
          x[0] ^= swap
          x[axis] ^= swap
        }
      }
      bit >>= 1
    }
    x[1] ^= x[0]
    x[2] ^= x[1]
    var gray: UInt32 = 0
    bit = 1 << (bits - 1)
    while bit > 1 {
      if x[2] & bit != 0 { gray ^= bit - 1 }
      bit >>= 1
    }
    return spread(x[0] ^ gray) << 2 | spread(x[1] ^ gray) << 1 | spread(x[2] ^ gray)
  }

  /// Moves bit *i* of 16 to bit 3·*i*.
  private static func spread(_ value: UInt32) -> UInt64 {
    var wide = UInt64(value)
    wide = (wide | wide << 16) & 0x1F_0000_FF00_00FF
    wide = (wide | wide << 8) & 0x100F_00F0_0F00_F00F
    wide = (wide | wide << 4) & 0x10C3_0C30_C30C_30C3
    wide = (wide | wide << 2) & 0x1249_2492_4924_9249
    return wide
  }

  /// Sorts by twelve bits at a time, from the lowest.
  private static func sorted(by keys: [UInt64]) -> [UInt32] {
    var order = keys.indices.map { UInt32($0) }
    var other = order
    for digit in 0..<4 {
      let shift = UInt64(12 * digit)
      var places = [Int](repeating: 0, count: 4_097)
      for key in keys { places[Int(key >> shift & 4_095) + 1] += 1 }
      for place in 0..<4_096 { places[place + 1] += places[place] }
      for index in order {
        let value = Int(keys[Int(index)] >> shift & 4_095)
        other[places[value]] = index
        places[value] += 1
      }
      swap(&order, &other)
    }
    return order
  }
}
