import PlumblineModel

/// One vertex of a surface, as it is read from the voxels at the ends of its edge.
private struct SurfaceVertex {
  var position: PackedPoint
  var color: RGB8
  /// The mean of the pixels' own noise, in meters.
  var noise: Float
  /// The error that a view shares, in meters.
  var shared: Float
  var views: Float
}

/// The vertices of a surface, in the order of their numbers.
struct SurfaceVertices {
  private(set) var positions: [PackedPoint]
  /// `nil` where no frame had any.
  private(set) var colors: [RGB8]?
  private(set) var errors: VertexErrors

  /// One vertex for each used edge; O(vertices + blocks).
  static func make(
    of volume: SurfaceVolume, blocks: SortedBlocks, numbering: EdgeNumbering, threads: Int
  ) -> SurfaceVertices {
    let count = numbering.count
    let hasColors = volume.slabs.contains { !$0.colors.isEmpty }
    let black = RGB8(red: 0, green: 0, blue: 0)
    var positions = [PackedPoint](repeating: PackedPoint(x: 0, y: 0, z: 0), count: count)
    var colors = [RGB8](repeating: black, count: hasColors ? count : 0)
    var noise = [Float](repeating: .nan, count: count)
    var (shared, views) = (noise, [Float](repeating: 0, count: count))
    positions.withUnsafeMutableBufferPointer { positions in
      colors.withUnsafeMutableBufferPointer { colors in
        noise.withUnsafeMutableBufferPointer { noise in
          shared.withUnsafeMutableBufferPointer { shared in
            views.withUnsafeMutableBufferPointer { views in
              forEach(of: volume, blocks: blocks, numbering: numbering, threads: threads) {
                number, vertex in
                positions[number] = vertex.position
                if hasColors { colors[number] = vertex.color }
                noise[number] = vertex.noise
                shared[number] = vertex.shared
                views[number] = vertex.views
              }
            }
          }
        }
      }
    }
    return SurfaceVertices(
      positions: positions, colors: hasColors ? colors : nil,
      errors: VertexErrors(noiseMeters: noise, sharedMeters: shared, views: views))
  }

  /// Calls with the number of each vertex, on several threads.
  private static func forEach(
    of volume: SurfaceVolume, blocks: SortedBlocks, numbering: EdgeNumbering, threads: Int,
    _ body: (Int, SurfaceVertex) -> Void
  ) {
    let count = blocks.keys.count
    let tasks = (count + SurfaceVolume.blocksPerTask - 1) / SurfaceVolume.blocksPerTask
    volume.withVoxels { voxels in
      let reader = EdgeReader(
        blocks: blocks, voxels: voxels, states: volume.states,
        voxelMeters: volume.settings.voxelMeters)
      forEachConcurrently(tasks, threads: threads) { task in
        let first = task * SurfaceVolume.blocksPerTask
        for rank in first..<min(count, first + SurfaceVolume.blocksPerTask) {
          var next = numbering.first(ofBlock: rank)
          let words = rank * EdgeNumbering.wordsPerBlock
          for word in 0..<EdgeNumbering.wordsPerBlock {
            var bits = numbering.used[words + word]
            while bits != 0 {
              body(next, reader.vertex(rank, edge: word * 64 + bits.trailingZeroBitCount))
              next += 1
              bits &= bits - 1
            }
          }
        }
      }
    }
  }
}

/// Reads the two voxels of an edge.
private struct EdgeReader {
  let blocks: SortedBlocks
  let voxels: BlockVoxels
  let states: [BlockState]
  let voxelMeters: Double

  /// The vertex where the distance is 0 on the line between the voxels.
  func vertex(_ rank: Int, edge: Int) -> SurfaceVertex {
    let (voxel, axis) = (edge / 3, edge % 3)
    let here = SIMD3(voxel & 7, voxel >> 3 & 7, voxel >> 6)
    var there = here
    there[axis] += 1
    var step = SIMD3(0, 0, 0)
    if there[axis] == 8 {
      step[axis] = 1
      there[axis] = 0
    }
    // A triangle uses the edge, so both voxels exist.
    let place = blocks.places[rank]
    let other =
      step == SIMD3(0, 0, 0)
      ? place
      : blocks.place(of: blocks.keys[rank].moved(step.x, step.y, step.z)) ?? place
    let a = voxels.voxel(place, x: here.x, y: here.y, z: here.z)
    let b = voxels.voxel(other, x: there.x, y: there.y, z: there.z)
    // Between 0 and 1, since exactly one of the two is below 0.
    let part = a.distance / (a.distance - b.distance)
    var point = blocks.keys[rank].firstVoxel + SIMD3(Double(here.x), Double(here.y), Double(here.z))
    point[axis] += Double(part)
    point *= voxelMeters
    let state = states[place]
    return SurfaceVertex(
      position: PackedPoint(x: Float(point.x), y: Float(point.y), z: Float(point.z)),
      color: color(
        voxels.color(place, x: here.x, y: here.y, z: here.z),
        voxels.color(other, x: there.x, y: there.y, z: there.z), part),
      noise: (state.varianceShare / (a.weight + part * (b.weight - a.weight))).squareRoot(),
      shared: Float(state.shared.sharedVariance.squareRoot()), views: Float(state.shared.views))
  }

  private func color(_ a: SIMD3<Float>?, _ b: SIMD3<Float>?, _ part: Float) -> RGB8 {
    let (first, second) = (a ?? b ?? .zero, b ?? a ?? .zero)
    let mixed = first + (second - first) * part + 0.5
    let bounded = mixed.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
    return RGB8(red: UInt8(bounded.x), green: UInt8(bounded.y), blue: UInt8(bounded.z))
  }
}
