import PlumblineModel
import PlumblineReconstruction
import PlumblineRecordings
import Testing

@testable import Plumbline

/// What a scan says of frames that overlap and places that were seen again.
struct ScanConsistencyTests {
  /// To the side and back, 0.1 s and 40 mm a step, 30 steps each way.
  private static let path = (0...60).map { index in
    RigidTransform(
      rotation: Rotation(axisAngle: [0, 0.004 * Double(min(index, 60 - index)), 0]) ?? .identity,
      translation: [0.04 * Double(min(index, 60 - index)) - 0.6, 0, 0])
  }

  private func scan(recorded: [RigidTransform]) throws -> Scan {
    let captures = Self.path.enumerated().map { index, pose in
      var capture = ScanScene.capture(
        ScanScene().depth(from: pose, seed: UInt64(index) + 1), recorded: recorded[index],
        index: index)
      capture.timestampSeconds = 0.1 * Double(index)
      return capture
    }
    var builder = ScanBuilder.coarse
    builder.settings.measuresConsistency = true
    return try builder.build(ScanScene.recording(captures))
  }

  @Test("Frames up to 4 s apart and a place seen again agree within their noise")
  func sound() throws {
    let scan = try scan(recorded: Self.path)
    let refined = try #require(scan.consistency?.refined)
    #expect(refined.gaps.map(\.seconds) == [0.1, 0.5, 1, 2, 4])
    let again = try #require(refined.revisits)
    for gap in refined.gaps + [again] {
      // Two depths of 2 mm each: a median of 1.9 mm; a pixel on a slanted wall adds some of its own.
      #expect((0.001...0.004).contains(gap.medianMeters), "\(gap)")
    }
    #expect(again.pairCount > 0 && again.pathMeters > 1)
    // The same in the document.
    let document = scan.consistencyDocument["refined"]
    #expect(document?["gaps"]?.elements?.count == 5 && document?["revisits"]?.isNull == false)
    #expect(try #require(scan.closure).loopCount > 0)
  }

  @Test("Where recorded poses drift, the refined ones agree better at the place seen again")
  func drifting() throws {
    let drifting = Self.path.enumerated().map { index, pose in
      RigidTransform(
        rotation: pose.rotation, translation: pose.translation + [0, 0, 0.0015 * Double(index)])
    }
    let found = try #require(try scan(recorded: drifting).consistency)
    let before = try #require(found.recorded?.revisits).medianMeters
    let after = try #require(found.refined?.revisits).medianMeters
    #expect(before > 0.03 && after < 0.3 * before, "\(before), \(after)")
  }

  @Test("A bend that is taken out of depths leaves the path of straight ones")
  func bend() throws {
    let path = ScanScene.path(12)
    func pathMeters(stored bend: Float, taken: Double) throws -> Double {
      let captures = path.enumerated().map { index, pose in
        let depth = ScanScene().depth(from: pose, seed: UInt64(index) + 1)
        return ScanScene.capture(depth.map { $0 / (1 - bend * $0) }, recorded: nil, index: index)
      }
      var builder = ScanBuilder.coarse
      builder.settings.depthBendPerMeter = taken
      return try builder.build(ScanScene.recording(captures)).tracking.pathMeters
    }
    let straight = try pathMeters(stored: 0, taken: 0)
    // Rounding of depths as 32 bits: micrometers.
    #expect(abs(try pathMeters(stored: 0.02, taken: 0.02) - straight) < 1e-4)
    // Steps toward walls at 2 to 3 m look 8 % longer, those to the side as they are.
    #expect(try pathMeters(stored: 0.02, taken: 0) - straight > 1e-3)
  }

  @Test("Frames within a tenth of a second have no pairs, and so no consistency")
  func short() throws {
    var builder = ScanBuilder.coarse
    builder.settings.measuresConsistency = true
    let scan = try builder.build(ScanScene().recording(ScanScene.path(3)))
    #expect(scan.consistency == nil && scan.consistencyDocument.isNull)
  }
}
