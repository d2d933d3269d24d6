import PlumblineCorrection
import PlumblineGeometry
import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineRecordings
import PlumblineVerification

/// One frame of a recording on its way into a cloud.
enum WorldFrame: Sendable {
  /// Its points in the world.
  case points(VoxelPoints)
  /// It has no pose.
  case untracked
  /// It cannot be used, for this reason.
  case skipped(String)

  /// Reads a frame and brings its pixels into the world; O(*n*).
  init(
    of recording: Recording, at index: Int, _ law: WorldFrameLaw, hasColor: Bool,
    for grid: VoxelGrid
  ) {
    // Twice the map's size is more than the nearest pixel needs.
    let side = 2 * max(law.mapSize.width, law.mapSize.height)
    do {
      let capture = try recording.capture(
        at: index, color: hasColor ? .preview(maximumSide: side) : .none)
      guard capture.worldFromCamera != nil else {
        self = .untracked
        return
      }
      guard let frame = try VoxelFrame(capture, law) else {
        self = .skipped("it has no depth map in meters with a calibration")
        return
      }
      self = .points(grid.points(of: frame))
    } catch {
      self = .skipped("\(error)")
    }
  }
}

extension VoxelFrame {
  /// Corrects the depth of a capture, leaves flying pixels out and gives each pixel its ±; `nil`
  /// without a map in a unit, a calibration that fits it or a pose.
  ///
  /// - Throws: ``DistanceFitError`` never, since no distances are given.
  fileprivate init?(_ capture: Capture, _ law: WorldFrameLaw) throws {
    guard let record = capture.depth, record.hasUnit, record.accuracy != .relative,
      let worldFromCamera = capture.worldFromCamera
    else { return nil }
    let corrected = try CorrectedDepth(
      record, isGeometryCorrected: record.isRectified ?? capture.source.isGeometryCorrected)
    guard let rays = corrected.rays, rays.size == corrected.depth.size else { return nil }
    let (depth, noise) = law.reliablePixels(of: corrected, record)
    let color = capture.colorInDepthFrame.flatMap { $0.size.pixelCount > 0 ? $0 : nil }
    self.init(
      depth: depth, noiseMeters: noise, shared: law.shared, rays: rays, color: color,
      worldFromCamera: worldFromCamera)
  }
}
