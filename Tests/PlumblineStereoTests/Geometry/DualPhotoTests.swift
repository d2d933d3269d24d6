import PlumblineModel
import PlumblineSimulation
import PlumblineStereo
import PlumblineVision
import Testing

/// A simulated dual photo through the whole of it: lens, extrinsics, noise, matching, depth.
@Suite struct DualPhotoTests {
  private static let size = RasterSize(width: 240, height: 180)

  static func photo(_ preset: DualCameraPreset, size: RasterSize = size) -> DualPhoto {
    DualPhoto(of: .stillLife(), by: preset, from: .identity, size: size, seed: 3)
  }

  @Test(arguments: ["dual", "dualwide"])
  func depthIsWithinItsTheoreticalSigma(name: String) throws {
    let preset = try #require(DualCameraPreset.named(name))
    let photo = Self.photo(preset)
    let result = try DualPhotoDepth(photo, threads: 2)
    // The bound is for 0.25 px at the rectified focal length; the median error of a normal
    // distribution would be 0.67 of it.
    #expect(result.medianRatio < 1.3, "times z²/(f·B)·0.25 px")
    #expect(result.share > 0.5, "of the pixels that both cameras see")
    #expect(result.capture.depth?.accuracy == .absolute)
  }

  @Test func extrinsicsTakenTheOtherWayLeaveRowsApart() throws {
    let preset = DualCameraPreset.dual
    let truth = try StereoCalibration(left: preset.first, right: preset.second)
    let other = try StereoCalibration(
      left: preset.first, right: preset.second, direction: .cameraFromReference)
    var matches: [(left: SIMD2<Double>, right: SIMD2<Double>)] = []
    for index in 0..<60 {
      let point = SIMD3(Double(index % 8) * 0.05 - 0.2, Double(index / 8) * 0.05 - 0.2, 1.5)
      guard let left = truth.left.project(point),
        let right = truth.right.project(truth.rightFromLeft * point)
      else { continue }
      matches.append((left, right))
    }
    let right = try StereoCalibrationTests.rowDistances(matches, StereoRectification(truth))
    let wrong = try StereoCalibrationTests.rowDistances(matches, StereoRectification(other))
    #expect(right[right.count / 2] < 1e-6)
    #expect(wrong[wrong.count / 2] > 20, "px of 12 megapixels")
  }
}

/// The depth of a dual photo, beside its truth.
struct DualPhotoDepth {
  var capture: Capture
  /// The median of |error| over `z²/(f·B)·0.25 px`.
  var medianRatio: Double
  /// Which share of the pixels that both cameras cover has a depth.
  var share: Double
  /// The median of |error|, in pixels of the rectified images.
  var medianPixels: Double

  init(
    _ photo: DualPhoto, focalLength: StereoRectification.FocalLength = .finer, threads: Int
  ) throws {
    let calibration = try StereoCalibration(left: photo.first.claimed, right: photo.second.claimed)
      .scaled(left: photo.first.color.size, right: photo.second.color.size)
    let rectification = try StereoRectification(
      calibration, focalLength: focalLength, nearest: 0.6)
    let images = try rectification.rectified(
      left: photo.first.color, right: photo.second.color, threads: threads)
    let range = try #require(rectification.disparities(nearest: 0.6, farthest: 4))
    let match = try StereoMatcher(disparities: range).match(images.pair, threads: threads)
    let depth = StereoDepth(match, rectification)
    capture = depth.capture(color: images)
    let coverage = images.pair.leftCoverage?.oriented(by: rectification.turn)
    let leftFromDepth = depth.depthFromLeft.inverse
    let scale = rectification.focalLengthPixels * rectification.baselineMeters
    let scene = SimulatedScene.stillLife()
    var ratios: [Double] = []
    var covered = 0
    for y in 0..<depth.depth.size.height {
      for x in 0..<depth.depth.size.width where coverage?[x, y] != 0 {
        covered += 1
        let z = Double(depth.depth.meters[x, y])
        let direction = depth.intrinsics.unproject(SIMD2(Double(x), Double(y)), depth: 1)
        guard z.isFinite,
          let hit = scene.firstHit(
            of: Ray(
              origin: photo.first.sceneFromCamera.translation,
              direction: photo.first.sceneFromCamera.rotation * (leftFromDepth * direction)))
        else { continue }
        // The ray's parameter is depth along the map's own axis, since its direction has z = 1 there.
        let truth = hit.parameter
        ratios.append(abs(z - truth) / (truth * truth / scale * 0.25))
      }
    }
    ratios.sort()
    medianRatio = ratios.isEmpty ? .infinity : ratios[ratios.count / 2]
    medianPixels = medianRatio * 0.25
    share = Double(ratios.count) / Double(max(covered, 1))
  }
}
