import PlumblineCapture
import PlumblineModel
import PlumblineScreens
import PlumblineTestSupport
import Testing

@Suite("The camera that looks at the points")
struct OrbitCameraTests {
  static func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }

  static func moved(_ generator: inout SeededGenerator) -> OrbitCamera {
    var camera = OrbitCamera(targetDistance: .random(in: 0.2...3, using: &generator))
    for _ in 0..<10 {
      camera.orbit(
        by: [.random(in: -1...1, using: &generator), .random(in: -1...1, using: &generator)])
      camera.zoom(by: .random(in: 0.5...2, using: &generator))
      camera.twist(by: .random(in: -2...2, using: &generator))
    }
    return camera
  }

  @Test("The eye always looks at the target, from its distance, with axes at right angles")
  func axes() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let camera = Self.moved(&generator)
      let away = camera.eye - camera.target
      #expect(abs(Self.dot(away, away).squareRoot() - camera.distance) < 1e-12 * camera.distance)
      #expect(abs(camera.pitch) <= .pi / 2)
      // The target comes to the middle of the view, at its distance in front.
      let projection = PointProjection(
        camera, orientation: .up, isMirror: false, intrinsics: nil, viewSize: [1300, 1000])
      let target = camera.target
      let clip =
        projection.clipFromCamera * SIMD4(Float(target.x), Float(-target.y), Float(-target.z), 1)
      #expect(abs(clip.x / clip.w) < 1e-4 && abs(clip.y / clip.w) < 1e-4)
      #expect(abs(clip.w - Float(camera.distance)) < 1e-4 * Float(camera.distance))
      #expect(clip.z > 0 && clip.z < clip.w)
    }
  }

  @Test("At home each point is drawn at its own pixel, in every orientation, mirrored or not")
  func home() throws {
    for orientation in ImageOrientation.allCases {
      for isMirror in [false, true] {
        let capture = Frames.capture(orientation: orientation) { x, y in
          0.5 + 0.1 * Float(x * y % 5)
        }
        let intrinsics = try #require(capture.depth?.calibration?.intrinsics)
        let shown = isMirror ? orientation.followed(by: .upMirrored) : orientation
        let size = shown.uprightSize(of: Frames.size)
        let projection = PointProjection(
          OrbitCamera(targetDistance: 0.7), orientation: orientation, isMirror: isMirror,
          intrinsics: intrinsics,
          viewSize: SIMD2(Double(size.width), Double(size.height)) * 50)
        for y in 0..<Frames.size.height {
          for x in 0..<Frames.size.width {
            let pixel = SIMD2(Double(x), Double(y))
            let point = intrinsics.unproject(pixel, depth: 0.5 + 0.1 * Double(x * y % 5))
            let clip =
              projection.clipFromCamera * SIMD4(Float(point.x), Float(point.y), Float(point.z), 1)
            let place = shown.upright(pixel, in: Frames.size)
            let expected = SIMD2(
              2 * (place.x + 0.5) / Double(size.width) - 1,
              1 - 2 * (place.y + 0.5) / Double(size.height))
            // In halves of the view; single precision.
            #expect(abs(Double(clip.x / clip.w) - expected.x) < 1e-5)
            #expect(abs(Double(clip.y / clip.w) - expected.y) < 1e-5)
          }
        }
      }
    }
  }

  @Test("A view of another shape still holds the whole image")
  func fits() {
    let intrinsics = PinholeIntrinsics(
      focalLength: [8, 8], principalPoint: [3.5, 2.5], size: Frames.size)
    for aspect in [0.4, 0.75, 1.0, 1.33, 3] {
      let projection = PointProjection(
        OrbitCamera(), orientation: .up, isMirror: false, intrinsics: intrinsics,
        viewSize: [600 * aspect, 600])
      var extent = SIMD2<Float>.zero
      for corner in [SIMD2(-0.5, -0.5), [7.5, -0.5], [-0.5, 5.5], [7.5, 5.5]] {
        let point = intrinsics.unproject(corner, depth: 1)
        let clip =
          projection.clipFromCamera * SIMD4(Float(point.x), Float(point.y), Float(point.z), 1)
        extent = SIMD2(max(extent.x, abs(clip.x / clip.w)), max(extent.y, abs(clip.y / clip.w)))
      }
      #expect(extent.max() <= 1.00001 && extent.max() > 0.9999)
    }
  }

  @Test("However a gesture is reported, its end decides")
  func gestures() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<50 {
      let end = (
        magnification: Double.random(in: 0.5...2, using: &generator),
        rotation: Double.random(in: -1...1, using: &generator),
        // Without a twist a drag is a sum of its parts, as long as it stays off the poles.
        drag: SIMD2(Double.random(in: -300...300, using: &generator), 20)
      )
      var (whole, parts) = (OrbitGestures(), OrbitGestures())
      whole.drag(to: end.drag, from: [5, 5], viewHeight: 600)
      whole.pinch(to: end.magnification, from: [5, 5])
      whole.twist(to: end.rotation, from: [5, 5])
      let steps = Int.random(in: 2...9, using: &generator)
      for step in 1...steps {
        let share = Double(step) / Double(steps)
        parts.drag(to: end.drag * share, from: [5, 5], viewHeight: 600)
        parts.pinch(to: 1 + (end.magnification - 1) * share, from: [5, 5])
      }
      for step in 1...steps {
        parts.twist(to: end.rotation * Double(step) / Double(steps), from: [5, 5])
      }
      let (a, b) = (whole.camera, parts.camera)
      for difference in [
        a.yaw - b.yaw, a.pitch - b.pitch, a.roll - b.roll, a.distance - b.distance,
      ] {
        #expect(abs(difference) < 1e-12)
      }
    }
  }

  @Test("A gesture that begins anew moves on from where the last one ended")
  func nextGesture() {
    var gestures = OrbitGestures()
    gestures.pinch(to: 2, from: [5, 5])
    gestures.endPinch()
    gestures.pinch(to: 2, from: [5, 5])
    #expect(gestures.camera.distance == 0.25)
    gestures.twist(to: 0.5, from: [5, 5])
    gestures.endTwist()
    gestures.twist(to: 0.25, from: [5, 5])
    #expect(abs(gestures.camera.roll + 0.75) < 1e-12)
    gestures.drag(to: [60, 0], from: [5, 5], viewHeight: 600)
    gestures.endDrag()
    let turned = gestures.camera
    gestures.drag(to: [0, 0], from: [5, 5], viewHeight: 600)
    #expect(gestures.camera == turned && turned.yaw != 0)
    gestures.reset()
    #expect(gestures == OrbitGestures())
  }

  @Test("A gesture that was canceled unseen does not move the camera back when the next one begins")
  func canceled() {
    var (seen, unseen) = (OrbitGestures(), OrbitGestures())
    for isSeen in [true, false] {
      var gestures = OrbitGestures()
      gestures.drag(to: [60, 20], from: [5, 5], viewHeight: 600)
      gestures.pinch(to: 2, from: [5, 5])
      gestures.twist(to: 0.5, from: [5, 5])
      if isSeen {
        gestures.endDrag()
        gestures.endPinch()
        gestures.endTwist()
      }
      gestures.drag(to: [1, 2], from: [90, 40], viewHeight: 600)
      gestures.pinch(to: 0.9, from: [90, 40])
      gestures.twist(to: -0.1, from: [90, 40])
      if isSeen { seen = gestures } else { unseen = gestures }
    }
    #expect(seen.camera == unseen.camera && seen.camera != OrbitCamera())
  }

  @Test("At home a point is as wide as the distance of neighboring pixels on the screen")
  func pointSize() {
    let intrinsics = PinholeIntrinsics(
      focalLength: [8, 8], principalPoint: [3.5, 2.5], size: Frames.size)
    let view = SIMD2(640.0, 480)
    let projection = PointProjection(
      OrbitCamera(targetDistance: 0.7), orientation: .up, isMirror: false, intrinsics: intrinsics,
      viewSize: view)
    func column(_ x: Double, _ depth: Double) -> (pixels: Double, side: Double) {
      let point = intrinsics.unproject([x, 2], depth: depth)
      let clip =
        projection.clipFromCamera * SIMD4(Float(point.x), Float(point.y), Float(point.z), 1)
      return (
        Double(clip.x / clip.w) * view.x / 2, Double(projection.pointScale * Float(depth) / clip.w)
      )
    }
    for depth in [0.3, 0.7, 2] {
      let (a, b) = (column(3, depth), column(4, depth))
      #expect(abs(b.pixels - a.pixels - a.side) < 1e-3)
    }
  }

  @Test("Hostile numbers move nothing, and no zoom leaves its bounds")
  func hostile() {
    var gestures = OrbitGestures(OrbitCamera(targetDistance: 2))
    let before = gestures
    for value in [Double.nan, .infinity, -.infinity] {
      gestures.pinch(to: value, from: [5, 5])
      gestures.twist(to: value, from: [5, 5])
    }
    gestures.pinch(to: 0, from: [5, 5])
    gestures.pinch(to: -3, from: [5, 5])
    gestures.drag(to: [1, 1], from: [5, 5], viewHeight: 0)
    #expect(gestures == before)
    gestures.pinch(to: 1e9, from: [5, 5])
    #expect(gestures.camera.distance == 2 * OrbitCamera.distanceFactors.lowerBound)
    gestures.endPinch()
    gestures.pinch(to: 1e-9, from: [5, 5])
    #expect(gestures.camera.distance == 2 * OrbitCamera.distanceFactors.upperBound)
  }

  @Test("Frames move the target only until a finger has moved the camera")
  func follow() {
    var gestures = OrbitGestures()
    gestures.follow(targetDistance: 0.6)
    #expect(gestures.camera.target == [0, 0, -0.6] && gestures.camera.eye == .zero)
    gestures.drag(to: [30, 0], from: [5, 5], viewHeight: 300)
    let moved = gestures.camera
    gestures.follow(targetDistance: 3)
    #expect(gestures.camera == moved)
    gestures.reset()
    #expect(gestures.camera == OrbitCamera(targetDistance: 0.6))
  }
}
