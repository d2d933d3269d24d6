/// A flat piece of a surface with a texture like those of nature: a wall, a leaf, a slat.
package struct TexturedSheet: SceneSurface {
  /// The outline of a sheet, between −1 and 1 along both of its axes.
  package enum Outline: Sendable {
    /// All of it.
    case rectangle
    /// |v| < 1 − u²: pointed at both ends of the first axis.
    case leaf
  }

  /// Its center, in meters.
  package let center: SIMD3<Double>
  /// From the center to its edges, in meters; at right angles to each other.
  package let halfAxes: (u: SIMD3<Double>, v: SIMD3<Double>)
  /// Its outline.
  package let outline: Outline
  /// Its texture.
  package let texture: FractalTexture
  private let unitNormal: SIMD3<Double>
  private let perU: SIMD3<Double>
  private let perV: SIMD3<Double>

  /// Creates a sheet.
  ///
  /// - Precondition: The half axes are at right angles and longer than 0.
  package init(
    center: SIMD3<Double>, halfAxes u: SIMD3<Double>, _ v: SIMD3<Double>,
    outline: Outline = .rectangle, texture: FractalTexture
  ) {
    precondition(dot(u, u) > 0 && dot(v, v) > 0, "a sheet has two sides")
    self.center = center
    halfAxes = (u, v)
    self.outline = outline
    self.texture = texture
    unitNormal = normalized(cross(u, v))
    perU = u / dot(u, u)
    perV = v / dot(v, v)
  }

  /// A bounding ball through the corners.
  package var bounds: BoundingBall? {
    BoundingBall(center: center, radius: length(halfAxes.u + halfAxes.v))
  }

  /// The ray parameter of the hit; `nil` when the ray misses.
  package func firstHit(of ray: Ray) -> Double? {
    let slope = dot(ray.direction, unitNormal)
    guard slope != 0 else { return nil }
    let parameter = dot(center - ray.origin, unitNormal) / slope
    guard parameter > 1e-9 else { return nil }
    let offset = ray.point(at: parameter) - center
    let (u, v) = (dot(offset, perU), dot(offset, perV))
    let isInside =
      switch outline {
      case .rectangle: abs(u) < 1 && abs(v) < 1
      case .leaf: abs(v) < 1 - u * u
      }
    return isInside ? parameter : nil
  }

  /// The unit normal, the same everywhere.
  package func normal(at point: SIMD3<Double>) -> SIMD3<Double> { unitNormal }

  /// The distance of a point from the plane of the sheet in meters, which bounds that from the sheet.
  package func signedDistance(to point: SIMD3<Double>) -> Double {
    abs(dot(point - center, unitNormal))
  }

  /// The paint at a point, with all octaves.
  package func paint(at point: SIMD3<Double>) -> Paint {
    Paint(albedo: texture.albedo(at: point - center, finestMeters: 0))
  }

  /// The paint without the octaves that a pixel averages out.
  package func meanPaint(
    around point: SIMD3<Double>, stepX: SIMD3<Double>, stepY: SIMD3<Double>
  ) -> Paint {
    let step = max(length(stepX), length(stepY))
    return Paint(albedo: texture.albedo(at: point - center, finestMeters: 2 * step))
  }

  /// Passes all light: sheets cast no shadows.
  package func transmission(along ray: Ray, lightRadius: Double) -> Double { 1 }
}

/// A texture whose octaves have about the same contrast, as those of photos do.
///
/// - Source: D. J. Field, "Relations between the statistics of natural images and the response
///   properties of cortical cells", JOSA A 4(12), 1987: amplitudes fall as 1/f, so that each octave of a
///   plane has the same variance.
package struct FractalTexture: Sendable {
  /// The mean reflectance, linear.
  package var mean: SIMD3<Double>
  /// The standard deviation of one octave as a share of the mean, about.
  package var contrast: Double
  /// The contrast of an octave over that of the next coarser one; 1 for amplitudes of 1/f.
  package var roughness: Double
  /// The size of the coarsest blobs, in meters.
  package var coarsestMeters: Double
  /// The number of octaves.
  package var octaves: Int
  /// Where in the noise the texture lies; textures of different offsets have nothing in common.
  package var offset: SIMD3<Double>

  /// Draws a texture; its gray level, contrast and roughness are random.
  package init(
    _ random: inout SeededGenerator, contrast: ClosedRange<Double> = 0.05...0.16,
    coarsestMeters: Double = 0.4, octaves: Int = 8
  ) {
    let gray = random.uniform(in: 0.12..<0.5)
    mean = SIMD3(
      gray * random.uniform(in: 0.8..<1.2), gray, gray * random.uniform(in: 0.8..<1.2))
    self.contrast = random.uniform(in: contrast.lowerBound..<contrast.upperBound)
    roughness = random.uniform(in: 0.75..<1)
    self.coarsestMeters = coarsestMeters
    self.octaves = octaves
    offset = SIMD3(
      random.uniform(in: -500..<500), random.uniform(in: -500..<500),
      random.uniform(in: -500..<500))
  }

  /// The reflectance at a point of the sheet's own frame, without blobs below a size.
  func albedo(at point: SIMD3<Double>, finestMeters: Double) -> SIMD3<Double> {
    var (size, amplitude, sum) = (coarsestMeters, 1.0, 0.0)
    for octave in 0..<octaves where size > finestMeters {
      // An octave fades out over a factor of 2 of its size, so that no line shows where it ends.
      let share = min(max(size / max(finestMeters, 1e-9) - 1, 0), 1)
      // The noise is uniform to a degree: about 0.2 of standard deviation.
      let value = ValueNoise.value(at: point / size + offset + Double(17 * octave))
      sum += share * amplitude * (value - 0.5) * 5
      amplitude *= roughness
      size /= 2
    }
    let factor = min(max(1 + contrast * sum, 0.1), 2.5)
    return mean * factor
  }
}
