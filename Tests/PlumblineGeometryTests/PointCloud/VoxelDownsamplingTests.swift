import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

/// Means by voxel, against a dictionary.
@Suite struct VoxelDownsamplingTests {
  private func cloud(_ count: Int) -> PointCloud {
    var random = SeededGenerator(seed: 21)
    let positions = (0..<count).map { _ in
      PackedPoint(
        x: Float(random.gaussian()), y: Float(random.gaussian()), z: Float(random.gaussian()))
    }
    return PointCloud(
      positions: positions,
      colors: positions.indices.map { RGB8(red: UInt8($0 % 256), green: 7, blue: UInt8($0 % 3)) },
      sigmaMeters: positions.indices.map { 0.001 * Float(1 + $0 % 4) }, isMetric: true)
  }

  @Test(arguments: [0.05, 0.3, 20])
  func voxelsAreThoseOfADictionary(size: Double) throws {
    let cloud = cloud(3000)
    let reduced = try cloud.downsampled(voxelMeters: size, threads: 2)
    var voxels: [[Int]: [Int]] = [:]
    for (index, p) in cloud.positions.enumerated() {
      let voxel = [p.x, p.y, p.z].map { Int((Double($0) / size).rounded(.down)) }
      voxels[voxel, default: []].append(index)
    }
    let keys = voxels.keys.sorted { $0.lexicographicallyPrecedes($1) }
    try #require(reduced.count == keys.count)
    for (place, key) in keys.enumerated() {
      let members = try #require(voxels[key])
      let n = Double(members.count)
      let x = members.reduce(0.0) { $0 + Double(cloud.positions[$1].x) } / n
      #expect(reduced.positions[place].x == Float(x))
      let red = members.reduce(0) { $0 + Int(cloud.colors?[$1].red ?? 0) }
      #expect(Double(reduced.colors?[place].red ?? 0) == (Double(red) / n).rounded())
      let square = members.reduce(0.0) {
        $0 + Double(cloud.sigmaMeters?[$1] ?? 0) * Double(cloud.sigmaMeters?[$1] ?? 0)
      }
      #expect(reduced.sigmaMeters?[place] == Float(square.squareRoot() / n))
    }
  }

  @Test func threadsDoNotShowAndWhatIsNotFiniteIsInNoVoxel() throws {
    var cloud = cloud(9000)
    cloud.positions[5] = PackedPoint(x: .nan, y: 0, z: 0)
    cloud.positions[6] = PackedPoint(x: 0, y: 0, z: -.infinity)
    let groups = try VoxelGroups.grouping(cloud.positions, size: 0.1)
    #expect(groups.members.count == 8998 && !groups.members.contains { $0 == 5 || $0 == 6 })
    let all = try [1, 2, 7].map { try cloud.downsampled(voxelMeters: 0.1, threads: $0) }
    #expect(all[1].positions == all[0].positions && all[2].positions == all[0].positions)
    #expect(all[1].colors == all[0].colors && all[2].sigmaMeters == all[0].sigmaMeters)
  }

  @Test func voxelsThatCannotBeNumberedAreRefused() throws {
    let far = [PackedPoint(x: 0, y: 0, z: 0), PackedPoint(x: 3e6, y: 0, z: 0)]
    #expect(throws: VoxelNumberingError.self) {
      try VoxelGroups.grouping(far, size: 1)
    }
    #expect(try VoxelGroups.grouping([], size: 1).count == 0)
  }
}
