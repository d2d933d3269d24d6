import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFaces

@Suite struct HeadScannerTests {
  /// Ten frames of one head that turns by 40° to both sides and moves its face.
  private struct Turning {
    let frames: [SimulatedHead]

    init(_ model: MorphableModel) {
      var settings = SyntheticFaces.small
      settings.detailMeters = 0
      settings.pixelStep = 3
      var first = SimulatedHead(model, seed: 11, settings: settings)
      let identity = first.shape.identity
      frames = (0..<10).map { index in
        var shape = FaceShape(restingIn: model)
        shape.identity = identity
        shape.expression[index % shape.expression.count] = 0.4
        let yaw = (Double(index) / 9 * 2 - 1) * 0.7
        first = SimulatedHead(
          model, seed: UInt64(20 + index), settings: settings, shape: shape, yaw: yaw)
        return first
      }
    }

    var observations: [FaceObservation?] { frames.map(\.full) }
  }

  @Test func oneHeadOfTenFrames() throws {
    let model = try SyntheticFaces.coarseModel()
    let turning = Turning(model)
    var observations = turning.observations
    // Turned away, a network finds no landmarks; one frame cannot be read, another has no depth.
    observations[0]?.landmarks = nil
    observations[9]?.landmarks = nil
    observations[2] = nil
    observations[7]?.depth = nil
    let scan = try HeadScanner(FaceFitter(model)).scan(observations)
    #expect(scan.frames.map(\.index) == [0, 1, 3, 4, 5, 6, 8, 9])
    #expect(scan.lost.map(\.index) == [2, 7])
    #expect(scan.lost.map(\.reason) == ["it cannot be read", "it has no metric depth"])
    #expect(scan.frames.filter { !$0.usesLandmarks }.map(\.index) == [0, 9])
    #expect([4, 5].contains(scan.reference))
    let identity = scan.fit.state.shape.identity
    for frame in scan.frames {
      #expect(frame.state.shape.identity == identity)
      #expect(frame.measuredShare > 0.5 && frame.medianResidualMeters < 0.0008, "\(frame.index)")
      let truth = turning.frames[frame.index].cameraFromHead
      let angle = (frame.state.cameraFromHead.rotation * truth.rotation.inverse).axisAngle
      // Along the skin only landmarks and the relief hold a head: 1.5 mm of 80 mm, four times that.
      #expect((angle * angle).sum().squareRoot() < 0.08, "\(frame.index): \(angle)")
    }
    // The common surface: detail and noise of eight frames leave less than half a millimeter.
    let head = turning.frames[scan.reference]
    let errors = head.absoluteErrors(of: scan.refined.positions)
    #expect(try #require(errors.middle) < 0.0005, "\(String(describing: errors.middle))")
  }

  @Test func aHeadThatJumpsAwayIsLostAndFoundAgain() throws {
    let model = try SyntheticFaces.coarseModel()
    let frames = Array(Turning(model).frames[4...8])
    var observations: [FaceObservation?] = frames.map(\.full)
    // Two frames show a wall and no landmarks.
    for index in [2, 3] {
      observations[index]?.landmarks = nil
      observations[index]?.depth = MeasuredSurface(
        DepthMap(meters: Raster(size: frames[index].depth.size) { _, _ in 1.2 }),
        sigmas: SigmaCurve(perMeterSquared: 0.002), camera: frames[index].camera,
        isFiltered: false)
    }
    let scan = try HeadScanner(FaceFitter(model)).scan(observations)
    #expect(scan.lost.map(\.index) == [2, 3])
    #expect(scan.frames.map(\.index) == [0, 1, 4])
    #expect(scan.lost.allSatisfy { !$0.reason.isEmpty })
  }

  @Test func aRecordingWithoutAFaceIsRefused() throws {
    let model = try SyntheticFaces.coarseModel()
    var observation = SimulatedHead(model, seed: 1, settings: SyntheticFaces.small).full
    let scanner = HeadScanner(FaceFitter(model))
    #expect(throws: FaceFitError.self) { try scanner.scan([]) }
    #expect(throws: FaceFitError.self) { try scanner.scan([nil, nil]) }
    observation.landmarks = nil
    let blind = observation
    #expect(throws: FaceFitError.self) { try scanner.scan([blind]) }
  }

  @Test func repeatedScansAreTheSame() throws {
    let model = try SyntheticFaces.coarseModel()
    let observations = Array(Turning(model).observations[4...5])
    let scanner = HeadScanner(FaceFitter(model))
    let (one, two) = (try scanner.scan(observations), try scanner.scan(observations))
    #expect(one.refined.positions == two.refined.positions)
    #expect(one.refined.sigmaMeters == two.refined.sigmaMeters)
    #expect(one.frames.map(\.state) == two.frames.map(\.state))
  }
}
