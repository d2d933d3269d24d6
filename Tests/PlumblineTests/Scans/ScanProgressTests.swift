import PlumblineModel
import PlumblineReconstruction
import PlumblineRecordings
import Testing

@testable import Plumbline

/// What is said of a scan while it runs, and what a subject decides.
struct ScanProgressTests {
  @Test("Each frame of the second pass is counted, after the loops were looked for")
  func secondPass() throws {
    // Around by half a turn and back, the recorded poses off by 9 cm at the end.
    let path = (0...40).map { index -> RigidTransform in
      let step = Double(min(index, 40 - index))
      return RigidTransform(
        rotation: Rotation(axisAngle: [0, 0.04 * step, 0]) ?? .identity,
        translation: [0.05 * step - 0.5, 0, 0])
    }
    let recorded = path.enumerated().map { index, pose in
      RigidTransform(
        rotation: pose.rotation, translation: pose.translation + [0, 0, 0.0022 * Double(index)])
    }
    var builder = ScanBuilder.coarse
    // Any correction is above a voxel of a millimeter.
    builder.settings.voxelMeters = 0.05
    var seen: [ScanProgress] = []
    let scan = try builder.build(ScanScene().recording(path, recorded: recorded)) {
      seen.append($0)
      return true
    }
    let isAgain = try #require(scan.closure).isApplied
    let stages = seen.map(\.stage)
    #expect(stages.first == .reading && stages.last == .surface)
    let loops = try #require(stages.firstIndex(of: .loops))
    #expect(seen[loops].frameCount == nil && stages.count { $0 == .loops } == 1)
    let again = seen.filter { $0.stage == .fusingAgain }
    #expect(again.map(\.doneCount) == (isAgain ? Array(1...41) : []))
    #expect(again.allSatisfy { $0.frameCount == 41 && $0.fusedCount == 41 })
    #expect(stages.filter { $0 == .fusing }.count == 41)
  }

  @Test("Memory is foreseen by recorded poses, and too much is refused before a frame is fused")
  func memory() throws {
    let path = ScanScene.path(40)
    func seen(_ builder: ScanBuilder, _ recorded: [RigidTransform?]) -> (
      [ScanProgress], Result<Scan, any Error>
    ) {
      var seen: [ScanProgress] = []
      let result = Result {
        try builder.build(ScanScene().recording(path, recorded: recorded)) {
          seen.append($0)
          return true
        }
      }
      return (seen, result)
    }
    var builder = ScanBuilder.coarse
    let (states, result) = seen(builder, path)
    let scan = try result.get()
    let foreseen = try #require(states.compactMap(\.memory).first)
    #expect(states.firstIndex { $0.memory != nil } == 1 && states[1].stage == .reading)
    #expect(foreseen.foreseenBytes == scan.foreseenBytes && foreseen.voxelMeters == 0.05)
    // Every pixel of 32 of 40 frames: what the others alone reach is left out.
    let ratio = Double(try #require(scan.foreseenBytes)) / Double(scan.volumeBytes)
    #expect(ratio > 0.8 && ratio < 1.1, "\(ratio)")
    // Without recorded poses nothing is known of the path.
    let (free, _) = seen(builder, [RigidTransform?](repeating: nil, count: path.count))
    #expect(free.compactMap(\.memory).map(\.foreseenBytes) == [nil])

    builder.settings.maximumBytes = scan.volumeBytes / 4
    let (refused, failure) = seen(builder, path)
    #expect(refused.map(\.stage) == [.reading])
    #expect {
      try failure.get()
    } throws: { error in
      if case ScanError.memory(let needed, let limit, 0.05) = error {
        needed > limit
      } else {
        false
      }
    }
  }

  @Test("A subject keeps voxels within what it needs, and says so; a size that is set stays")
  func voxels() throws {
    // 64 pixels at 2 m and more are 40 mm apart.
    let frames = try ScanFrameReader(
      ScanScene().recording(ScanScene.path(2)), indices: [0, 1],
      settings: ScanBuilder.coarse.settings)
    func voxels(_ subject: ScanSettings.Subject?, _ size: Double? = nil) throws -> ScanVoxels {
      var settings = ScanSettings()
      settings.subject = subject
      settings.voxelMeters = size
      return try .choose(settings) { frames.samples(of: [0, 1], maximumDepth: .infinity) }
    }
    let free = try voxels(nil)
    #expect(free.volume.voxelMeters > 0.01 && !free.reason.contains("coarser"))
    #expect(try voxels(.room).volume.voxelMeters == free.volume.voxelMeters)
    let head = try voxels(.head)
    #expect(head.volume.voxelMeters == 0.003 && head.reason.contains("not coarser of a head"))
    #expect(try voxels(.object).volume.voxelMeters == 0.005)
    #expect(try voxels(.head, 0.02).volume.voxelMeters == 0.02)
  }
}
