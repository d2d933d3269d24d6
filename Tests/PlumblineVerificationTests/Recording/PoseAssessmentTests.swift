import PlumblineModel
import PlumblineTestSupport
import PlumblineVerification
import Testing

@Suite struct PoseAssessmentTests {
  static let scans = [1, 2, 3].map { SimulatedScan(seed: $0) }

  @Test(arguments: 0..<3)
  func exactPosesAgree(scan: Int) throws {
    let poses = try #require(Self.scans[scan].assess())
    #expect(poses.trajectory.jumps.isEmpty && poses.findings.isEmpty)
    let gaps = try #require(poses.consistency).gaps
    #expect(gaps.map(\.seconds) == [0.1, 0.5, 1, 2, 4])
    for gap in gaps {
      // Noise of 1.5 to 9 mm in both maps, and the edges of things within a pixel: under 1 cm.
      #expect(gap.medianMeters < 0.01 && gap.percentile95Meters < 0.04)
      #expect(gap.beyondShare < 0.02 && gap.pairCount > 12 && gap.pairCount <= 24)
      #expect(try #require(gap.medianSigmas) < 0.3)
    }
    let scale = try #require(poses.scale)
    #expect(abs(scale.ratio - 1) < 3 * scale.sigma && scale.sigma < 0.005)
    let floor = try #require(poses.floor)
    // A hundredth of a degree is 0.2 mm over a meter: the rounding to millimeters.
    #expect(floor.degrees < 0.05 && floor.frameCount > 5)
    #expect(poses.comparedPairs <= 144)
  }

  @Test(arguments: 0..<3, [1.03, 0.96])
  func aScaledPathIsMeasured(scan: Int, scale: Double) throws {
    let poses = try #require(Self.scans[scan].assess(SimulatedScan.Fault(scale: scale)))
    let measured = try #require(poses.scale)
    #expect(abs(measured.ratio - scale) < 3 * measured.sigma, "\(measured)")
    #expect(measured.sigma < 0.005)
    let finding = try #require(poses.findings.first { $0.code == .sequencePosesScale })
    #expect(finding.message.contains(scale > 1 ? "% too long" : "% too short"))
    // Farther apart in time means farther apart in space, and so a larger difference.
    let gaps = try #require(poses.consistency).gaps
    #expect(try #require(gaps.last).medianMeters > 1.5 * (try #require(gaps.first).medianMeters))
  }

  @Test(arguments: 0..<3)
  func aJumpIsFoundAndDoesNotHideTheScale(scan: Int) throws {
    let fault = SimulatedScan.Fault(scale: 0.97, jump: (frame: 60, meters: [0.12, 0, 0]))
    let poses = try #require(Self.scans[scan].assess(fault))
    #expect(poses.trajectory.jumps.map(\.frame) == ["60"])
    // The jump itself, less what the camera moved in a tenth of a second.
    #expect(abs(try #require(poses.trajectory.jumps.first).meters - 0.12) < 0.02)
    #expect(poses.findings.contains { $0.code == .sequencePoseJumps })
    let scale = try #require(poses.scale)
    #expect(abs(scale.ratio - 0.97) < 3 * scale.sigma, "\(scale)")
  }

  @Test(arguments: [0.05, -0.03])
  func aTiltedWorldIsMeasured(tilt: Double) throws {
    let poses = try #require(Self.scans[0].assess(SimulatedScan.Fault(tilt: tilt)))
    let floor = try #require(poses.floor)
    let degrees = abs(tilt) * 180 / .pi
    #expect(abs(floor.degrees - degrees) < max(0.05, 3 * floor.sigmaDegrees), "\(floor)")
    #expect(poses.findings.contains { $0.code == .sequencePosesTilted } == (degrees > 1.5))
  }

  @Test(arguments: 0..<3)
  func driftIsADisagreementThatGrows(scan: Int) throws {
    // 7 cm a second, in one direction while the camera turns back, so that it is no scale of the path.
    let fault = SimulatedScan.Fault(driftPerFrame: [0.005, 0.003, 0.003])
    let poses = try #require(Self.scans[scan].assess(fault))
    let medians = try #require(poses.consistency).gaps.map(\.medianMeters)
    #expect(medians.count == 5 && zip(medians.dropFirst(), medians.dropFirst(2)).allSatisfy(<))
    // Of the 26 cm after 4 s a surface shows the part along its normal, seen along the axis.
    #expect(try #require(medians.last) > 0.03)
    #expect(poses.findings.contains { $0.code == .sequencePosesDisagree })
  }

  @Test func theResultDoesNotDependOnThreads() throws {
    let results = [1, 2, 3].map { Self.scans[2].assess(threads: $0) }
    let first = try #require(results[0])
    for other in results {
      #expect(other?.consistency == first.consistency && other?.scale == first.scale)
      #expect(other?.floor == first.floor && other?.comparedPairs == first.comparedPairs)
    }
  }

  @Test func withoutTimesSuccessiveFramesAreCompared() throws {
    let poses = try #require(Self.scans[0].assess(isTimed: false))
    let consistency = try #require(poses.consistency)
    #expect(consistency.gaps.map(\.seconds) == [nil] && consistency.revisits == nil)
    #expect(consistency.gaps[0].pairCount == 24)
  }

  @Test func noPosesAreNoAssessmentAndStillOnesAreNotCompared() throws {
    let none = (0..<5).map {
      FrameFacts(name: "\($0)", timestampSeconds: Double($0), worldFromCamera: nil)
    }
    #expect(PoseAssessor(threads: 1).assess(none, worldAxes: .yUp) { _ in nil } == nil)
    let still = none.map { frame in
      FrameFacts(
        name: frame.name, timestampSeconds: frame.timestampSeconds, worldFromCamera: .identity)
    }
    let poses = try #require(
      PoseAssessor(threads: 1).assess(still, worldAxes: .yUp) { _ in
        Issue.record("a frame was read")
        return nil
      })
    #expect(poses.consistency == nil && poses.scale == nil && poses.comparedPairs == 0)
    #expect(poses.findings.map(\.code) == [.sequencePosesStill])
  }
}
