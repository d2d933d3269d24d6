import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Synchronization
import Testing

/// Searches in a tree, against sorting all points.
@Suite struct KDTreeTests {
  /// Points on few places, so that many are equally near.
  private func points(_ count: Int, seed: Int, grid: Float) -> [PackedPoint] {
    var random = SeededGenerator(seed: UInt64(seed))
    return (0..<count).map { _ in
      let p = (0..<3).map { _ in (Float(random.gaussian()) * grid).rounded() / grid }
      return PackedPoint(x: p[0], y: p[1], z: p[2])
    }
  }

  /// The slow twin: the same operations in the same order, then sorting by distance and index.
  private func sorted(_ points: [PackedPoint], from place: PackedPoint) -> [(Float, Int)] {
    let distances = points.indices.compactMap { index -> (Float, Int)? in
      let (x, y, z) = (
        points[index].x - place.x, points[index].y - place.y, points[index].z - place.z
      )
      let square = (x * x + y * y) + z * z
      return square.isFinite ? (square, index) : nil
    }
    return distances.sorted { $0 < $1 }
  }

  @Test(arguments: 0..<12)
  func findsWhatSortingFinds(seed: Int) {
    // From coarse grids with many equal distances to hardly any.
    let grid: Float = [1, 3, 1000][seed % 3]
    var cloud = points([1, 15, 17, 300, 700][seed % 5], seed: seed, grid: grid)
    cloud.append(PackedPoint(x: .nan, y: 0, z: 0))
    cloud.append(PackedPoint(x: 0, y: .infinity, z: 0))
    let tree = KDTree.build(cloud, threads: 1 + seed % 3)
    for place in points(20, seed: seed + 100, grid: grid) {
      let expected = sorted(cloud, from: place)
      for count in [1, 5, 24] {
        let found = tree.nearest(to: place, count: count)
        #expect(found.map(\.index) == expected.prefix(count).map(\.1))
        #expect(found.map(\.squaredDistance) == expected.prefix(count).map(\.0))
      }
      let near = expected.filter { $0.0 <= 1.5 * 1.5 }
      #expect(tree.neighbors(of: place, within: 1.5).map(\.index) == near.map(\.1))
    }
  }

  /// From hardly any equal distances to all points at one place; 48 neighbors are found by leaves, 49 one by one.
  @Test(arguments: 0..<16)
  func pointsThatSearchTogetherFindWhatEachFindsAlone(seed: Int) {
    let grid: Float = [1, 3, 1000, 0.01][seed % 4]
    var cloud = points([1, 17, 300, 900][seed / 4], seed: seed, grid: grid)
    cloud.append(PackedPoint(x: 0, y: .nan, z: 0))
    let tree = KDTree.build(cloud, threads: 2)
    for count in [1, 3, 20, 48, 49] {
      for radius in [Float.infinity, 0.7] {
        let all = Mutex<[UInt32: [UInt64]]>([:])
        tree.forEachOwnBatch(neighbors: count, within: radius, threads: 2) { indices, _, found in
          for (place, index) in indices.enumerated() {
            let list = Array(found[place * count..<(place + 1) * count])
            all.withLock { $0[index] = list }
          }
        }
        let lists = all.withLock { $0 }
        #expect(lists.count == cloud.count - 1)
        for (index, list) in lists {
          let alone = tree.nearest(to: cloud[Int(index)], count: count, within: radius)
          #expect(list.compactMap { PointNeighbor(key: $0) } == alone)
        }
      }
    }
  }

  @Test func aCandidateDoesNotChangeTheNearest() {
    let cloud = points(500, seed: 1, grid: 4)
    let tree = KDTree.build(cloud, threads: 2)
    let places = points(300, seed: 2, grid: 8)
    var found = places.indices.map { $0 % 7 == 0 ? UInt64.max : UInt64($0) }
    var known = [SIMD4<Float>](repeating: .zero, count: places.count)
    places.withUnsafeBufferPointer { places in
      found.withUnsafeMutableBufferPointer { found in
        known.withUnsafeMutableBufferPointer { known in
          tree.searchNearest(places, within: 1, found: found, known: known)
        }
      }
    }
    for (place, key) in zip(places, found) {
      let nearest = tree.nearest(to: place, count: 1, within: 1).first
      #expect(PointNeighbor(key: key) == nearest)
    }
  }

  /// Places that move less and less, as in a registration: on a grid, where many points are equally near, and off it.
  @Test(arguments: 0..<8)
  func whatIsKnownFromTheSearchBeforeDoesNotChangeTheNearest(seed: Int) {
    let grid: Float = seed % 2 == 0 ? 4 : 1000
    let cloud = points(700, seed: seed, grid: grid)
    let tree = KDTree.build(cloud, threads: 2)
    var places = points(200, seed: seed + 50, grid: 2 * grid)
    places[3].x = .nan
    var found = [UInt64](repeating: .max, count: places.count)
    var known = [SIMD4<Float>](repeating: .zero, count: places.count)
    var random = SeededGenerator(seed: UInt64(seed))
    var needless = 0
    for step in [0, 0.3, 0.1, 0.03, 0.01, 0, 0.001, 0.2] as [Float] {
      for index in places.indices { places[index].x += step * Float(random.gaussian()) }
      let before = known
      places.withUnsafeBufferPointer { places in
        found.withUnsafeMutableBufferPointer { found in
          known.withUnsafeMutableBufferPointer { known in
            tree.searchNearest(places, within: 0.8, found: found, known: known)
          }
        }
      }
      for (place, key) in zip(places, found) {
        #expect(PointNeighbor(key: key) == tree.nearest(to: place, count: 1, within: 0.8).first)
      }
      needless += zip(before, known).count { $0 == $1 && $0.w > 0 }
    }
    // Else the test would not show anything.
    #expect(needless > 200)
  }

  @Test func emptyCloudsAndPlacesThatAreNotFiniteFindNothing() {
    let empty = KDTree.build([], threads: 2)
    #expect(empty.nearest(to: PackedPoint(x: 0, y: 0, z: 0), count: 3).isEmpty)
    let tree = KDTree.build(points(50, seed: 3, grid: 10), threads: 2)
    #expect(tree.nearest(to: PackedPoint(x: 0, y: .nan, z: 0), count: 3).isEmpty)
    #expect(tree.nearest(to: PackedPoint(x: 0, y: 0, z: 0), count: 0).isEmpty)
  }

  @Test func everyPointIsFoundAtItsOwnPlace() {
    let cloud = points(4000, seed: 5, grid: 1e4)
    let tree = KDTree.build(cloud, threads: 7)
    var own = [Int](repeating: -1, count: cloud.count)
    own.withUnsafeMutableBufferPointer { own in
      tree.forEachOwnBatch(neighbors: 1, threads: 3) { indices, _, found in
        for (index, key) in zip(indices, found) { own[Int(index)] = Int(key & 0xffff_ffff) }
      }
    }
    // Equal points answer for one another, by the least index.
    #expect(own.indices.allSatisfy { own[$0] <= $0 && cloud[own[$0]] == cloud[$0] })
  }
}
