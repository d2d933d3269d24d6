import PlumblineGeometry
import PlumblineModel
import PlumblineReconstruction
import Testing

/// The kernel that casts rays against small steps.
struct CastingTwinTests {
  @Test func raysFindTheSurface() throws {
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: 0.01))
    for pose in SceneFrames.poses(distance: 0.6).prefix(9) {
      let frame = SceneFrames.frame(shared: SigmaCurve(constantMeters: 0.001)) {
        SceneFrames.ball($0, center: [0, 0, 0.6], radius: 0.2)
      }
      try volume.integrate(frame, worldFromCamera: pose, threads: 2)
    }
    let slow = SlowRays(volume: volume)
    let pose = SceneFrames.poses(distance: 0.6)[4].moved(
      rotation: [0.05, -0.1, 0.2], translation: [0.03, 0.02, -0.05])
    let view = volume.view(camera: SceneFrames.camera, worldFromCamera: pose, threads: 2)
    var (both, normals) = (0, 0)
    for y in stride(from: 1, to: 48, by: 3) {
      for x in stride(from: 2, to: 64, by: 3) {
        let ray = SceneFrames.camera.unproject(SIMD2(Double(x), Double(y)), depth: 1)
        let found = slow.first(
          from: pose.translation, along: pose.rotation * ray, to: 1)
        let depth = Double(view.depth.meters[x, y])
        guard let found, depth.isFinite else { continue }
        both += 1
        // Four steps of regula falsi between places up to two voxels apart: a fiftieth of a voxel.
        #expect(abs(depth - found.depth) < 2e-4)
        let n = view.normals[x, y]
        let normal = pose.rotation * SIMD3(Double(n.x), Double(n.y), Double(n.z))
        // It is that of the neighboring pixels, 8 mm apart on a ball of 0.2 m, and fails at slanted ones.
        guard n.x.isFinite, (found.normal * (pose.rotation * ray)).sum() < -0.6 else { continue }
        #expect((normal * found.normal).sum() > 0.98)
        normals += 1
      }
    }
    #expect(both > 60 && normals > 30)
  }
}
