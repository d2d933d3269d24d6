import PlumblineImages
package import PlumblineModel
package import PlumblineVerification
package import PlumblineVision

/// What one frame shows of a board.
package struct BoardSighting: Sendable {
  /// Whether it has a color image, in which a board could be looked for.
  package var hasColor = false
  /// The board with what the sensor and the device say; `nil` where none was found.
  package var frame: BoardFrame?
  /// The orientation of the image in whose pixels the board was found: what makes it upright.
  package var orientation = ImageOrientation.up
  /// The corrections and filters that the frame came with.
  package var corrections: [ProvenanceStep] = []
  /// What the frame says of its device.
  package var session: BoardSession?

  /// Takes what was found by other means.
  package init(frame: BoardFrame?, orientation: ImageOrientation = .up, hasColor: Bool = true) {
    self.frame = frame
    self.orientation = orientation
    self.hasColor = hasColor
  }

  /// Looks for a board in a capture.
  ///
  /// - Parameters:
  ///   - original: The capture, with all of its color.
  ///   - name: The name of the frame in messages.
  ///   - detector: Finds the board.
  /// - Complexity: That of ``BoardDetector/view(in:)``.
  package init(_ original: Capture, named name: String, by detector: BoardDetector) {
    orientation = original.depth?.orientation ?? original.colorOrientation
    var capture = original
    guard let luma = capture.colorInDepthFrame?.luma else { return }
    hasColor = true
    // Three bytes a pixel that are not needed during the search, which takes five itself.
    capture.color = nil
    corrections = capture.provenance.corrections
    guard let view = detector.view(in: luma) else { return }
    let stored = capture.depth?.calibration ?? capture.colorCalibration
    var factory = stored.flatMap { calibration in
      calibration.intrinsics.matchesAspect(of: luma.size)
        ? calibration.scaled(to: luma.size) : nil
    }
    var depth = capture.depth.flatMap(Self.depth)
    if view.isMirrored {
      depth = depth.map { DepthMap(meters: $0.meters.oriented(by: .upMirrored)) }
      factory = factory?.oriented(by: .upMirrored)
    }
    frame = BoardFrame(
      name: name, view: view.unmirrored, depth: depth, factory: factory,
      isGeometryCorrected: capture.source.isGeometryCorrected)
    session = BoardSession(capture)
  }

  /// The depths in meters; `nil` where a map has no meters or not the field of view of its image.
  private static func depth(_ record: DepthRecord) -> DepthMap? {
    guard record.hasUnit, record.accuracy != .relative, record.cleanAperture == nil else {
      return nil
    }
    return switch record.values {
    case .depth(let map): map
    case .disparity(let map): map.depthMap
    case .range: nil
    }
  }
}
