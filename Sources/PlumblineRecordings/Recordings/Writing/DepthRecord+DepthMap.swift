package import PlumblineModel

extension DepthRecord {
  /// Depth along the optical axis; `nil` for lengths of rays without a camera of the map's shape.
  ///
  /// Disparities become depths; the camera may have another size than the map. O(*n*) for both.
  package func depthMap(camera: PinholeIntrinsics?) -> DepthMap? {
    switch values {
    case .depth(let map): return map
    case .disparity(let map): return map.depthMap
    case .range(let map):
      guard let camera, camera.matchesAspect(of: map.size) else { return nil }
      return map.depthMap(intrinsics: camera.scaled(to: map.size))
    }
  }
}
