import Plumbline
import PlumblineFaces
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineScreens

@Suite struct FacesScreenTests {
  private static let synthetic = Result { try SyntheticFace(columns: 27, rows: 31) }

  private func head(seed: UInt64) throws -> SimulatedHead {
    var settings = SimulatedHead.Settings()
    settings.pixelStep = 2
    settings.yaw = 0.2
    return SimulatedHead(try Self.synthetic.get().model, seed: seed, settings: settings)
  }

  /// A frame of a TrueDepth camera; its image is gray, since the landmarks come from elsewhere.
  private func capture(of head: SimulatedHead, hasDepth: Bool = true) -> Capture {
    var capture = Capture(source: CaptureSource(camera: .trueDepth))
    let size = head.camera.intrinsics.size
    capture.color = Raster(size: size, repeating: RGB8(red: 90, green: 90, blue: 90))
    capture.colorSize = size
    capture.colorCalibration = head.camera
    guard hasDepth else { return capture }
    var record = DepthRecord(
      values: .depth(head.depth), storedType: "fdep", accuracy: .absolute)
    record.calibration = head.camera
    capture.depth = record
    return capture
  }

  private func summary(
    _ head: SimulatedHead, hasDepth: Bool = true, faces: Int = 1
  ) throws -> FaceSummary {
    let fitter = HeadFitter(head.model, landmarkerName: "simulated")
    let face = SimulatedVisionFace(head, noiseShare: 0.015, seed: 9).face
    return try fitter.fit(capture(of: head, hasDepth: hasDepth), named: "frame") { image in
      #expect(image.size == head.camera.intrinsics.size)
      return Array(repeating: face, count: faces)
    }
  }

  /// 76 points and a depth map give a measured head within a millimeter, in every format.
  @Test(arguments: [1, 2] as [UInt64])
  func aFrameGivesAMeasuredHead(seed: UInt64) throws {
    let head = try head(seed: seed)
    let found = try summary(head)
    let face = try #require(found.faces.faces.first)
    #expect(face.scale.source == .measured && found.headline.contains("refined by depth"))
    let errors = head.errors(of: face.mesh.positions, among: face.mesh.positions.map { _ in true })
      .filter { !$0.isNaN }.map(abs).sorted()
    // The head's detail is 0.6 mm, its map's noise 0.3 mm at 0.4 m.
    #expect(errors[errors.count / 2] < 0.001, "\(errors[errors.count / 2])")
    let pupils = try #require(found.rows.first { $0.name == "Between the pupils" })
    #expect(pupils.value.contains(" ± ") && pupils.value.hasSuffix(" mm"))
    #expect(found.fitText?.contains("depth measured on") == true)
    let names = try found.files.map(\.name)
    for ending in ["glb", "usdz", "obj", "ply"] {
      #expect(names.contains { $0.hasSuffix("." + ending) }, "\(ending) in \(names)")
    }
    #expect(names.contains("face.json"))
  }

  @Test func withoutDepthTheSizeIsThatOfPeople() throws {
    let found = try summary(try head(seed: 3), hasDepth: false)
    let face = try #require(found.faces.faces.first)
    #expect(face.scale.source == .assumed && found.headline.contains("its size is that of people"))
    #expect(face.scale.sigmaShare > 0.005)
  }

  @Test func theScreenGoesBackToTheCameraWithoutAFace() throws {
    var screen = FacesScreen()
    let begins = screen.beginFitting()
    #expect(!screen.needsCamera && !begins && screen.instruction.contains("model.face"))
    screen.fail("no such file")
    #expect(screen.message == "no such file" && !screen.needsCamera)
    screen.loaded(modelName: "synthetic")
    #expect(screen.needsCamera && screen.message == nil)
    let (first, second) = (screen.beginFitting(), screen.beginFitting())
    #expect(first && !second)
    screen.show(try summary(try head(seed: 4), faces: 0))
    #expect(screen.needsCamera && screen.message == "no face was found")
    let third = screen.beginFitting()
    #expect(third)
    screen.fail("the system refused")
    #expect(screen.needsCamera && screen.message == "the system refused")
    let fourth = screen.beginFitting()
    #expect(fourth)
    screen.show(try summary(try head(seed: 4)))
    guard case .done(let summary) = screen.phase else {
      Issue.record("not done")
      return
    }
    #expect(summary.faces.faces.count == 1 && !screen.needsCamera)
    screen.again()
    #expect(screen.needsCamera)
  }

  @Test func pointsThatAreNoFaceOfVisionsAreAnError() throws {
    let head = try head(seed: 5)
    let fitter = HeadFitter(head.model, landmarkerName: "simulated")
    #expect(throws: FaceFitError.self) {
      try fitter.fit(capture(of: head), named: "frame") { _ in
        [VisionFace(points: [:], confidence: 1)]
      }
    }
  }

  /// Models without networks can fit, but not find.
  @Test func findingNeedsNetworks() throws {
    let head = try head(seed: 6)
    let models = FaceModels(head.model, landmarkerName: "none", runtimeName: "none")
    let analysis = try CaptureAnalyzer().analyze(capture(of: head), fileName: "frame")
    #expect(throws: PhotoFaceError.self) { try PhotoFaceFitter(models).fit(analysis) }
  }
}
