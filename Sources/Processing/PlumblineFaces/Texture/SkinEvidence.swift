import PlumblineGeometry
package import PlumblineModel

/// Mattes of a photo, turned as its image is.
package struct PortraitMattes: Sendable {
  /// Where people are; `nil` where the photo has no such matte.
  package var person: Raster<UInt8>?
  /// Where skin is.
  package var skin: Raster<UInt8>?
  /// Where hair is, beards included.
  package var hair: Raster<UInt8>?

  /// Mattes of a photo that has none.
  package init() {}

  /// The coverage of a matte at a pixel of an image, from 0 to 1; `nil` without a matte, and beyond it.
  static func coverage(
    _ matte: Raster<UInt8>?, at pixel: SIMD2<Double>, of size: RasterSize
  ) -> Double? {
    guard let matte, matte.width > 0, matte.height > 0 else { return nil }
    let x = ((pixel.x + 0.5) * Double(matte.width) / Double(size.width)).rounded(.down)
    let y = ((pixel.y + 0.5) * Double(matte.height) / Double(size.height)).rounded(.down)
    guard x >= 0, y >= 0, x < Double(matte.width), y < Double(matte.height) else { return nil }
    return Double(matte[Int(x), Int(y)]) / 255
  }
}

/// Which vertices of a face a photo shows, and which of these are skin.
///
/// A photo shows the head where depth agrees with it and a matte says that a person is there. Ears and the neck end in
/// hair, clothes or the background without the model's knowledge: there only what looks like the face's own skin counts.
package struct SkinEvidence: Sendable {
  /// For each vertex whether the photo shows something else there than the head.
  package let hidden: [Bool]
  /// For each vertex the light of its color where it is skin of the face that the camera sees; `nil` elsewhere.
  package let skin: [SIMD3<Float>?]

  /// How far something may lie before the neck, meters: a collar lies farther.
  static let collarMeters: Float = 0.008
  /// Where skin is of one color, as far as it is of one anywhere.
  private static let skinRegions: Set<FaceRegion> = [.cheeks, .forehead, .nose, .chin]
  /// The least cosine between normal and line of sight of skin whose light is known.
  static let leastFacing = 0.35
  /// Below this cosine between normal and line of sight a vertex lies near the head's outline: 57° aslant.
  static let outlineFacing = 0.55
  /// How far the color of skin may differ from the middle of the cheeks', as a natural logarithm of ratios of light.
  static let colorReach: Float = 0.35
  /// How dark skin may be against the middle of the cheeks: a shadow under the chin.
  static let leastShade: Float = 0.12

  /// Finds what a photo shows of a face; O(*n*).
  ///
  /// - Parameters:
  ///   - result: The face.
  ///   - model: Its model.
  ///   - photo: The image whose pixels its landmarks are.
  ///   - mattes: Its mattes.
  /// - Returns: The evidence, an entry for each vertex.
  package static func found(
    _ result: FaceResult, model: MorphableModel, photo: Raster<RGB8>, mattes: PortraitMattes
  ) -> SkinEvidence {
    let mesh = result.mesh
    let camera = result.observation.camera
    let pixels = mesh.positions.map { camera.pixel(of: $0.vector) }
    let codes = LightCodes()
    let lights = pixels.map { Self.light(photo, at: $0, codes) }
    let background = result.observation.depth?.backgroundVertices(of: mesh)
    let regions = model.regions
    let border = BorderParts(result, model: model, regions: regions)
    var hidden = mesh.positions.indices.map { vertex in
      guard mesh.positions[vertex].z > 0, lights[vertex] != nil else { return true }
      if background?[vertex] == true { return true }
      let person = PortraitMattes.coverage(mattes.person, at: pixels[vertex], of: photo.size)
      return person.map { $0 < 0.5 } ?? false
    }
    let faceSkin = mesh.positions.indices.map { vertex -> Bool in
      guard !hidden[vertex], Self.skinRegions.contains(regions[vertex]),
        border.isFace(vertex), Self.facing(mesh, vertex) > Self.leastFacing
      else { return false }
      return PortraitMattes.coverage(mattes.skin, at: pixels[vertex], of: photo.size)
        .map { $0 >= 0.5 } ?? true
    }
    let tone = SkinTone(
      lights.indices.filter { faceSkin[$0] && regions[$0] == .cheeks }.compactMap { lights[$0] })
    for vertex in hidden.indices where !hidden[vertex] && !border.isFace(vertex) {
      let skin = PortraitMattes.coverage(mattes.skin, at: pixels[vertex], of: photo.size)
      let hair = PortraitMattes.coverage(mattes.hair, at: pixels[vertex], of: photo.size)
      if let skin {
        hidden[vertex] = max(skin, hair ?? 0) < 0.5
      }
      if let tone, let light = lights[vertex], !tone.contains(light), (hair ?? 0) < 0.5 {
        hidden[vertex] = true
      }
      // A beard lies before the neck as well.
      if border.isNeck(vertex), (hair ?? 0) < 0.5,
        result.observation.depth?.isCovered(mesh.positions[vertex], by: Self.collarMeters) == true
      {
        hidden[vertex] = true
      }
    }
    if mattes.person == nil, result.observation.depth == nil, let tone {
      Self.hideOutline(&hidden, of: mesh, border, lights, tone)
    }
    // A vertex is shown with its surroundings, which may already be a collar.
    let sharp = hidden
    for vertex in hidden.indices where !border.isFace(vertex) && !hidden[vertex] {
      hidden[vertex] = model.neighbors[vertex].contains { sharp[Int($0)] }
    }
    let skin = lights.indices.map { vertex -> SIMD3<Float>? in
      guard faceSkin[vertex], let light = lights[vertex] else { return nil }
      return tone?.contains(light) == false ? nil : light
    }
    return SkinEvidence(hidden: hidden, skin: skin)
  }

  /// Hides what is no skin at the outline of a head of which nothing says where it ends.
  private static func hideOutline(
    _ hidden: inout [Bool], of mesh: TriangleMesh, _ border: BorderParts,
    _ lights: [SIMD3<Float>?], _ tone: SkinTone
  ) {
    for vertex in hidden.indices where !hidden[vertex] && border.isBelowBrows(vertex) {
      guard let light = lights[vertex], !tone.contains(light),
        facing(mesh, vertex) < outlineFacing
      else { continue }
      hidden[vertex] = true
    }
  }

  /// The mean light of three by three pixels; `nil` beyond the photo.
  private static func light(
    _ photo: Raster<RGB8>, at pixel: SIMD2<Double>, _ codes: LightCodes
  ) -> SIMD3<Float>? {
    guard pixel.x >= 1, pixel.y >= 1, pixel.x < Double(photo.width) - 2,
      pixel.y < Double(photo.height) - 2
    else { return nil }
    var sum = SIMD3<Float>.zero
    for y in -1...1 {
      for x in -1...1 {
        sum += codes.light(photo[Int(pixel.x.rounded()) + x, Int(pixel.y.rounded()) + y])
      }
    }
    return sum / 9
  }

  private static func facing(_ mesh: TriangleMesh, _ vertex: Int) -> Double {
    let sight = mesh.positions[vertex].vector.unit
    return -((mesh.normals?[vertex].vector ?? .zero) * sight).sum()
  }
}

/// The color of a face's skin: the middle of its cheeks.
private struct SkinTone {
  let middle: SIMD3<Float>

  init?(_ lights: [SIMD3<Float>]) {
    guard lights.count >= 20 else { return nil }
    middle = SIMD3(
      (0..<3).map { channel in lights.map { $0[channel] }.sorted()[lights.count / 2] })
    guard middle.min() > 0 else { return nil }
  }

  /// Whether a light is that of such skin, in more or less of the same light.
  func contains(_ light: SIMD3<Float>) -> Bool {
    guard light.min() > 0 else { return false }
    let ratio = light / middle
    // e^reach to either side of what green says, without a logarithm.
    let limit = exponential(SkinEvidence.colorReach)
    let (red, blue) = (ratio.x / ratio.y, ratio.z / ratio.y)
    return ratio.y > SkinEvidence.leastShade && ratio.y < 4 && red < limit && red > 1 / limit
      && blue < limit && blue > 1 / limit
  }
}

/// Where a head's surface is the face itself, and where its ears and its neck.
private struct BorderParts {
  private let heights: [Double]
  private let regions: [FaceRegion]
  private let chin: Double
  private let brows: Double

  init(_ result: FaceResult, model: MorphableModel, regions: [FaceRegion]) {
    let headFromCamera = result.fit.state.cameraFromHead.inverse
    let inHead = result.mesh.positions.map { headFromCamera * $0.vector }
    heights = inHead.map(\.y)
    self.regions = regions
    chin = model.places(of: [LandmarkIndex.chin], inHead).first?.y ?? -.infinity
    brows = model.places(of: [105], inHead).first?.y ?? .infinity
  }

  /// Whether a vertex is below the chin.
  func isNeck(_ vertex: Int) -> Bool { heights[vertex] < chin + 0.004 }

  /// Whether a vertex is below the eyebrows.
  func isBelowBrows(_ vertex: Int) -> Bool { heights[vertex] < brows }

  /// Whether a vertex is above the chin and no ear: what a photo of a face shows.
  func isFace(_ vertex: Int) -> Bool {
    !isNeck(vertex) && (regions[vertex] != .head || heights[vertex] > brows)
  }
}

extension MeasuredSurface {
  /// Whether the map has something before a point by more than a length; `false` where nothing is measured.
  func isCovered(_ point: PackedPoint, by meters: Float) -> Bool {
    let pixel = camera.pixel(of: point.vector)
    let (x, y) = (pixel.x.rounded(), pixel.y.rounded())
    guard x >= 0, y >= 0, x < Double(self.meters.width), y < Double(self.meters.height) else {
      return false
    }
    return self.meters[Int(x), Int(y)] < point.z - meters
  }
}
