import PlumblineGeometry
import PlumblineImages
import PlumblineModel

/// Gives a surface a texture of the photos of its frames.
struct ScanTexturing: Sendable {
  /// Reads the frames once more, with their photos at full size.
  let reader: ScanFrameReader
  /// The most side of the texture, in texels.
  let side: Int
  /// What one frame sees.
  let extent: FrameExtent
  /// The side of a voxel, in meters.
  let voxelMeters: Double

  /// A frame of the recording at its place.
  struct Frame: Sendable {
    /// Its number in the recording.
    var index: Int
    var worldFromCamera: RigidTransform
  }

  /// A surface with its texture.
  struct Textured: Sendable {
    var mesh: TriangleMesh
    var texture: MeshTexture
    var summary: SurfaceChanges.TextureSummary
  }

  /// Bakes the texture.
  ///
  /// Of all frames those are taken that are apart, at most ``mostFrames``; each is read twice at most, one at a time.
  ///
  /// - Parameters:
  ///   - mesh: The surface.
  ///   - frames: Those that were fused to it.
  /// - Returns: `nil` where no photo shows any of it.
  /// - Throws: ``MeshError`` where the parts of the surface do not fit the texture; errors of encoding. Cost:
  ///   O(frames · (*n* + pixels) + texels) for those.
  func textured(_ mesh: TriangleMesh, frames: [Frame]) throws -> Textured? {
    let chosen = Self.chosen(frames, depthMeters: extent.depthMeters)
    guard let first = chosen.lazy.compactMap({ photo(of: $0) }).first else { return nil }
    // A texel as fine as the photo's pixels on the surface in the middle of the depths.
    let texel = extent.sizeMeters.x / Double(first.color.width)
    var baking = AtlasBaking(side: side, texelMeters: texel)
    baking.depthToleranceMeters = Float(2 * voxelMeters)
    let atlas = try baking.baked(mesh, frameCount: chosen.count) { photo(of: chosen[$0]) }
    guard atlas.shownShare > 0 else { return nil }
    let image = try JPEGEncoder(quality: 90, chromaSampling: .full).encoded(atlas.texture.colors)
    return Textured(
      mesh: atlas.mesh, texture: MeshTexture(bytes: image, mediaType: .jpeg),
      summary: SurfaceChanges.TextureSummary(
        frameCount: chosen.count, shownShare: atlas.shownShare, texelMeters: atlas.texelMeters,
        side: atlas.texture.colors.width))
  }

  private func photo(of frame: Frame) -> AtlasFrame? {
    guard let photo = reader.photo(at: frame.index) else { return nil }
    return AtlasFrame(
      color: photo.color, camera: photo.camera, worldFromCamera: frame.worldFromCamera)
  }

  /// More photos than these show little that is new, and each takes two readings.
  private static let mostFrames = 200

  /// Frames from which a surface is seen by 6° elsewhere than from the one before: turned by that, or moved by
  /// a tenth of its distance; of more than ``mostFrames`` every second or so.
  static func chosen(_ frames: [Frame], depthMeters: Double) -> [Frame] {
    var apart: [Frame] = []
    for frame in frames {
      if let last = apart.last {
        let motion = last.worldFromCamera.inverse * frame.worldFromCamera
        let (shift, turn) = (motion.translation / depthMeters, motion.rotation.axisAngle)
        guard max((shift * shift).sum(), (turn * turn).sum()) > 0.1 * 0.1 else { continue }
      }
      apart.append(frame)
    }
    let count = min(apart.count, mostFrames)
    return (0..<count).map { apart[$0 * apart.count / count] }
  }
}
