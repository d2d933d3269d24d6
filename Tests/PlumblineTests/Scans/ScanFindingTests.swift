import PlumblineIO
import PlumblineModel
import PlumblineReconstruction
import PlumblineRecordings
import PlumblineTestSupport
import Testing

@testable import Plumbline

/// Each finding of a scan, by a recording that has just that fault; and none by a sound one.
struct ScanFindingTests {
  static let scene = ScanScene()
  static let path = ScanScene.path(14)

  private func codes(_ scan: Scan) -> [FindingCode] {
    scan.findings.map(\.finding.code).filter { $0.family == .scan || $0.family == .sequence }
  }

  private func finding(_ code: FindingCode, of scan: Scan) throws -> Finding {
    try #require(scan.findings.first { $0.finding.code == code }?.finding, "\(codes(scan))")
  }

  @Test("A sound recording has none, with recorded poses and without")
  func sound() throws {
    let posed = try ScanBuilder.coarse.build(Self.scene.recording(Self.path))
    #expect(codes(posed) == [] && posed.fusedCount == Self.path.count)
    let none = [RigidTransform?](repeating: nil, count: Self.path.count)
    let free = try ScanBuilder.coarse.build(Self.scene.recording(Self.path, recorded: none))
    #expect(codes(free) == [] && free.fusedCount == Self.path.count)
  }

  @Test("One wall without poses and colors ends tracking, and is said instead of sliding")
  func wall() throws {
    var wall = Self.scene
    wall.planes = [([0, 0, -1], -1.2)]
    wall.spheres = []
    let path = (0..<14).map {
      RigidTransform(rotation: .identity, translation: [0.012 * Double($0), 0, 0])
    }
    let none = [RigidTransform?](repeating: nil, count: path.count)
    let scan = try ScanBuilder.coarse.build(wall.recording(path, recorded: none))
    #expect(codes(scan) == [.scanPoseOpen, .scanSingleFrame], "\(codes(scan))")
    let open = try finding(.scanPoseOpen, of: scan)
    #expect(open.evidence == "frames f1 to f13" && open.severity == .caution)
    #expect(scan.fragments.count == 1 && scan.leftOut.count == 13)
    // With recorded poses it lies where they say.
    let posed = try ScanBuilder.coarse.build(wall.recording(path))
    #expect(posed.fusedCount == path.count && codes(posed) == [.scanOpenDirection])
    let last = try #require(posed.trajectory.frames.last?.estimate).aFromB.translation
    #expect(abs(last.x - path[13].translation.x) < 1e-3, "\(last)")
  }

  @Test("Frames of another place are lost, and named from the first to the last")
  func lost() throws {
    let none = [RigidTransform?](repeating: nil, count: Self.path.count)
    let recording = Self.scene.recording(Self.path, recorded: none) { index, scene in
      guard (6...8).contains(index) else { return }
      scene.planes = [([0.2, 0.3, -0.93], -0.7)]
      scene.spheres = []
    }
    let scan = try ScanBuilder.coarse.build(recording)
    #expect(scan.fusedCount == Self.path.count - 3 && scan.fragments.count == 1)
    let lost = try finding(.scanTrackingLost, of: scan)
    #expect(lost.evidence == "frames f6 to f8" && lost.message.hasPrefix("3 of 14 frames"))
    #expect(scan.poses.frames[7].worldFromCamera == nil)
    #expect(scan.poses.frames[7].state?.hasPrefix("lost") == true)
  }

  @Test("A second place is a surface of its own, and both are said to have no place to each other")
  func pieces() throws {
    let path = ScanScene.path(26)
    let none = [RigidTransform?](repeating: nil, count: path.count)
    let recording = Self.scene.recording(path, recorded: none) { index, scene in
      guard index >= 6 else { return }
      scene.planes = scene.planes.map { ($0.normal, $0.offset * 0.4) }
      scene.spheres = [.init(center: [0.3, 0.1, 0.8], radius: 0.2)]
    }
    let scan = try ScanBuilder.coarse.build(recording)
    #expect(scan.fragments.count == 2)
    #expect(try finding(.scanInPieces, of: scan).evidence.contains("frame"))
    // The first surface is that of most frames, whichever came first.
    let surfaces = scan.poses.frames.compactMap(\.surface)
    #expect(surfaces.count { $0 == 1 } == scan.fragments[0].frameCount)
    #expect(surfaces.count { $0 == 2 } == scan.fragments[1].frameCount)
    #expect(scan.poses.otherWorldCount == scan.fragments[1].frameCount)
  }

  @Test("Recorded poses of half the scale are refused, with how far the camera moved instead")
  func wrongScale() throws {
    let half = Self.path.map {
      RigidTransform(rotation: $0.rotation, translation: 0.3 * $0.translation)
    }
    let recording = Self.scene.recording(Self.path, recorded: half)
    let scan = try ScanBuilder.coarse.build(recording)
    let refused = try finding(.scanMotionRefused, of: scan)
    #expect(refused.message.contains("times as far as recorded"), "\(refused.message)")
    #expect(scan.fusedCount < Self.path.count)
    // The remedy that the explanation names.
    var builder = ScanBuilder.coarse
    builder.settings.ignoresRecordedPoses = true
    let free = try builder.build(recording)
    #expect(free.fusedCount == Self.path.count && codes(free) == [])
  }

  @Test("Frames of an unknown sensor in steps are tracked, though neighbors hardly differ")
  func unknownSensor() throws {
    // Steps of inverse depth as of a Kinect, 11 mm at 2 m: most neighbors have the same depth.
    let captures = Self.path.enumerated().map { index, pose in
      let depth = Self.scene.depth(from: pose, seed: UInt64(index) + 1).map {
        1 / ((1 / $0 / 0.00285).rounded() * 0.00285)
      }
      var capture = ScanScene.capture(depth, recorded: pose, index: index)
      capture.source = CaptureSource(camera: .unknown, interface: .unknown)
      return capture
    }
    let scan = try ScanBuilder.coarse.build(ScanScene.recording(captures))
    #expect(scan.fusedCount == Self.path.count && scan.tracking.followedCount == 0)
    #expect(scan.noiseBasis.contains("Kinect"), "\(scan.noiseBasis)")
  }

  @Test("A path that is 6 % short is said as a scale, with how far its end moved")
  func scale() throws {
    let path = ScanScene.path(26)
    let short = path.map {
      RigidTransform(rotation: $0.rotation, translation: 0.94 * $0.translation)
    }
    let scan = try ScanBuilder.coarse.build(Self.scene.recording(path, recorded: short))
    let scale = try finding(.sequencePosesScale, of: scan)
    #expect(scan.fusedCount == path.count)
    #expect(abs((scale.effect.lengthPercent ?? 0) - 6.4) < 2.5, "\(scale.message)")
    #expect(scale.message.contains("longer") && scale.evidence.contains("end moved"))
  }

  @Test("Poses that jump are said, and poses that are all the same are not used")
  func recordedPoses() throws {
    var jumping: [RigidTransform?] = ScanScene.path(26)
    let path = ScanScene.path(26)
    for index in 13..<26 {
      jumping[index] = jumping[index].map {
        RigidTransform(rotation: $0.rotation, translation: $0.translation + [0.3, 0, 0])
      }
    }
    let scan = try ScanBuilder.coarse.build(Self.scene.recording(path, recorded: jumping))
    #expect(try finding(.sequencePoseJumps, of: scan).evidence == "f13")
    let still = [RigidTransform?](repeating: .identity, count: Self.path.count)
    let unused = try ScanBuilder.coarse.build(Self.scene.recording(Self.path, recorded: still))
    #expect(codes(unused) == [.sequencePosesStill] && unused.fusedCount == Self.path.count)
  }

  @Test("A sphere that flies through the room is said to have moved")
  func moving() throws {
    let path = ScanScene.path(20)
    let recording = Self.scene.recording(path) { index, scene in
      let across = Double(index) * 0.12 - 1.1
      scene.spheres.append(.init(center: [across, 0.1, 1.3], radius: 0.45))
    }
    let scan = try ScanBuilder.coarse.build(recording)
    let moved = try finding(.scanMoved, of: scan)
    #expect(moved.severity == .caution, "\(moved.message)")
  }

  @Test(
    "Frames without pixels are left out and said; one frame alone is said; all of them are refused")
  func holes() throws {
    let empty = Raster<Float>(size: ScanScene.camera.size, repeating: .nan)
    let captures = Self.path.enumerated().map { index, pose in
      ScanScene.capture(
        (4...5).contains(index) ? empty : Self.scene.depth(from: pose, seed: UInt64(index) + 1),
        recorded: pose, index: index)
    }
    let scan = try ScanBuilder.coarse.build(ScanScene.recording(captures))
    #expect(try finding(.scanFewPixels, of: scan).evidence == "frames f4 to f5")
    let one = try ScanBuilder.coarse.build(ScanScene.recording([captures[0]]))
    #expect(codes(one) == [.scanSingleFrame])
    let holes = ScanScene.recording([captures[4], captures[5]])
    #expect(throws: ScanError.self) { try ScanBuilder.coarse.build(holes) }
    #expect {
      try ScanBuilder.coarse.build(ScanScene.recording([]))
    } throws: { "\($0)".contains("frames that can be fused") }
  }

  @Test("Depths without a unit are refused, and say so")
  func relative() throws {
    let depth = Self.scene.depth(from: .identity, seed: 1)
    let capture = ScanScene.capture(depth, recorded: nil, index: 0, hasUnit: false)
    #expect {
      try ScanBuilder.coarse.build(ScanScene.recording([capture]))
    } throws: { "\($0)".contains("relative") }
  }
}
