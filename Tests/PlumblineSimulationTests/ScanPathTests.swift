import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineSimulation

/// Ways of a camera, and what is wrong with the poses that a recording states of them.
@Suite struct ScanPathTests {
  static let scenes: [SimulationScene] = [.roomLoop, .roomEight, .headTurn]

  @Test(arguments: scenes) func pathsCloseStayFreeAndAreSmooth(scene: SimulationScene) throws {
    let recording = scene.recording(by: .lidar, frames: 181, seed: 4)
    let poses = recording.sceneFromCameras
    let (first, last) = (try #require(poses.first), try #require(poses.last))
    // Rounding of whole turns.
    #expect(length(first.translation - last.translation) < 1e-12)
    #expect(recording.frameSeconds == 0.1)
    for (pose, next) in zip(poses, poses.dropFirst()) {
      // Nothing is run into; the nearest is a vase behind the camera, 0.09 m away.
      #expect(recording.scene.signedDistance(to: pose.translation) > 0.05)
      #expect(pose.rotation.orthogonalityError < 1e-12)
      // 1.2 m/s, and 10° a frame where a figure eight turns.
      #expect(length(next.translation - pose.translation) < 0.12)
      #expect(dot(pose.rotation.z, next.rotation.z) > 0.985)
    }
    let other = scene.recording(by: .lidar, frames: 181, seed: 5).sceneFromCameras
    #expect(other != poses)
    #expect(scene.recording(by: .lidar, frames: 181, seed: 4).sceneFromCameras == poses)
  }

  @Test func theSineIsThatOfThePlatform() {
    for step in -900...900 {
      let turns = Double(step) / 400
      let (sine, cosine) = portableSineAndCosine(ofTurns: turns)
      // The platform's argument is rounded at up to 14.
      #expect(abs(sine - sin(2 * .pi * turns)) < 4e-15)
      #expect(abs(cosine - cos(2 * .pi * turns)) < 4e-15)
    }
    #expect(portableSineAndCosine(ofTurns: 0.25).sine == 1)
  }

  /// A straight way of 10 m in 100 steps of two lengths.
  static let straight: [RigidTransform] = {
    var place = 0.0
    return (0...100).map { index in
      defer { place += index % 2 == 0 ? 0.15 : 0.05 }
      return RigidTransform(rotation: .identity, translation: [0, 0, place])
    }
  }()

  static func stated(
    _ fault: PoseFault, of exact: [RigidTransform] = straight, seed: UInt64 = 1
  ) -> [RigidTransform?] {
    fault.applied(to: exact.map { $0 }, exact: exact, seed: seed)
  }

  @Test func driftHasTheStatedSize() throws {
    var (shifts, yaws) = (0.0, 0.0)
    let seeds = 400
    for seed in 0..<seeds {
      let poses = Self.stated(.drift(share: 0.01), seed: UInt64(seed))
      #expect(poses[0] == Self.straight[0])
      let last = try #require(poses[100] ?? nil)
      // The vertical stays.
      #expect(abs(last.rotation.y.y - 1) < 1e-12)
      let off = last.translation - Self.straight[100].translation
      // Across the way the yaw adds its own; along and vertical the steps' errors are alone, to second order.
      shifts += off.y * off.y + off.z * off.z
      let yaw = atan2(last.rotation.z.x, last.rotation.z.z)
      yaws += yaw * yaw
    }
    // Two of three axes of 0.1 m. A variance of 800 draws is known to 5 %, of 400 to 7 %: three times that.
    let shift = (shifts / Double(seeds) * 1.5).squareRoot()
    #expect(abs(shift / 0.1 - 1) < 0.08, "\(shift)")
    let degrees = (yaws / Double(seeds)).squareRoot() * 180 / .pi
    #expect(abs(degrees / 0.5 - 1) < 0.11, "\(degrees)")
    #expect(Self.stated(.drift(share: 0.01), seed: 3) == Self.stated(.drift(share: 0.01), seed: 3))
  }

  @Test func otherFaultsDoWhatTheySay() throws {
    let exact = Self.straight
    let lag = Self.stated(.lag(frames: 1))
    #expect(lag[0] == exact[0] && lag[7] == exact[6])
    let half = try #require(Self.stated(.lag(frames: 0.5))[7])
    let middle = (exact[6].translation + exact[7].translation) / 2
    #expect(length(half.translation - middle) < 1e-15)

    let scaled = Self.stated(.scale(to: 1.1)).compactMap(\.self)
    for (index, factor) in [(1, 1.001), (50, 1.05), (100, 1.1)] {
      let step = scaled[index].translation - scaled[index - 1].translation
      let own = exact[index].translation - exact[index - 1].translation
      #expect(abs(length(step) / length(own) - factor) < 1e-12)
    }

    let jumped = Self.stated(.jump(meters: 0.3))
    #expect(jumped[49] == exact[49])
    #expect(abs((jumped[51]?.translation.x ?? 0) - 0.3) < 1e-15)

    let gap = Self.stated(.gap(share: 0.2))
    #expect(gap.count { $0 == nil } == 20)
    #expect(gap[0] == exact[0] && gap[50] == nil && gap[100] == exact[100])
    // Drift goes on over a gap.
    let both = PoseFault.drift(share: 0.01).applied(to: gap, exact: exact, seed: 2)
    #expect(both.map { $0 == nil } == gap.map { $0 == nil })
  }
}
