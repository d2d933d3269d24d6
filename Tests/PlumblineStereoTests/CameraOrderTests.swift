import Foundation
import PlumblineModel
import PlumblineSimulation
import PlumblineStereo
import Testing

/// Points of a room that two cameras side by side show, with the errors of real pairs: noise, wrong
/// matches along the rows of repeated structure, and a lens whose distortion is not stated.
private struct RoomMatches {
  let camera: CameraCalibration
  var matches: [PairMatch] = []

  /// Draws points; `baseline` is in meters, below 0 for a second camera on the left.
  init(
    focal: Double, baseline: Double, yaw: Double, radial: Double = 0, repeatedShare: Double = 0.1,
    nearest: Range<Double> = 0.8..<1.6, wrongShare: Double = 0, seed: UInt64
  ) throws {
    camera = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [focal, focal], principalPoint: [319.5, 239.5],
        size: RasterSize(width: 640, height: 480)))
    let turn = try requireValue(Rotation(axisAngle: [0.003, yaw, 0.004]))
    let rightFromLeft = RigidTransform(
      rotation: turn, translation: -(turn * [baseline, 0.002, -0.003]))
    var random = SeededGenerator(seed: seed)
    let intrinsics = camera.intrinsics
    // Barrel distortion by its first term: r is the radius in focal lengths.
    func distorted(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
      let part = (pixel - intrinsics.principalPoint) / focal
      return intrinsics.principalPoint + focal * part * (1 + radial * (part * part).sum())
    }
    while matches.count < 260 {
      let left = SIMD2(random.uniform(in: 0..<639), random.uniform(in: 0..<479))
      // Near furniture, a wall and a floor.
      let depth =
        switch matches.count % 3 {
        case 0: random.uniform(in: nearest)
        case 1: 3.5 + 0.2 * (left.x / 640)
        default: max(1, 3.5 - 2 * left.y / 480)
        }
      let point = intrinsics.unproject(left, depth: depth)
      var right = intrinsics.project(rightFromLeft * point)
      if random.chance(repeatedShare) { right.x += random.chance(0.5) ? 40 : -40 }
      if wrongShare > 0, random.chance(wrongShare) {
        right = SIMD2(random.uniform(in: 1..<638), random.uniform(in: 1..<478))
      }
      guard right.x > 0, right.x < 639, right.y > 0, right.y < 479 else { continue }
      func noisy(_ place: SIMD2<Double>, _ random: inout SeededGenerator) -> SIMD2<Double> {
        distorted(place) + 0.3 * SIMD2(random.gaussian(), random.gaussian())
      }
      matches.append(PairMatch(left: noisy(left, &random), right: noisy(right, &random)))
    }
  }

  var pose: RelativePose {
    get throws(StereoError) { try RelativePose.found(in: matches, left: camera, right: camera) }
  }
}

/// The earlier rule, a count of points alone, passes the first two tests too: they hold what must not break.
@Suite("The order of two cameras") struct CameraOrderTests {
  @Test(
    "Ordered pairs of a wide baseline keep their order",
    arguments: [500.0, 900, 2500], [0.12, 0.3])
  func ordered(focal: Double, baseline: Double) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let yaw = Double(seed) * 0.01 - 0.025
      let room = try RoomMatches(focal: focal, baseline: baseline, yaw: yaw, seed: seed)
      let pose = try room.pose
      let place = pose.rightFromLeft.inverse.translation
      #expect(place.x > 0.9, "seed \(seed): \(place)")
      #expect(pose.matches.count > 180, "seed \(seed)")
    }
  }

  @Test("A distortion that is not stated makes no order wrong", arguments: [-0.05, -0.15, -0.3])
  func distorted(radial: Double) throws {
    var accepted = 0
    for seed in 1...4 as ClosedRange<UInt64> {
      let room = try RoomMatches(
        focal: 500, baseline: 0.12, yaw: 0.01, radial: radial, seed: seed)
      do throws(StereoError) {
        let place = try room.pose.rightFromLeft.inverse.translation
        #expect(place.x > 0, "seed \(seed): \(place)")
        accepted += 1
      } catch {
        // A lens that is too bad may be refused, but not as swapped images.
        #expect(error.reason == .degenerate, "seed \(seed): \(error)")
      }
    }
    if radial > -0.1 { #expect(accepted == 4) }
  }

  @Test("Swapped pairs are refused with the numbers of points", arguments: [500.0, 700])
  func swapped(focal: Double) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let room = try RoomMatches(focal: focal, baseline: -0.2, yaw: 0.01, seed: seed)
      do throws(StereoError) {
        _ = try room.pose
        Issue.record("seed \(seed) was accepted")
      } catch {
        #expect(error.reason == .mismatch && error.found.contains("swapped"), "\(error)")
        #expect(error.found.contains("points lie before both cameras"), "\(error)")
      }
    }
  }

  /// What became of pairs whose order is known.
  private struct Outcomes {
    var right = 0
    var wrong = 0
    var refused = 0
    var other: [String] = []
  }

  /// Indoor pairs of a wide baseline, each in the order given and swapped.
  private func outcomes(wrongShare: Double, seeds: ClosedRange<UInt64>) throws -> [Outcomes] {
    var outcomes = [Outcomes(), Outcomes()]
    for seed in seeds {
      for (index, sign) in [1.0, -1].enumerated() {
        var random = SeededGenerator(seed: 1000 + seed)
        let baseline = random.uniform(in: 0.06..<0.12), yaw = random.uniform(in: -0.02..<0.02)
        let room = try RoomMatches(
          focal: random.uniform(in: 450..<900), baseline: sign * baseline, yaw: yaw,
          repeatedShare: wrongShare / 2, nearest: 0.4..<1, wrongShare: wrongShare / 2, seed: seed)
        do throws(StereoError) {
          let place = try room.pose.rightFromLeft.inverse.translation
          // The second camera stands where the order says, for a sound and for a swapped pair.
          if place.x > 0, sign > 0 {
            outcomes[index].right += 1
          } else {
            outcomes[index].wrong += 1
          }
        } catch {
          if error.found.contains("swapped") {
            if sign < 0 { outcomes[index].right += 1 } else { outcomes[index].wrong += 1 }
          } else {
            outcomes[index].refused += 1
            outcomes[index].other.append(error.found)
          }
        }
      }
    }
    return outcomes
  }

  /// `PLUMBLINE_ORDER_SEEDS=200` draws as many pairs for each share and prints the table of stereo.md.
  @Test("Near things, repeated structure and wrong matches make no order wrong") func near() throws
  {
    let told = ProcessInfo.processInfo.environment["PLUMBLINE_ORDER_SEEDS"].flatMap { UInt64($0) }
    for share in [0.05, 0.2, 0.4] {
      let found = try outcomes(wrongShare: share, seeds: 1...(told ?? 6))
      for (name, result) in zip(["ordered", "swapped"], found) {
        if told != nil {
          print(
            "| \(name) | \(Int(100 * share)) % | \(result.right) | \(result.wrong) | \(result.refused) |",
            Set(result.other.map { $0.filter { !$0.isNumber } }))
        }
        #expect(result.wrong == 0, "\(name), \(share)")
        #expect(result.right >= result.refused, "\(name), \(share): \(result.other)")
        let numberless = result.other.filter { text in !text.contains { $0.isNumber } }
        #expect(numberless.isEmpty, "\(numberless)")
      }
    }
  }
}
