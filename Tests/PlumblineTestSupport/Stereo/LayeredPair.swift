package import PlumblineModel

/// Two images of panels before a slanted wall, with exact geometry and depth: cheap to draw even
/// without optimization.
package struct LayeredPair: Sendable {
  /// The camera of both images.
  package let intrinsics: PinholeIntrinsics
  /// Takes a point of the left camera's frame to the right one's, in meters.
  package let rightFromLeft: RigidTransform
  /// The left image, gray in three channels.
  package let left: Raster<RGB8>
  /// The right image, likewise.
  package let right: Raster<RGB8>
  /// The exact depth of the left image without its distortion, in meters.
  package let depth: DepthMap
  private let scene: Scene

  /// What the two cameras have that no file states.
  package struct Faults: Hashable, Sendable {
    /// By which share the right image is larger.
    package var scale = 0.0
    /// The first radial coefficient of the left lens.
    package var leftRadial = 0.0
    /// The same of the right lens.
    package var rightRadial = 0.0

    /// No faults.
    package init() {}
  }

  /// Draws a pair.
  ///
  /// - Parameters:
  ///   - size: The size of each image.
  ///   - rightInLeft: Where the right camera stands, in meters.
  ///   - turn: How the right camera is turned in the left one's frame, axis times angle.
  ///   - hasPanels: Whether there is more than the wall.
  ///   - seed: What the structure is drawn from.
  ///   - faults: What ``intrinsics`` do not say.
  package init(
    size: RasterSize = RasterSize(width: 240, height: 180),
    rightInLeft: SIMD3<Double> = [0.08, 0, 0], turn: SIMD3<Double> = .zero, hasPanels: Bool = true,
    seed: UInt64 = 1, faults: Faults = Faults()
  ) {
    let focal = 0.9 * Double(size.width)
    intrinsics = PinholeIntrinsics(
      focalLength: [focal, focal],
      principalPoint: [Double(size.width - 1) / 2, Double(size.height - 1) / 2], size: size)
    let leftFromRight = RigidTransform(
      rotation: Rotation(axisAngle: turn) ?? .identity, translation: rightInLeft)
    rightFromLeft = leftFromRight.inverse
    let scene = Scene(texture: RandomTexture(seed: seed), focal: focal, hasPanels: hasPanels)
    self.scene = scene
    left = scene.image(intrinsics, .identity, radial: faults.leftRadial)
    right = scene.image(
      intrinsics, leftFromRight, radial: faults.rightRadial, enlarged: 1 + faults.scale)
    let camera = intrinsics
    depth = DepthMap(
      meters: Raster(size: size) { x, y in
        Float(scene.hit(.zero, camera.unproject([Double(x), Double(y)], depth: 1)).parameter)
      })
  }

  /// How many lengths of a direction of the left camera's frame lie before the surface it meets.
  package func lengths(along direction: SIMD3<Double>) -> Double {
    scene.hit(.zero, direction).parameter
  }

  /// A wall `z = 2.6 + x/5` and three panels before it.
  private struct Scene {
    let texture: RandomTexture
    let focal: Double
    let hasPanels: Bool
    private static let panels: [(center: SIMD3<Double>, half: SIMD2<Double>)] = [
      ([-0.45, -0.15, 1.5], [0.2, 0.25]), ([0.25, 0.25, 1.8], [0.3, 0.2]),
      ([0.5, -0.35, 2.2], [0.25, 0.25]),
    ]

    func hit(
      _ origin: SIMD3<Double>, _ direction: SIMD3<Double>
    ) -> (parameter: Double, surface: Int) {
      var best = ((2.6 + origin.x / 5 - origin.z) / (direction.z - direction.x / 5), 0)
      guard hasPanels else { return best }
      for (index, panel) in Self.panels.enumerated() {
        let parameter = (panel.center.z - origin.z) / direction.z
        let point = origin + direction * parameter
        let off = point - panel.center
        if parameter > 0, parameter < best.0, abs(off.x) < panel.half.x, abs(off.y) < panel.half.y {
          best = (parameter, index + 1)
        }
      }
      return best
    }

    func image(
      _ camera: PinholeIntrinsics, _ leftFromCamera: RigidTransform, radial: Double,
      enlarged: Double = 1
    ) -> Raster<RGB8> {
      Raster(size: camera.size) { x, y in
        let seen = camera.unproject([Double(x), Double(y)], depth: 1)
        var own = seen
        for _ in 0..<(radial == 0 ? 0 : 8) {
          let scale = 1 + radial * (own.x * own.x + own.y * own.y)
          own = [seen.x / scale, seen.y / scale, 1]
        }
        let ray = leftFromCamera.rotation * [own.x / enlarged, own.y / enlarged, 1]
        let hit = hit(leftFromCamera.translation, ray)
        let point = leftFromCamera.translation + ray * hit.parameter
        // Blobs of some eight pixels at any distance, other ones on each surface.
        let nominal = [2.6, 1.5, 1.8, 2.2][hit.surface]
        let place = SIMD2(point.x, point.y) * (focal / nominal) + Double(1000 * hit.surface)
        let level = texture.level(at: place)
        return RGB8(red: level, green: level, blue: level)
      }
    }
  }
}
