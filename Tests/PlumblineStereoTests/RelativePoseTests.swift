import PlumblineModel
import PlumblineSimulation
import PlumblineStereo
import Testing

@Suite("The relative pose of two cameras")
struct RelativePoseTests {
  @Test(
    "exact points give the exact pose, wherever the cameras look",
    arguments: [
      (SIMD3(0.0, 0, 0), SIMD3(0.06, 0, 0)), (SIMD3(0.02, -0.1, 0.03), SIMD3(0.3, 0.02, -0.05)),
      (SIMD3(-0.05, 0.15, 0.2), SIMD3(0.5, -0.2, 0.1)),
    ] as [(SIMD3<Double>, SIMD3<Double>)])
  func exact(rotation: SIMD3<Double>, place: SIMD3<Double>) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let truth = try SimulatedMatches(rotation: rotation, rightInLeft: place, seed: seed)
      let pose = try RelativePose.found(in: truth.matches, left: truth.camera, right: truth.camera)
      let errors = truth.errors(of: pose)
      // Gauss–Newton ends at the rounding of double precision; 1e-6° is a thousand of its ulps.
      #expect(errors.rotation < 1e-5 && errors.direction < 1e-4, "\(errors)")
      #expect(pose.matches.count == truth.matches.count)
    }
  }

  @Test("a third of wrong points and half a pixel of noise leave the pose within its ±")
  func robust() throws {
    var normalized: [Double] = []
    for seed in 1...6 as ClosedRange<UInt64> {
      let truth = try SimulatedMatches(
        rotation: [0.01, -0.04, 0.02], rightInLeft: [0.4, 0.02, 0.03], count: 240,
        wrongShare: 0.33, noise: 0.5, seed: seed)
      let pose = try RelativePose.found(
        in: truth.matches, left: truth.camera, right: truth.camera, seed: seed)
      let errors = truth.errors(of: pose)
      #expect(errors.rotation < 0.3 && errors.direction < 1.5, "\(errors)")
      normalized.append(errors.direction * .pi / 180 / pose.directionSigmaRadians)
      #expect(pose.disagreeingCount > 50)
    }
    // Of two normal coordinates, of which sigma is the larger: the mean is about 1.25 or less.
    let mean = normalized.reduce(0, +) / 6
    #expect(mean > 0.2 && mean < 2.5, "\(normalized)")
  }

  @Test("equal points and seeds give equal bits")
  func repeatable() throws {
    let truth = try SimulatedMatches(
      rotation: [0, 0.05, 0], rightInLeft: [0.2, 0, 0], wrongShare: 0.2, noise: 0.3, seed: 9)
    let first = try RelativePose.found(in: truth.matches, left: truth.camera, right: truth.camera)
    let second = try RelativePose.found(in: truth.matches, left: truth.camera, right: truth.camera)
    #expect(first.rightFromLeft == second.rightFromLeft)
  }

  private func failure(
    _ truth: SimulatedMatches, _ matches: [PairMatch]? = nil
  ) throws -> StereoError? {
    do throws(StereoError) {
      _ = try RelativePose.found(
        in: matches ?? truth.matches, left: truth.camera, right: truth.camera)
      return nil
    } catch { return error }
  }

  @Test("a camera that only turned is refused")
  func turned() throws {
    let truth = try SimulatedMatches(
      rotation: [0.02, 0.08, 0], rightInLeft: .zero, noise: 0.2, seed: 4)
    #expect(try failure(truth)?.found.contains("did not move") == true)
  }

  @Test("the same image twice is refused")
  func identical() throws {
    let truth = try SimulatedMatches(rotation: .zero, rightInLeft: .zero, seed: 5)
    #expect(try failure(truth)?.found.contains("same image twice") == true)
  }

  @Test("swapped images are refused by name")
  func swapped() throws {
    let truth = try SimulatedMatches(
      rotation: [0, 0.03, 0], rightInLeft: [-0.3, 0, 0], noise: 0.2, seed: 6)
    let error = try #require(try failure(truth))
    #expect(error.reason == .mismatch && error.found.contains("swapped"), "\(error)")
  }

  @Test("a wall is refused: one plane tells too little")
  func plane() throws {
    let truth = try SimulatedMatches(
      rotation: [0, 0.03, 0], rightInLeft: [0.3, 0, 0], noise: 0.2, seed: 7, depth: { _ in 3 })
    #expect(try failure(truth)?.found.contains("one plane") == true)
  }

  @Test("unrelated images and too few points are refused")
  func unrelated() throws {
    let truth = try SimulatedMatches(
      rotation: .zero, rightInLeft: [0.3, 0, 0], wrongShare: 1, seed: 8)
    #expect(try failure(truth)?.found.contains("agree on no two cameras") == true)
    #expect(try failure(truth, Array(truth.matches.prefix(12)))?.found == "12")
    #expect(try failure(truth, [])?.reason == .degenerate)
  }

  @Test("a camera that moved forward is refused")
  func forward() throws {
    let truth = try SimulatedMatches(
      rotation: .zero, rightInLeft: [0.05, 0, 0.4], noise: 0.2, seed: 10)
    #expect(try failure(truth)?.found.contains("in front") == true)
  }
}
