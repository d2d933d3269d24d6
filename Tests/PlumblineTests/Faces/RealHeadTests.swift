import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// Heads of real photos and of a real recording.
@Suite(
  .enabled(if: RealHeads.isOptimized, "\(RealHeads.slowness)"),
  .enabled(if: RealData.isPresent, "\(RealData.absence)"),
  .enabled(if: RealHeads.pack != nil, "\(RealHeads.packAbsence)"),
  .enabled(if: RealFaceModel.path != nil, "\(RealFaceModel.absence)"),
  .enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"),
  .enabled(if: PythonPeer.has("open3d"), "\(PythonPeer.absence("open3d"))"), .serialized)
struct RealHeadTests {
  @Test func aTrueDepthSelfieIsMetToItsNoise() throws {
    let photo = try RealHeads.fitter.fit(RealHeads.photo("photos/truedepth_iphone14.heic"))
    let face = try #require(photo.faces.first)
    #expect(photo.faces.count == 1 && face.scale.source == .measured, "\(photo.findings)")
    let pixels = try #require(face.refined).pixelResidualMeters
    // The map is smoothed and rounded to steps of about half a millimeter at this distance.
    let median = pixels[pixels.count / 2]
    #expect(pixels.count > 10_000 && median <= 0.0008, "\(median) of \(pixels.count)")
    #expect(face.fit.landmarkError <= 0.03, "\(face.fit.landmarkError)")
    // Apple's focal length leaves 6.5 % of every length open; no length has much beside it.
    #expect(face.scale.sigmaShare < 0.07, "\(face.scale.sigmaShare)")
    for measurement in face.measurements {
      let share = measurement.sigmaMeters / measurement.meters
      #expect(share < 0.085, "\(measurement)")
    }
  }

  @Test func anAstronautIsMetWithoutDepth() throws {
    let photo = try RealHeads.fitter.fit(RealHeads.image("faces/astronaut.png"))
    let face = try #require(photo.faces.first)
    #expect(face.fit.landmarkError <= 0.02, "\(face.fit.landmarkError)")
    #expect(face.scale.source == .unknown && face.refined == nil)
    #expect(photo.findings.contains { $0.code == .faceScaleAssumed })
    #expect(photo.findings.contains { $0.code == .faceCameraAssumed })
    let animated = AnimatedFace.separated(face, model: photo.models.fitter.model)
    let place = try #require(animated.targets.firstIndex { $0.name == "mouthSmileLeft" })
    let smile = animated.weights[place]
    #expect(smile > 0.2, "\(smile)")
  }

  @Test func theViewerShowsTheHeadThatTheCommandWrites() async throws {
    let url = try RealData.url("photos/truedepth_iphone14.heic")
    let content = try CaptureContent(
      paths: [url.path], faceModels: { try RealHeads.models.get() })
    let list = try JSONValue(parsing: await content.response(to: .faces(item: 0, frame: 0)).bytes)
    #expect(list["schema"]?.string == "plumbline.faces/1")
    #expect(list["faces"]?.elements?.first?["badge"]?.string == "MEASURED")
    #expect(list["findings"]?.elements?.isEmpty == false)
    let page = await content.response(to: .facePage(item: 0, frame: 0, face: 1))
    #expect(page.status == 200 && page.isSelfContainedPage && page.mediaType.hasPrefix("text/html"))
    let photo = try RealHeads.fitter.fit(
      CaptureAnalyzer().analyze(
        RealData.bytes("photos/truedepth_iphone14.heic"), fileName: url.lastPathComponent))
    let written = try photo.files.first { $0.name == "face-1.html" }
    #expect(written?.bytes == page.bytes)
    let next = await content.response(to: .facePage(item: 0, frame: 0, face: 2))
    #expect(next.status == 404)
  }

  @Test(.enabled(if: PythonPeer.has("plyfile"), "\(PythonPeer.absence("plyfile"))"))
  func aMannequinIsFollowedAndItsSurfaceIsTheExpectedOne() throws {
    let folder = try DiskFolder(RealData.url("truedepth-mannequin/DepthFrames"))
    let recording = try Recording(folder: folder)
    let head = try RealHeads.fitter.fitHead(to: recording, named: "mannequin")
    #expect(head.scan.frames.count == 90 && head.scan.lost.isEmpty, "\(head.scan.lost)")
    let medians = head.scan.frames.map(\.medianResidualMeters).sorted()
    // Raw maps of a recording; their noise at this distance is about half a millimeter.
    #expect(medians[45] <= 0.001, "\(medians[45])")
    let refined = try #require(head.reference.faces.first?.refined)
    let model = head.reference.models.fitter.model
    // Vertices, then triangles whose corners were all measured.
    let seen = model.triangles.filter { triangle in
      (0..<3).allSatisfy { !refined.residualMeters[triangle[$0]].isNaN }
    }
    var text = refined.positions.map { "v \($0.x) \($0.y) \($0.z)\n" }.joined()
    text += seen.map { "f \($0.first + 1) \($0.second + 1) \($0.third + 1)\n" }.joined()
    let files = try TemporaryFolder()
    try files.put(Array(text.utf8), at: "face.obj")
    let answer = try PythonPeer.run(
      "face_surface_distance.py", files.file("face.obj"),
      try RealData.url("truedepth-mannequin/Expected.ply").path)
    let numbers = try #require(
      try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Double])
    let (share, median) = (try #require(numbers["share"]), try #require(numbers["median"]))
    // Expected.ply is another program's fusion of the same frames, sampled at some millimeters.
    #expect(share > 0.7 && median <= 0.0006, "\(numbers)")
  }
}
