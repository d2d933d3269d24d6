import Foundation
import PlumblineFaces
import PlumblineImages
import PlumblineInference
import PlumblineModel
import PlumblineTestSupport
import Testing

/// The landmarks of one photo against two other programs.
@Suite(
  .enabled(if: RealFaceModel.path != nil, "\(RealFaceModel.absence)"),
  .enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"),
  .enabled(if: RealData.isPresent, "\(RealData.absence)"))
struct FaceOracleTests {
  private static let photo = "faces/astronaut.png"

  private func face(looks: Int) throws -> LandmarkedFace {
    guard case .color(let image) = try PNGImage(try RealData.bytes(Self.photo)[...]) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    let file = try FaceModel.file(from: ModelFile(path: try #require(RealFaceModel.path)))
    var landmarker = FaceLandmarker(
      try FaceNetworks(
        ModelBundle(file), runtime: OpenVINORuntime(folder: try #require(RealModels.openVINO))))
    landmarker.additionalLooks = looks - 1
    landmarker.readsBlendshapes = true
    return try #require(try landmarker.faces(in: image).faces.first)
  }

  private func floats(_ script: String) throws -> [Float] {
    let bytes = try PythonPeer.run(
      script, try #require(RealFaceModel.path), try RealData.url(Self.photo).path)
    return bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// The mean distance of landmarks, and of their relative depths, in pixels.
  private func difference(_ face: FaceLandmarks, _ numbers: [Float]) -> (place: Float, depth: Float)
  {
    var place: Float = 0
    var depth: Float = 0
    for index in 0..<FaceLandmarks.count {
      place += distance(face.points[index], [numbers[3 * index], numbers[3 * index + 1]])
      depth += abs(face.relativeDepths[index] - numbers[3 * index + 2])
    }
    return (place / Float(FaceLandmarks.count), depth / Float(FaceLandmarks.count))
  }

  @Test(
    .enabled(if: PythonPeer.has("openvino", "PIL"), "\(PythonPeer.absence("openvino, pillow"))"))
  func eachStepInNumPyGivesTheSame() throws {
    let face = try face(looks: 1).landmarks
    let found = difference(face, try floats("face_landmarks.py"))
    // Single against double precision, and networks whose sums may be ordered otherwise; of 106 pixels.
    #expect(found.place < 0.01 && found.depth < 0.01, "\(found)")
  }

  /// MediaPipe samples its crops half a pixel of the crop off, and looks once.
  @Test(
    .enabled(if: PythonPeer.has("mediapipe", "PIL"), "\(PythonPeer.absence("mediapipe"))"),
    arguments: [1, 2])
  func mediaPipeItselfGivesNearlyTheSame(looks: Int) throws {
    let face = try face(looks: looks)
    let numbers = try floats("mediapipe_landmarks.py")
    let found = difference(face.landmarks, numbers)
    let share = found.place / face.landmarks.sidePixels
    #expect(share < (looks == 1 ? 0.005 : 0.008), "\(share)")
    #expect(found.depth / face.landmarks.sidePixels < 0.01, "\(found.depth)")
    let scores = try #require(face.blendshapes).values
    for (name, (one, other)) in zip(BlendshapeScores.names, zip(scores, numbers.suffix(52))) {
      // The smile alone depends on parts of a pixel.
      #expect(abs(one - other) < 0.2, "\(name): \(one) and \(other)")
    }
  }
}
