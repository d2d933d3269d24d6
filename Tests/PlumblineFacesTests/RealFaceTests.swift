import Foundation
import PlumblineFaces
import PlumblineImages
import PlumblineInference
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing

/// The networks themselves, on real images.
@Suite(
  .enabled(if: RealFaceModel.path != nil, "\(RealFaceModel.absence)"),
  .enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"),
  .enabled(if: RealData.isPresent, "\(RealData.absence)"))
struct RealFaceTests {
  private static let networks = Result { () throws -> FaceNetworks in
    let file = try FaceModel.file(from: ModelFile(path: try #require(RealFaceModel.path)))
    return try FaceNetworks(
      ModelBundle(file), runtime: OpenVINORuntime(folder: try #require(RealModels.openVINO)))
  }

  private func networks() throws -> FaceNetworks { try Self.networks.get() }

  private func astronaut() throws -> Raster<RGB8> {
    guard case .color(let image) = try PNGImage(try RealData.bytes("faces/astronaut.png")[...])
    else { throw CocoaError(.fileReadCorruptFile) }
    return image
  }

  private func meanDistance(_ one: [SIMD2<Float>], _ other: [SIMD2<Float>]) -> Float {
    zip(one, other).reduce(0) { $0 + distance($1.0, $1.1) } / Float(one.count)
  }

  @Test func anAstronautSmiles() throws {
    var landmarker = FaceLandmarker(try networks())
    landmarker.readsBlendshapes = true
    let search = try landmarker.faces(in: astronaut())
    let face = try #require(search.faces.first)
    #expect(search.faces.count == 1 && search.view == .whole && face.isUsable, "\(search)")
    #expect(face.landmarks.presence > 0.99 && face.landmarks.trackNumber == nil)
    // As MediaPipe 1.2.2 itself places them, in whole pixels.
    let seen: [(Int, SIMD2<Float>)] = [
      (LandmarkIndex.rightIrisCenter, [203, 101]), (LandmarkIndex.leftIrisCenter, [246, 103]),
      (LandmarkIndex.chin, [221, 177]), (LandmarkIndex.rightEyeOuterCorner, [195, 100]),
      (LandmarkIndex.leftEyeOuterCorner, [255, 103]), (LandmarkIndex.noseTip, [223, 126]),
    ]
    for (index, place) in seen {
      let found = face.landmarks.points[index]
      #expect(distance(found, place) < 2.5, "\(index): \(found)")
    }
    let scores = try #require(face.blendshapes)
    #expect((scores["mouthSmileLeft"] ?? 0) > 0.7 && (scores["mouthSmileRight"] ?? 0) > 0.7)
    #expect((scores["jawOpen"] ?? 1) < 0.2 && (scores["eyeBlinkLeft"] ?? 1) < 0.3)
  }

  /// Mirror images must give mirrored landmarks: a position that is counted half a pixel of the crop wrongly
  /// shows by twice that.
  @Test func aMirrorImageHasMirroredLandmarks() throws {
    let image = try astronaut()
    let mirrored = image.oriented(by: .upMirrored)
    let landmarker = FaceLandmarker(try networks())
    let face = try #require(try landmarker.faces(in: image).faces.first).landmarks
    let other = try #require(try landmarker.faces(in: mirrored).faces.first).landmarks
    let right = Float(image.width - 1)
    var sum: Float = 0
    for (one, two) in HeadTurn.pairs {
      for (index, twin) in [(one, two), (two, one)] {
        let back = SIMD2(right - other.points[twin].x, other.points[twin].y)
        #expect(distance(face.points[index], back) < 0.025 * face.sidePixels)
        sum += face.points[index].x - back.x
      }
    }
    // Half a pixel of a crop of 164 pixels is 0.32; twice that would be 0.64.
    #expect(abs(sum / 16) < 0.4, "\(sum / 16)")
  }

  @Test func sameBytesForAnyNumberOfThreadsAndEachRun() throws {
    let image = try astronaut()
    let file = try FaceModel.file(from: ModelFile(path: try #require(RealFaceModel.path)))
    let runtime = try OpenVINORuntime(folder: try #require(RealModels.openVINO))
    let once = try FaceLandmarker(networks()).faces(in: image)
    for threads in 1...3 {
      let other = try FaceNetworks(ModelBundle(file), runtime: runtime, threads: threads)
      #expect(try FaceLandmarker(other).faces(in: image) == once)
    }
  }

  @Test func aSmallFaceInALargePhotoIsFoundInTiles() throws {
    let face = try astronaut()
    let image = Raster<RGB8>(size: RasterSize(width: 3072, height: 2304)) { x, y in
      let (column, row) = (x - 1900, y - 600)
      return face.contains(x: column, y: row)
        ? face[column, row] : RGB8(red: 90, green: 100, blue: 110)
    }
    let landmarker = FaceLandmarker(try networks())
    let search = try landmarker.faces(in: image)
    let found = try #require(search.usableFaces.first)
    guard case .tiles = search.view else {
      Issue.record("\(search)")
      return
    }
    let alone = try #require(try landmarker.faces(in: face).faces.first).landmarks.points
    // Another detection, so another crop: within the sigma of a contour.
    let shift = meanDistance(found.landmarks.points.map { $0 - [1900, 600] }, alone)
    #expect(shift < 1, "\(shift)")
  }

  @Test func halfAFaceIsRefused() throws {
    let image = try astronaut()
    let landmarker = FaceLandmarker(try networks())
    func doubts(from top: Int) throws -> (share: Float?, isUsable: Bool)? {
      let part = Raster<RGB8>(
        size: RasterSize(width: image.width, height: image.height - top)
      ) { x, y in image[x, y + top] }
      guard let face = try landmarker.faces(in: part).faces.first else { return nil }
      for case .cutOff(let share) in face.doubts { return (share, face.isUsable) }
      return (nil, face.isUsable)
    }
    #expect(try #require(try doubts(from: 0)).share == nil)
    let forehead = try #require(try doubts(from: 85))
    #expect(forehead.isUsable && (0.02...0.3).contains(forehead.share ?? 0), "\(forehead)")
    // Cut below the eyes: not seen as a face, or refused as one.
    if let eyes = try doubts(from: 110) {
      #expect(!eyes.isUsable && (0.3...0.6).contains(eyes.share ?? 0), "\(eyes)")
    }
  }

  @Test(arguments: [0, 4, 12, 28, 56, 84])
  func aMannequinFromTheEarToTheFront(frame: Int) throws {
    let folder = try DiskFolder(RealData.url("truedepth-mannequin/DepthFrames"))
    let capture = try Recording(folder: folder).capture(at: frame)
    let stored = try #require(capture.color)
    // The phone lay on its side: the head's top is left.
    let search = try FaceLandmarker(networks()).faces(in: stored.oriented(by: .right))
    let doubts = search.faces.map(\.doubts) + search.rejected.map(\.doubts)
    func yaw() -> Float? {
      for case .turnedAway(let yaw) in doubts.joined() { return yaw }
      return search.usableFaces.first?.turn.yawRadians
    }
    // The turn by the phone's attitude sensor against the front view, in degrees, downwards of 0.1 s.
    let turns: [Int: Float] = [0: 72.9, 4: 69.1, 12: 58.7, 28: 37.5, 56: 0, 84: -37.7]
    let turn = try #require(turns[frame])
    let found = try #require(yaw()) * 180 / .pi
    #expect(abs(found - turn) < 6, "\(found) for \(turn)")
    #expect(search.usableFaces.isEmpty == (frame < 20), "\(search)")
  }
}
