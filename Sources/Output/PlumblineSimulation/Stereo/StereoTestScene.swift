package import PlumblineModel

/// Scenes on which stereo matching is measured, like those of Middlebury: hard edges, thin things,
/// slanted surfaces and textures of all contrasts, 1.1 to 4.5 m away.
package enum StereoTestScene: String, Sendable, CaseIterable {
  /// Leaves in all directions before a wall, on stems.
  case foliage
  /// A floor, a slanted wall, boxes and balls.
  case slanted
  /// Bars and slats of 3 to 40 mm before a wall.
  case thin
  /// Some of each.
  case mixed

  /// The surfaces of a scene; equal seeds give equal scenes.
  package func scene(seed: UInt64) -> SimulatedScene {
    let kind = UInt64(Self.allCases.firstIndex(of: self) ?? 0)
    var random = SeededGenerator(seed: seed &* 977 &+ kind)
    var surfaces = Self.room(&random)
    switch self {
    case .foliage: surfaces += Self.leaves(110, &random)
    case .slanted: surfaces += Self.solids(boxes: 6, balls: 5, &random)
    case .thin: surfaces += Self.bars(26, &random) + Self.slats(3, &random)
    case .mixed:
      surfaces +=
        Self.leaves(40, &random) + Self.solids(boxes: 3, balls: 2, &random) + Self.bars(8, &random)
    }
    return SimulatedScene(
      surfaces: surfaces,
      lighting: Lighting(
        lamps: [
          Lighting.Lamp(
            position: [-1.5, -2, -0.5], strength: [3.2, 3.1, 2.9], radius: 0.1, castsShadows: false)
        ], sky: [0.7, 0.7, 0.7], ground: [0.5, 0.5, 0.5]))
  }

  /// A wall that is turned and a floor that leans.
  private static func room(_ random: inout SeededGenerator) -> [any SceneSurface] {
    let depth = random.uniform(in: 3.2..<4.5)
    let turn = Rotation.aboutY(halfTangent: random.uniform(in: -0.28..<0.28))
    let lean = Rotation.aboutX(halfTangent: random.uniform(in: -0.03..<0.03))
    return [
      TexturedSheet(
        center: [0, 0, depth], halfAxes: turn * [7, 0, 0], [0, 5, 0],
        texture: FractalTexture(&random, contrast: 0.02...0.12)),
      TexturedSheet(
        center: [0, 0.75, 2.5], halfAxes: [6, 0, 0], lean * [0, 0, 5],
        texture: FractalTexture(&random)),
    ]
  }

  private static func turned(_ random: inout SeededGenerator, _ most: Double) -> Rotation {
    Rotation.aboutX(halfTangent: random.uniform(in: -most..<most))
      * Rotation.aboutY(halfTangent: random.uniform(in: -most..<most))
      * Rotation.aboutZ(halfTangent: random.uniform(in: -most..<most))
  }

  private static func leaves(_ count: Int, _ random: inout SeededGenerator) -> [any SceneSurface] {
    var surfaces: [any SceneSurface] = (0..<count).map { _ in
      let axes = turned(&random, 0.9)
      let length = random.uniform(in: 0.05..<0.17)
      let center = SIMD3(
        0.6 * random.gaussian(), 0.4 * random.gaussian() - 0.05, random.uniform(in: 1.1..<2.6))
      return TexturedSheet(
        center: center, halfAxes: axes.x * length,
        axes.y * (length * random.uniform(in: 0.25..<0.5)), outline: .leaf,
        texture: FractalTexture(&random, coarsestMeters: 0.08, octaves: 6))
    }
    for _ in 0..<count / 14 {
      let lean = Rotation.aboutZ(halfTangent: random.uniform(in: -0.1..<0.1))
      surfaces.append(
        TexturedSheet(
          center: [0.6 * random.gaussian(), 0.2, random.uniform(in: 1.3..<2.4)],
          halfAxes: lean * [0.006, 0, 0], lean * [0, 0.7, 0],
          texture: FractalTexture(&random, coarsestMeters: 0.05, octaves: 4)))
    }
    return surfaces
  }

  private static func solids(
    boxes: Int, balls: Int, _ random: inout SeededGenerator
  ) -> [any SceneSurface] {
    var surfaces: [any SceneSurface] = []
    for _ in 0..<boxes {
      let axes = turned(&random, 0.3)
      let center = SIMD3(
        random.uniform(in: -1..<1), random.uniform(in: 0.1..<0.6), random.uniform(in: 1.4..<2.8))
      let half = (0..<3).map { _ in random.uniform(in: 0.1..<0.3) }
      let sides = [axes.x * half[0], axes.y * half[1], axes.z * half[2]]
      for axis in 0..<3 {
        for side in [-1.0, 1] {
          surfaces.append(
            TexturedSheet(
              center: center + sides[axis] * side, halfAxes: sides[(axis + 1) % 3],
              sides[(axis + 2) % 3], texture: FractalTexture(&random, contrast: 0.02...0.14)))
        }
      }
    }
    for _ in 0..<balls {
      let gray = random.uniform(in: 0.15..<0.4)
      surfaces.append(
        Ellipsoid(
          center: [
            random.uniform(in: -1..<1), random.uniform(in: -0.5..<0.4),
            random.uniform(in: 1.3..<2.4),
          ], radius: random.uniform(in: 0.1..<0.25),
          pattern: .mottled(
            Paint(albedo: SIMD3(repeating: gray)), Paint(albedo: SIMD3(repeating: 0.6 * gray)),
            blobs: SIMD3(repeating: random.uniform(in: 0.01..<0.03)))))
    }
    return surfaces
  }

  private static func bars(_ count: Int, _ random: inout SeededGenerator) -> [any SceneSurface] {
    (0..<count).map { index in
      let most = index % 2 == 0 ? 0.9 : 0.25
      let turn = Rotation.aboutZ(halfTangent: random.uniform(in: -most..<most))
      let lean = turn * Rotation.aboutX(halfTangent: random.uniform(in: -0.15..<0.15))
      let center = SIMD3(
        random.uniform(in: -0.9..<0.9), random.uniform(in: -0.4..<0.4),
        random.uniform(in: 1.1..<2.6))
      return TexturedSheet(
        center: center, halfAxes: lean * [random.uniform(in: 0.0015..<0.02), 0, 0],
        lean * [0, 0.5, 0],
        texture: FractalTexture(&random, contrast: 0.02...0.12, coarsestMeters: 0.06, octaves: 5))
    }
  }

  /// Rows of five slats with gaps of their own width.
  private static func slats(_ count: Int, _ random: inout SeededGenerator) -> [any SceneSurface] {
    (0..<count).flatMap { _ -> [any SceneSurface] in
      let axes = turned(&random, 0.25)
      let center = SIMD3(
        random.uniform(in: -0.8..<0.8), random.uniform(in: 0..<0.4), random.uniform(in: 1.6..<2.6))
      let half = random.uniform(in: 0.012..<0.03)
      return (0..<5).map { index in
        TexturedSheet(
          center: center + axes.x * (4 * half * Double(index - 2)), halfAxes: axes.x * half,
          axes.y * 0.25, texture: FractalTexture(&random, coarsestMeters: 0.1, octaves: 6))
      }
    }
  }
}

/// Two rectified images of a scene as gray levels, and the exact pixel disparity of the left one.
package struct RectifiedViews: Sendable {
  /// Gray levels of the left image.
  package let left: Raster<UInt8>
  /// Gray levels of the right image.
  package let right: Raster<UInt8>
  /// The pixel disparity of each pixel center of the left image.
  package let disparity: Raster<Float>

  /// Takes both images; equal arguments give equal bits on every platform.
  ///
  /// The cameras are pinholes of 620 px focal length, 0.1 m apart: 1.1 m have 56 px, 4.5 m 14 px. Lens
  /// blur is 0.55 px, noise 1.5 levels, and the right image is lighter by a twentieth.
  /// - Complexity: O(pixels · surfaces): some seconds at 740×500 in a release build.
  package init(
    of scene: SimulatedScene, size: RasterSize = RasterSize(width: 740, height: 500), seed: UInt64
  ) {
    let (focal, baseline) = (620.0, 0.1)
    let calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [focal, focal],
        principalPoint: SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2, size: size))
    let rays = CameraRayGrid(calibration)
    func image(_ x: Double, exposure: Double, seed: UInt64) -> (Raster<UInt8>, DepthMap) {
      let view = SceneRenderer(
        scene: scene, rays: rays,
        sceneFromCamera: RigidTransform(rotation: .identity, translation: [x, 0, 0])
      ).view()
      let formation = ImageFormation(
        exposure: exposure, blurSigmaPixels: 0.55, vignetting: 0.1, noiseSigmaCodes: 1.5)
      return (formation.image(of: view.radiance, seed: seed).luma, view.depth)
    }
    let (own, depth) = image(0, exposure: 1, seed: seed)
    left = own
    right = image(baseline, exposure: 1.05, seed: seed ^ 0x57E3E0).0
    disparity = depth.meters.map { Float(focal * baseline) / $0 }
  }
}
