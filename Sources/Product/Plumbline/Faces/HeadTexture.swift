import PlumblineFaces
import PlumblineGeometry
import PlumblineImages
import PlumblineModel

/// The texture of a completed head: the photo where it shows the head, without its light, and paint where it does not.
struct HeadTexture {
  /// The colors, and where those of the face come from.
  private(set) var baked: BakedTexture
  /// The share of the face's texels that the photo shows.
  let photoShare: Double

  /// The side of the texture in texels: the face has four fifths of it in each direction.
  static let side = 1280
  /// The minimum cosine between a surface's normal and the direction to the camera for which the photo's
  /// color is used.
  static let leastFacing = 0.12
  /// What is behind lips and lids.
  private static let mouthColor = RGB8(red: 74, green: 36, blue: 32)
  private static let teethColor = RGB8(red: 226, green: 216, blue: 196)
  private static let gumsColor = RGB8(red: 164, green: 88, blue: 84)
  private static let socketColor = RGB8(red: 92, green: 56, blue: 50)

  /// Bakes the texture of a head as it looks in the photo; `nil` for a model without a texture layout.
  ///
  /// - Complexity: some 0.4 s.
  init?(_ result: FaceResult, of photo: PhotoFaces, head: CompletedHead, details: HeadDetails) {
    guard let layout = result.mesh.texture else { return nil }
    let face = result.mesh.textured(by: layout.placed(in: CompletedHead.faceRectangle))
    var baking = TextureBaking(side: Self.side)
    // Even at a slant, the photo shows this side's own color and light; the mirrored other side does not.
    baking.minimumFacingCosine = Self.leastFacing
    // At that slant a triangle's depth changes by millimeters from pixel to pixel.
    baking.depthToleranceMeters = 0.006
    baked = baking.baked(
      face, photo: photo.image, mirroredVertices: photo.models.fitter.model.mirroredVertices,
      hiddenVertices: details.evidence.hidden,
      lightGains: details.light.flatMap { light in
        face.normals.map { light.gains(normals: $0) }
      }, project: result.observation.camera.pixel(of:))
    photoShare = baked.photoShare
    baked.paint(
      head.faceTriangleCount..<head.mesh.triangles.count, of: head.mesh,
      colors: colors(of: head))
    var paints = head.eyes.map { EyePaint.read($0, result.observation, photo: photo.image) }
    EyePaint.match(&paints)
    for (eye, paint) in zip(head.eyes, paints) {
      paint.paint(&baked.colors, isLeft: eye.isLeft)
    }
  }

  /// A color for each vertex: of the face that of its texels, of the back a smooth mean between those of the border,
  /// of openings that of what lies behind them or of their border.
  private func colors(of head: CompletedHead) -> [RGB8] {
    var colors = [SIMD3<Float>](repeating: .zero, count: head.mesh.vertexCount)
    guard let layout = head.mesh.texture else { return [] }
    var places = [SIMD2<Float>?](repeating: nil, count: head.faceVertexCount)
    for index in 0..<head.faceTriangleCount {
      for corner in 0..<3 {
        let vertex = head.mesh.triangles[index][corner]
        places[vertex] = layout.coordinates[layout.triangles[index][corner]]
      }
    }
    for (vertex, place) in places.enumerated() {
      if let place { colors[vertex] = color(at: place) }
    }
    var border: [Int: [Int]] = [:]
    for triangle in head.mesh.triangles[head.faceTriangleCount...] {
      for corner in 0..<3 {
        for other in 0..<3 where other != corner {
          border[triangle[corner], default: []].append(triangle[other])
        }
      }
    }
    for part in head.parts {
      let vertices = part.firstVertex..<part.firstVertex + part.vertexCount
      let around = Set(vertices.flatMap { border[$0] ?? [] }.filter { $0 < head.faceVertexCount })
      let mean =
        around.isEmpty
        ? SIMD3<Float>(repeating: 128)
        : around.sorted().reduce(SIMD3<Float>.zero) { $0 + colors[$1] } / Float(around.count)
      for vertex in vertices {
        switch part.kind {
        case .mouth: colors[vertex] = Self.floats(Self.mouthColor)
        case .teeth: colors[vertex] = Self.floats(Self.teethColor)
        case .gumsAndTongue: colors[vertex] = Self.floats(Self.gumsColor)
        case .eyeSocket: colors[vertex] = Self.floats(Self.socketColor)
        default: colors[vertex] = mean
        }
      }
      guard part.kind == .back else { continue }
      for _ in 0..<Self.smoothingCount {
        for vertex in vertices {
          guard let near = border[vertex], !near.isEmpty else { continue }
          colors[vertex] =
            near.reduce(SIMD3<Float>.zero) { $0 + colors[$1] } / Float(near.count)
        }
      }
    }
    return colors.map { color in
      let codes = (color + 0.5).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
      return RGB8(red: UInt8(codes.x), green: UInt8(codes.y), blue: UInt8(codes.z))
    }
  }

  /// Passes of averaging, after which the colors of the border have met in the middle of the back.
  private static let smoothingCount = 400

  /// The mean color of five by five texels that belong to the face.
  private func color(at place: SIMD2<Float>) -> SIMD3<Float> {
    let (x, y) = (
      Int(place.x * Float(baked.colors.width)), Int(place.y * Float(baked.colors.height))
    )
    var (sum, count) = (SIMD3<Float>.zero, Float(0))
    for row in max(0, y - 2)...min(baked.colors.height - 1, max(0, y + 2)) {
      for column in max(0, x - 2)...min(baked.colors.width - 1, max(0, x + 2))
      where baked.origins[column, row] != BakedTexture.TexelOrigin.outside.rawValue {
        sum += Self.floats(baked.colors[column, row])
        count += 1
      }
    }
    return count > 0 ? sum / count : SIMD3(repeating: 128)
  }

  private static func floats(_ color: RGB8) -> SIMD3<Float> {
    SIMD3(Float(color.red), Float(color.green), Float(color.blue))
  }
}
