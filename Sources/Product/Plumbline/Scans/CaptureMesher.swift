import PlumblineCorrection
import PlumblineExport
import PlumblineGeometry
import PlumblineImages
import PlumblineModel

/// Makes one capture a surface: neighboring pixels are joined, and cut where their noise does not explain the
/// step between them.
///
/// ```swift
/// let analysis = try CaptureAnalyzer(color: .full).analyze(path: "portrait.heic")
/// let mesh = try CaptureMesher().mesh(analysis)
/// let files = try mesh.files(as: .glb, name: "portrait")
/// ```
public struct CaptureMesher: Sendable {
  /// The step that noise explains, in standard deviations of the difference of two pixels; at least 0.
  public var edgeSigmas = 5.0
  /// Whether the color image becomes the texture; else each vertex has its color.
  public var hasTexture = true
  /// Whether the surface is turned to stand as the photo is shown, instead of as it is stored.
  public var isUpright = false

  /// The longest side of a texture: what every graphics processor of the last ten years takes.
  private static let maximumTextureSide = 4096

  /// Makes a surface as above.
  public init() {}

  /// Joins the pixels of a capture.
  ///
  /// - Parameter analysis: The capture as analyzed, with its color image where there shall be colors.
  /// - Returns: The surface in the frame of the camera, in meters.
  /// - Throws: ``CaptureReadingError`` for a capture without depths in meters or without a calibration, and
  ///   where no two neighbors lie on one surface. Cost: O(*n*).
  public func mesh(_ analysis: CaptureAnalysis) throws -> CaptureMesh {
    guard let corrected = analysis.corrected, let rays = corrected.rays else {
      throw CaptureReadingError(
        .missing, expected: "a depth map with a camera calibration",
        found: analysis.capture.depth == nil ? "no depth map" : "no calibration that fits the map")
    }
    guard corrected.isMetric else {
      throw CaptureReadingError(
        .missing, expected: "depths in meters",
        found:
          "relative ones, of which a surface has no size: a distance that you measured gives it")
    }
    let (noise, _) = CaptureFilter.noise(of: corrected.depth, analysis.assessment.uncertainty)
    var frame = DepthFrame(depth: corrected.depth, sigma: noise)
    let flying = FlyingPixelRemoval().apply(to: &frame).removedPixels
    let color = analysis.colorInDepthFrame.flatMap { $0.size.pixelCount > 0 ? $0 : nil }
    let cloud = PointCloud(
      depth: frame.depth, rays: rays, color: hasTexture ? nil : color,
      uncertainty: analysis.pointUncertainty, isMetric: true)
    var triangulation = DepthTriangulation()
    triangulation.sigmas = Float(edgeSigmas)
    guard
      var mesh = try triangulation.mesh(
        of: cloud, size: frame.depth.size, noise: noise, hasTexture: hasTexture && color != nil)
    else {
      throw CaptureReadingError(
        .missing, expected: "neighboring pixels of one surface",
        found: "\(cloud.count) measured pixels that no surface joins")
    }
    let orientation = analysis.capture.depth?.orientation ?? .up
    if isUpright, orientation != .up { mesh = try mesh.turned(by: orientation) }
    return CaptureMesh(
      mesh: mesh, texture: hasTexture ? try color.map(Self.texture) : nil,
      origin: analysis.origin, pixelCount: cloud.count, flyingCount: flying)
  }

  private static func texture(_ color: Raster<RGB8>) throws -> MeshTexture {
    let image = color.reduced(toMaximumSide: maximumTextureSide)
    return MeshTexture(
      bytes: try JPEGEncoder(quality: 92, chromaSampling: .full).encoded(image), mediaType: .jpeg)
  }
}

extension TriangleMesh {
  /// The mesh turned about the optical axis, and mirrored where the orientation is.
  fileprivate func turned(by orientation: ImageOrientation) throws(MeshError) -> TriangleMesh {
    // A mirror turns the order of corners round.
    func ordered(_ triangle: TriangleIndices) -> TriangleIndices {
      orientation.isMirrored
        ? TriangleIndices(triangle.first, triangle.third, triangle.second) : triangle
    }
    return try TriangleMesh(
      positions: orientation.upright(positions), triangles: triangles.map(ordered),
      texture: texture.map { layout throws(MeshError) in
        try TextureLayout(
          coordinates: layout.coordinates, triangles: layout.triangles.map(ordered))
      },
      normals: normals.map { orientation.upright($0) }, colors: colors, sigmaMeters: sigmaMeters)
  }
}
