import PlumblineCorrection
import PlumblineGeometry
public import PlumblineModel

/// One point as a shader reads it: 16 bytes, three floats and a color.
public struct PointVertex: BitwiseCopyable, Hashable, Sendable {
  /// Column of the axis to the right in the stored map, in meters or the map's own unit.
  public var x: Float
  /// Along the axis down in the stored map.
  public var y: Float
  /// Along the optical axis.
  public var z: Float
  /// The color as red, green, blue and 255, red in the lowest byte.
  public var color: UInt32
}

/// The points of a live frame with colors, ready for a buffer of the graphics processor.
public struct LivePoints: Sendable {
  /// The measured pixels, row after row; frame: the camera of the stored map, `x` right, `y` down,
  /// `z` forward.
  public let vertices: [PointVertex]
  /// Whether the unit is meters.
  public let isMetric: Bool
  /// The median depth, what a camera turns about; `nil` without points.
  public let medianDepth: Double?
  /// The camera at the size of the map.
  public let intrinsics: PinholeIntrinsics?
  /// What turns the stored map upright.
  public let orientation: ImageOrientation

  /// Places the measured pixels of a frame in space, free of the lens's distortion; `nil` for a frame
  /// without a depth map or without a calibration that fits it.
  ///
  /// Colors are those of ``BlendedImage``: the image's, the depth's, or both mixed.
  /// - Parameters:
  ///   - capture: A frame of a live camera.
  ///   - display: Colors and shares.
  /// - Complexity: O(*n*).
  public init?(_ capture: Capture, display: DepthDisplay) {
    guard let record = capture.depth,
      let corrected = try? CorrectedDepth(
        record, isGeometryCorrected: record.isRectified ?? capture.source.isGeometryCorrected),
      let rays = corrected.rays
    else { return nil }
    let image = capture.color.map {
      $0.oriented(by: capture.colorOrientation.followed(by: record.orientation.inverse))
    }
    let cloud = PointCloud(
      depth: corrected.depth, rays: rays, color: image, isMetric: corrected.isMetric)
    let share = image == nil ? 1 : display.depthShare
    let colored = share > 0 ? Self.colored(record, display).samples : []
    vertices = cloud.positions.indices.map { index in
      let position = cloud.positions[index]
      let ownColor = cloud.colors?[index] ?? RGB8(red: 0, green: 0, blue: 0)
      let depthColor =
        share > 0 ? cloud.pixelIndices.map { colored[Int($0[index])] } ?? ownColor : ownColor
      return PointVertex(
        x: position.x, y: position.y, z: position.z,
        color: Self.word(ownColor, depthColor, share: share))
    }
    isMetric = corrected.isMetric
    intrinsics = corrected.calibration?.intrinsics
    orientation = record.orientation
    medianDepth = corrected.depth.statistics.medianMeters
  }

  /// The colors of the depths, of the size of the corrected map.
  private static func colored(_ record: DepthRecord, _ display: DepthDisplay) -> Raster<RGB8> {
    let colors = display.colors.colors(of: record.values)
    guard let part = record.cleanAperture, part.isInside(colors.size) else { return colors }
    return colors.cropped(to: part)
  }

  private static func word(_ first: RGB8, _ second: RGB8, share: Double) -> UInt32 {
    let weight = UInt32((share * 256).rounded())
    func code(_ a: UInt8, _ b: UInt8) -> UInt32 {
      (UInt32(a) * (256 - weight) + UInt32(b) * weight + 128) >> 8
    }
    return code(first.red, second.red) | code(first.green, second.green) << 8
      | code(first.blue, second.blue) << 16 | 255 << 24
  }
}
