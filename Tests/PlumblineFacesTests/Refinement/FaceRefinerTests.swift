import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFaces

@Suite struct FaceRefinerTests {
  private func surface(of head: SimulatedHead, _ map: Raster<Float>) -> MeasuredSurface {
    MeasuredSurface(
      DepthMap(meters: map), sigmas: SigmaCurve(perMeterSquared: 0.002), camera: head.camera,
      isFiltered: false)
  }

  private func refined(
    _ head: SimulatedHead, _ surface: MeasuredSurface
  ) throws -> (fit: FaceFit, refined: RefinedFace) {
    let fitter = FaceFitter(head.model)
    let fit = try fitter.fit(
      FaceObservation(landmarks: head.landmarks, camera: head.camera, depth: surface))
    return (fit, FaceRefiner(fitter).refined(fit, by: surface))
  }

  /// Each step knows more than the one before; ± is as large as errors are.
  @Test func refinementIsBetterThanFitAndLandmarksAndKnowsItself() throws {
    let model = try SyntheticFaces.model()
    var settings = SyntheticFaces.small
    settings.pixelStep = 3
    settings.landmarkPixels = 0.1
    var (alone, fitted, moved): ([Float], [Float], [Float]) = ([], [], [])
    var (covered, total) = (0, 0)
    for seed in 1...12 as ClosedRange<UInt64> {
      let head = SimulatedHead(model, seed: seed, settings: settings)
      let (fit, refined) = try refined(head, head.measured)
      if seed <= 3 {
        let plain = try FaceFitter(model).fit(head.plain)
        alone += head.absoluteErrors(of: plain.positions(in: model))
      }
      fitted += head.absoluteErrors(of: fit.positions(in: model))
      moved += head.absoluteErrors(of: refined.positions)
      let errors = head.errors(of: refined.positions, among: model.mean.map { _ in true })
      for (vertex, error) in errors.enumerated()
      where !error.isNaN && !refined.residualMeters[vertex].isNaN {
        total += 1
        if abs(error) <= refined.sigmaMeters[vertex] { covered += 1 }
      }
    }
    alone.sort()
    fitted.sort()
    moved.sort()
    let (a, f, r) = (
      try #require(alone.middle), try #require(fitted.middle), try #require(moved.middle)
    )
    #expect(r < 0.8 * f && f < 0.5 * a, "\(a), \(f), \(r)")
    // Twelve heads, whose vertices err together over 14 mm.
    let share = Double(covered) / Double(total)
    #expect(total > 6000 && abs(share - 0.68) < 0.08, "\(share) of \(total)")
  }

  /// A map of 8 bits whose errors are alike over many pixels gives lumps where it is taken as raw, each pixel by
  /// itself.
  ///
  /// Counting its errors as alike gives a smoother surface that is no further from the truth.
  @Test(arguments: [0.004, 0.008], [1.0, 2, 3])
  func errorsThatPixelsShareAreNotCarriedAsLumps(noise: Double, reach: Double) throws {
    let model = try SyntheticFaces.model()
    var settings = SyntheticFaces.small
    settings.pixelStep = 2
    settings.disparitySigma = noise
    settings.noiseReachPixels = reach
    // 256 codes from 0.49 to 3.4 1/m, as iPhones store.
    settings.disparityStep = 0.0114
    let sigma = (noise * noise + 0.0114 * 0.0114 / 12).squareRoot()
    var (smooth, lumpy, unmoved): ([Errors], [Errors], [Errors]) = ([], [], [])
    var (covered, total) = (0, 0)
    for seed in 1...6 as ClosedRange<UInt64> {
      let head = SimulatedHead(model, seed: seed, settings: settings)
      func result(isFiltered: Bool) throws -> (fit: FaceFit, refined: RefinedFace) {
        try refined(
          head,
          MeasuredSurface(
            head.depth, sigmas: SigmaCurve(perMeterSquared: sigma), camera: head.camera,
            isFiltered: isFiltered))
      }
      let (fit, found) = try result(isFiltered: true)
      smooth.append(Errors(head, found.positions))
      unmoved.append(Errors(head, fit.positions(in: model)))
      lumpy.append(Errors(head, try result(isFiltered: false).refined.positions))
      let errors = head.errors(of: found.positions, among: model.mean.map { _ in true })
      for (vertex, error) in errors.enumerated()
      where !error.isNaN && !found.residualMeters[vertex].isNaN {
        total += 1
        if abs(error) <= found.sigmaMeters[vertex] { covered += 1 }
      }
    }
    func mean(_ list: [Errors], _ value: (Errors) -> Double) -> Double {
      list.reduce(0) { $0 + value($1) } / Double(list.count)
    }
    let rms = (mean(smooth, \.rms), mean(lumpy, \.rms), mean(unmoved, \.rms))
    let rough = (mean(smooth, \.roughness), mean(lumpy, \.roughness), mean(unmoved, \.roughness))
    // Better than the model alone, and than taking each pixel by itself: 8 to 33 % less in these cases.
    #expect(rms.0 < rms.2 && rms.0 < 0.95 * rms.1, "\(rms)")
    // Lumps are what the error of a vertex has beside that of its neighbors; the model alone has those of the head's
    // own detail.
    #expect(rough.0 < 0.95 * rough.1 && rough.0 < rough.2, "\(rough)")
    let share = Double(covered) / Double(total)
    #expect(share > 0.6 && share < 0.95, "\(share) of \(total)")
  }

  /// How far a surface is off the truth, and how unlike neighbors are in that, meters.
  private struct Errors {
    let rms: Double
    let roughness: Double

    init(_ head: SimulatedHead, _ positions: [PackedPoint]) {
      let errors = head.errors(of: positions, among: positions.map { _ in true })
      var (squares, count, bends, bendCount) = (0.0, 0, 0.0, 0)
      for (vertex, error) in errors.enumerated() where !error.isNaN {
        squares += Double(error * error)
        count += 1
        let around = head.model.neighbors[vertex].map { errors[Int($0)] }
        guard around.count > 3, around.allSatisfy({ !$0.isNaN }) else { continue }
        let bend = Double(error - around.reduce(0, +) / Float(around.count))
        bends += bend * bend
        bendCount += 1
      }
      rms = (squares / Double(max(1, count))).squareRoot()
      roughness = (bends / Double(max(1, bendCount))).squareRoot()
    }
  }

  /// A part of the face that the map does not have stays on the model, with a greater ±.
  @Test func holesStayOnTheModel() throws {
    let model = try SyntheticFaces.coarseModel()
    let head = SimulatedHead(model, seed: 3, settings: SyntheticFaces.small)
    var map = head.depth.meters.packed
    // All below the middle of the mouth is gone.
    let limit = Int(head.landmarks.points[LandmarkIndex.upperLip].y)
    for y in limit..<map.height {
      for x in 0..<map.width { map[x, y] = .nan }
    }
    let (fit, refined) = try refined(head, surface(of: head, map))
    let base = fit.positions(in: model)
    var (seen, unseen): ([Float], [Float]) = ([], [])
    for vertex in base.indices {
      let point = base[vertex].vector
      let row = head.camera.intrinsics.project(point).y
      if row > Double(limit) + 19 {
        // Two ranges beyond the rim of the hole, at 0.3 to 0.5 m.
        #expect(abs(refined.displacementMeters[vertex]) < 0.0002)
        #expect(refined.residualMeters[vertex].isNaN)
        unseen.append(refined.sigmaMeters[vertex])
      } else if !refined.residualMeters[vertex].isNaN {
        seen.append(refined.sigmaMeters[vertex])
      }
    }
    seen.sort()
    unseen.sort()
    #expect(unseen.count > 20)
    #expect(try #require(unseen.middle) > 1.5 * (try #require(seen.middle)))
    let whole = try self.refined(head, head.measured).refined.measuredShare
    #expect(refined.measuredShare < whole - 0.1, "\(refined.measuredShare) of \(whole)")
  }

  /// A hand 6 cm before a third of the face does not pull, and the share says that it is there.
  @Test func aHandBeforeTheFaceIsRejectedAndTold() throws {
    let model = try SyntheticFaces.coarseModel()
    for seed in 1...3 as ClosedRange<UInt64> {
      let head = SimulatedHead(model, seed: seed, settings: SyntheticFaces.small)
      let clean = try refined(head, head.measured).refined
      var map = head.depth.meters.packed
      let xs = head.landmarks.points.prefix(FaceLandmarks.meshCount).map(\.x)
      let (left, right) = (try #require(xs.min()), try #require(xs.max()))
      let edge = Int(left + (right - left) / 3)
      let hand = Float(head.cameraFromHead.translation.z) - 0.17
      for y in 0..<map.height {
        for x in 0..<edge { map[x, y] = hand }
      }
      let (_, refined) = try refined(head, surface(of: head, map))
      // The shares of columns are no shares of skin: between a sixth and a half is gone.
      let lost = clean.measuredShare - refined.measuredShare
      #expect((0.12...0.5).contains(lost), "\(lost)")
      let errors = head.errors(of: refined.positions, among: model.mean.map { _ in true })
      let shown = errors.indices.filter {
        !errors[$0].isNaN && !refined.residualMeters[$0].isNaN
      }.map { abs(errors[$0]) }.sorted()
      // What is still seen is as good as without a hand.
      let before = try #require(head.absoluteErrors(of: clean.positions).middle)
      #expect(try #require(shown.middle) < 1.5 * before, "\(String(describing: shown.middle))")
      let hidden = head.absoluteErrors(of: refined.positions)
      // And nothing was pulled to the hand: 95 % within the model's own spread of 5 mm.
      #expect(hidden[hidden.count * 95 / 100] < 0.005, "\(hidden[hidden.count * 95 / 100])")
    }
  }

  /// A patch of 8 mm that stands 5 mm out of the skin, within the gate, as wrong pixels do: what lies around
  /// it holds the surface back by more than half.
  @Test func anOutlierPatchDoesNotPull() throws {
    let model = try SyntheticFaces.coarseModel()
    let head = SimulatedHead(model, seed: 2, settings: SyntheticFaces.small)
    let clean = try refined(head, head.measured).refined
    var map = head.depth.meters.packed
    let nose = head.landmarks.points[LandmarkIndex.noseTip]
    let (x, y) = (Int(nose.x) + 10, Int(nose.y))
    for row in (y - 1)...(y + 1) {
      for column in (x - 1)...(x + 1) { map[column, row] -= 0.005 }
    }
    let (_, refined) = try refined(head, surface(of: head, map))
    let moves = zip(clean.positions, refined.positions).map { abs($0.z - $1.z) }
    let maximum = try #require(moves.max())
    #expect(maximum < 0.0025, "\(maximum)")
  }

  @Test func pixelsBetweenTwoSurfacesAreLeftOut() throws {
    let model = try SyntheticFaces.coarseModel()
    let head = SimulatedHead(model, seed: 5, settings: SyntheticFaces.small)
    let surface = head.measured
    #expect(surface.flyingCount > 50)
    // What is left lies on the head or on the wall at 1.2 m.
    let nearest = Float(head.cameraFromHead.translation.z)
    let between = surface.meters.samples.count { $0 > nearest + 0.1 && $0 < 0.9 }
    #expect(between < 5, "\(between)")
    var map = head.depth.meters.packed
    // A jump of a tenth of the depth in one pixel takes it and its four neighbors away.
    map = Raster(size: map.size) { _, _ in 0.5 }
    map[20, 30] = 0.55
    #expect(self.surface(of: head, map).flyingCount == 5)
  }
}
