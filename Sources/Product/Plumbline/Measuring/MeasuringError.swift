public import PlumblineModel

/// An error when something is asked that no capture of this size can answer.
public enum MeasuringError: CategorizedError, Sendable, Hashable {
  /// A pixel or rectangle that is not inside its image.
  case outside(String, space: NamedPixel.Space, size: RasterSize)
  /// A rectangle of too few pixels of the depth map.
  case tooSmall(String, found: RasterSize, minimumSide: Int)

  /// It is a matter of usage.
  public var category: FailureCategory { .usage }
}

extension MeasuringError: CustomStringConvertible {
  /// One sentence that says what to change.
  public var description: String {
    switch self {
    case .outside(let what, .photo, let size):
      "\(what) is not inside the photo as it is shown, of \(size) pixels"
    case .outside(let what, .depth, let size):
      "\(what) is not inside the depth map as stored, of \(size) pixels"
    case .tooSmall(let what, let found, let side):
      "\(what) covers \(found) pixels of the depth map; its border and what is inside need "
        + "\(side) each way"
    }
  }
}
