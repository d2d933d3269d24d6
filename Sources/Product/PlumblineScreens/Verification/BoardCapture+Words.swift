import Plumbline
import PlumblineModel
import PlumblineVision

extension BoardCapture {
  /// What to do next, in a sentence.
  public var instruction: String {
    if isComplete { return "All parts of the image and all tilts are seen. Measure now." }
    switch rejection {
    case .noImage: return "The frames have no image in which a board could be looked for."
    case .noBoard: return "Let the camera see the board: \(BoardNotation(board).words)."
    case .fewCorners(let count):
      return "Show more of the board: \(count) of its \(board.cornerCount) corners are seen."
    case .moving: return "Hold still for a moment."
    case .other: return "This is another board or image size than before. Start again for it."
    case .tooSoon, .nothingNew, nil: return next
    }
  }

  /// The next view that is wanted: tilts first, since they decide the focal length.
  private var next: String {
    if let tilt = coverage.missingTilt { return tilt.instruction }
    if let region = coverage.missingRegion {
      return "Bring the board into \(region) of the image."
    }
    return "Move on to other views: \(Self.wantedFrames - keptCount) more are wanted."
  }

  /// What was reached, such as `12 of 20 frames, 9 of 12 parts of the image, 3 of 5 tilts`.
  public var progress: String {
    "\(keptCount) of \(Self.wantedFrames) frames, "
      + "\(coverage.regions.count { $0 }) of \(coverage.regions.count) parts of the image, "
      + "\(coverage.tilts.count) of \(BoardTilt.allCases.count) tilts"
  }

  /// What was reached as a share from 0 to 1, for a bar.
  public var progressShare: Double {
    let parts = [
      Double(min(keptCount, Self.wantedFrames)) / Double(Self.wantedFrames),
      Double(coverage.regions.count { $0 }) / Double(coverage.regions.count),
      Double(coverage.tilts.count) / Double(BoardTilt.allCases.count),
    ]
    return isComplete ? 1 : parts.reduce(0, +) / Double(parts.count)
  }
}
