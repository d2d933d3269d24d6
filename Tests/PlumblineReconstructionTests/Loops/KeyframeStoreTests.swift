import PlumblineModel
import PlumblineNumerics
import PlumblineSimulation
import Testing

@testable import PlumblineReconstruction

@Suite struct KeyframeStoreTests {
  private func tracked(_ index: Int, _ pose: RigidTransform, fragment: Int = 0) -> TrackedFrame {
    TrackedFrame(
      index: index,
      estimate: PosePrior(worldFromCamera: pose, sigmaRadians: 1e-3, sigmaMeters: 1e-3).estimate,
      state: .tracked, fragment: fragment)
  }

  private let frame = TrackingScene.room.frame(worldFromCamera: .identity)

  @Test("Keyframes follow 12 cm and 10 degrees, and each surface has its own first one")
  func choosesByMotion() {
    var store = KeyframeStore()
    for step in 0..<25 {
      store.add(tracked(step, pose(.zero, [0.011 * Double(step), 0, 0])), frame)
    }
    #expect(store.keyframes.map(\.index) == [0, 11, 22])
    for step in 0..<8 {
      store.add(tracked(25 + step, pose([0, 0.05 * Double(step), 0], .zero), fragment: 1), frame)
    }
    #expect(store.keyframes.map(\.index) == [0, 11, 22, 25, 29])
    #expect(store.latestPoses(of: 1, count: 5).count == 2)
    // A lost frame is none.
    var lost = tracked(40, pose(.zero, [5, 0, 0]))
    lost.state = .lost(.jump)
    store.add(lost, frame)
    #expect(store.keyframes.count == 5)
  }

  @Test("A full store keeps every second keyframe, and the way between them")
  func staysBounded() {
    var store = KeyframeStore(limit: 8)
    for step in 0..<40 {
      store.add(tracked(step, pose(.zero, [0.13 * Double(step), 0, 0])), frame)
      #expect(store.keyframes.count <= 8)
    }
    #expect(store.keyframes.first?.index == 0 && store.distanceMeters > 0.4)
    for keyframe in store.keyframes {
      // Sums of steps of 13 cm: rounding.
      #expect(abs(keyframe.passedMeters - 0.13 * Double(keyframe.index)) < 1e-9)
    }
  }

  @Test("A thinned frame sees the same points")
  func thins() {
    let camera = PinholeIntrinsics(
      focalLength: [300, 310], principalPoint: [180.5, 119.5],
      size: RasterSize(width: 363, height: 241))
    let large = LoopScene.furnished.frame(worldFromCamera: .identity, camera: camera)
    let small = large.thinned(toSide: Keyframe.maximumSide)
    #expect(small.depth.size == RasterSize(width: 121, height: 81))
    for (x, y) in [(0, 0), (120, 80), (60, 41)] {
      let there = small.camera.unproject([Double(x), Double(y)], depth: 1)
      let here = large.camera.unproject([Double(3 * x), Double(3 * y)], depth: 1)
      // Rounding of pixels.
      #expect(abs(there.x - here.x) < 1e-12 && abs(there.y - here.y) < 1e-12)
      #expect(small.depth.meters[x, y] == large.depth.meters[3 * x, 3 * y])
    }
    #expect(frame.thinned(toSide: 64).depth.size == frame.depth.size)
  }
}
