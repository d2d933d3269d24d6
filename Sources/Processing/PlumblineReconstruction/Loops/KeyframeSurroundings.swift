internal import PlumblineModel

/// The surface around a keyframe: what it and its neighbors on the path saw, fused.
///
/// One frame's normals are as noisy as its depths: they make a slide along a wall look measured. Those of a surface of
/// several frames are not.
struct KeyframeSurroundings: Sendable {
  /// So many keyframes before and after it are fused with it.
  static let reach = 3

  private let keyframes: [Keyframe]

  init(_ keyframes: [Keyframe]) { self.keyframes = keyframes }

  /// The surface as the camera of a keyframe sees it, in the axes of that camera.
  ///
  /// Voxels are as large as the pixels are apart at the keyframe's median depth.
  /// - Parameter place: A keyframe; only keyframes of its surface, at their tracked poses, take part.
  /// - Returns: That of the keyframe alone where it has no depth. Cost: some 50 ms.
  func view(of place: Int) -> SurfaceView {
    let own = keyframes[place]
    let voxel = own.medianMeters / own.frame.camera.focalLength.x
    guard voxel > 0, voxel.isFinite else {
      return own.frame.surfaceView(worldFromCamera: .identity, threads: 1)
    }
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: voxel))
    let near = max(0, place - Self.reach)...min(keyframes.count - 1, place + Self.reach)
    for other in near where keyframes[other].fragment == own.fragment {
      let ownFromOther = own.estimate.aFromB.inverse * keyframes[other].estimate.aFromB
      // A volume that is full keeps what it has: the keyframe's neighbors only make it better.
      try? volume.integrate(keyframes[other].frame, worldFromCamera: ownFromOther, threads: 1)
    }
    return volume.view(camera: own.frame.camera, worldFromCamera: .identity, threads: 1)
  }

  /// The views of some keyframes, each made once.
  func views(of places: Set<Int>, threads: Int) -> [Int: SurfaceView] {
    let places = places.sorted()
    var views = [SurfaceView?](repeating: nil, count: places.count)
    views.withUnsafeMutableBufferPointer { views in
      forEachConcurrently(places.count, threads: threads) { views[$0] = view(of: places[$0]) }
    }
    return Dictionary(uniqueKeysWithValues: zip(places, views.compactMap { $0 }))
  }
}
