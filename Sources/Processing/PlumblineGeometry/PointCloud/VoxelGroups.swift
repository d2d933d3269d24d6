internal import CKernels
package import PlumblineModel

/// A voxel so small that the voxels of a cloud cannot be numbered.
package struct VoxelNumberingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The longest side of the box about the points.
  package let extent: Double
  /// The edge of a voxel, in the unit of the points.
  package let size: Double

  /// One sentence.
  package var description: String {
    "points over \(extent) with voxels of \(size): at most 2²⁰ voxels along an axis can be numbered"
  }
}

/// Points by the voxel in which they lie.
package struct VoxelGroups: Sendable {
  /// The indices of the points, voxel after voxel by its coordinates (x first), in a voxel ascending.
  package let members: [UInt32]
  /// Where the members of each voxel begin, and at last their number.
  package let starts: [Int]

  /// The number of voxels with points.
  package var count: Int { starts.count - 1 }

  /// Groups points by voxels whose corner is the least of all coordinates, rounded down to a voxel.
  ///
  /// - Parameters:
  ///   - points: In any unit; those whose coordinates are not finite are in no voxel.
  ///   - size: The edge of a voxel, in the unit of the points.
  /// - Returns: The same for any order of execution.
  /// - Throws: ``VoxelNumberingError`` where there are more than 2²⁰ voxels along an axis.
  /// - Precondition: The size is finite and above 0; at most 2³¹ points.
  /// - Complexity: O(*n*); 24 bytes a point while it runs.
  package static func grouping(_ points: [PackedPoint], size: Double) throws(VoxelNumberingError)
    -> VoxelGroups
  {
    precondition(size > 0 && size < .infinity, "voxels of \(size)")
    precondition(points.count <= 1 << 31, "\(points.count) points cannot be counted in 32 bits")
    guard let (low, high) = bounds(of: points) else { return VoxelGroups(members: [], starts: [0]) }
    // A corner on the grid of all voxels, so that a cloud and its part share their voxels.
    let origin = (low / size).rounded(.down) * size
    let extent = ((high - origin) / size).max()
    guard extent < 0x1p20, low.min() > -0x1p50 * size, high.max() < 0x1p50 * size else {
      throw VoxelNumberingError(extent: (high - low).max(), size: size)
    }
    let bits = (0..<3).map { axis in
      // One cell more for rounding.
      Int32(64 - UInt64((high[axis] - origin[axis]) / size + 1).leadingZeroBitCount)
    }
    var keys = [UInt64](repeating: 0, count: points.count)
    let corner = [origin.x, origin.y, origin.z]
    let inside = KDTree.withCoordinates(points) { coordinates in
      keys.withUnsafeMutableBufferPointer { keys in
        keys.baseAddress.map {
          plb_voxel_keys(coordinates, points.count, corner, size, bits, $0)
        } ?? 0
      }
    }
    return sorted(keys: keys, bits: Int(bits.reduce(0, +)), inside: inside)
  }

  private static func sorted(keys: [UInt64], bits: Int, inside: Int) -> VoxelGroups {
    var order = [UInt32](repeating: 0, count: keys.count)
    var scratch = order
    // Keys of no voxel have all bits: one bit more sorts them to the end.
    plb_sort_by_key(keys, keys.count, Int32((bits + 1 + 10) / 11), &order, &scratch)
    order.removeLast(keys.count - inside)
    var starts: [Int] = []
    order.withUnsafeBufferPointer { order in
      keys.withUnsafeBufferPointer { keys in
        var last = UInt64.max
        for place in order.indices {
          let key = keys[Int(order[place])]
          if key != last { starts.append(place) }
          last = key
        }
      }
    }
    starts.append(inside)
    return VoxelGroups(members: order, starts: starts)
  }

  private static func bounds(of points: [PackedPoint]) -> (SIMD3<Double>, SIMD3<Double>)? {
    var (low, high) = (SIMD3<Float>(repeating: .infinity), SIMD3<Float>(repeating: -.infinity))
    points.withUnsafeBufferPointer { points in
      for point in points {
        let place = SIMD3(point.x, point.y, point.z)
        // x − x is 0 for finite numbers and NaN for others.
        guard (place - place) == .zero else { continue }
        low = pointwiseMin(low, place)
        high = pointwiseMax(high, place)
      }
    }
    return low.x <= high.x ? (SIMD3<Double>(low), SIMD3<Double>(high)) : nil
  }
}

extension VoxelGroups {
  /// Computes one value for each voxel.
  ///
  /// - Parameters:
  ///   - initial: Any value, which is replaced.
  ///   - threads: The maximum number of threads.
  ///   - body: Takes the indices of a voxel's points, at least one, ascending.
  /// - Returns: A value for each voxel, in their order.
  package func map<Value: BitwiseCopyable>(
    initial: Value, threads: Int, _ body: (Slice<UnsafeBufferPointer<UInt32>>) -> Value
  ) -> [Value] {
    var values = [Value](repeating: initial, count: count)
    let chunk = 4096
    values.withUnsafeMutableBufferPointer { values in
      members.withUnsafeBufferPointer { members in
        starts.withUnsafeBufferPointer { starts in
          forEachConcurrently((count + chunk - 1) / chunk, threads: threads) { number in
            for voxel in number * chunk..<min(count, (number + 1) * chunk) {
              values[voxel] = body(members[starts[voxel]..<starts[voxel + 1]])
            }
          }
        }
      }
    }
    return values
  }

  /// The mean of each voxel's points or vectors, summed in double precision.
  package func means(of values: [PackedPoint], threads: Int) -> [PackedPoint] {
    values.withUnsafeBufferPointer { values in
      map(initial: PackedPoint(x: 0, y: 0, z: 0), threads: threads) { members in
        var sum = SIMD3<Double>.zero
        for index in members {
          let value = values[Int(index)]
          sum += SIMD3(Double(value.x), Double(value.y), Double(value.z))
        }
        let mean = sum / Double(members.count)
        return PackedPoint(x: Float(mean.x), y: Float(mean.y), z: Float(mean.z))
      }
    }
  }

  /// The ± of each voxel's mean: `√Σσ² / n`, of errors that its points do not share.
  package func sigmas(of values: [Float], threads: Int) -> [Float] {
    values.withUnsafeBufferPointer { values in
      map(initial: 0, threads: threads) { members in
        let sum = members.reduce(0.0) { $0 + Double(values[Int($1)]) * Double(values[Int($1)]) }
        return Float(sum.squareRoot() / Double(members.count))
      }
    }
  }
}
