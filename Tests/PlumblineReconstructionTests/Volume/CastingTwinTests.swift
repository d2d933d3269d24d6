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

  /// A rod in front of a wall, so that tiles of pixels hold blocks of both.
  private static func rodAndWall() throws -> SurfaceVolume {
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: 0.01))
    for shift in [0, 0.2] {
      let pose = RigidTransform.identity.moved(rotation: .zero, translation: [shift, 0, 0])
      let frame = SceneFrames.frame { ray in
        let rod = (0.05 - shift) / 0.6
        return abs(ray.x - rod) < 0.06 ? 0.6 : 1.1
      }
      try volume.integrate(frame, worldFromCamera: pose, threads: 2)
    }
    return volume
  }

  @Test func raysPassWhatLiesBesideThem() throws {
    let volume = try Self.rodAndWall()
    let slow = SlowRays(volume: volume)
    let pose = RigidTransform.identity.moved(
      rotation: [0.02, 0.05, 0.01], translation: [0.05, 0.02, -0.1])
    let view = volume.view(camera: SceneFrames.camera, worldFromCamera: pose, threads: 2)
    var (near, far, missed) = (0, 0, 0)
    for y in stride(from: 2, to: 48, by: 5) {
      for x in 2..<62 {
        let ray = SceneFrames.camera.unproject(SIMD2(Double(x), Double(y)), depth: 1)
        guard
          let found = slow.first(from: pose.translation, along: pose.rotation * ray, to: 1.5)
        else { continue }
        let depth = Double(view.depth.meters[x, y])
        // A fiftieth of a voxel, as above. Rays that graze the rod's side may pass between steps.
        if !(abs(depth - found.depth) < 2e-4) {
          missed += 1
        } else if depth < 0.9 {
          near += 1
        } else {
          far += 1
        }
      }
    }
    #expect(near > 20 && far > 200, "\(near), \(far), \(missed)")
    #expect(missed * 50 < near + far, "\(missed) of \(near) and \(far)")
  }
}
