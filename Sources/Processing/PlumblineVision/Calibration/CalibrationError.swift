/// Why corners of a board tell no camera or no pose: what was expected and found.
public struct CalibrationError: Error, Hashable, Sendable {
  /// The kinds of failure, by who can act on them.
  public enum Reason: String, Sendable, CaseIterable {
    /// A view has fewer corners than its use needs.
    case tooFewCorners
    /// The corners of a view lie on one line.
    case cornersOnLine
    /// The image is a mirror image; take ``BoardView/unmirrored`` and the unmirrored camera.
    case mirroredView
    /// No pose in front of the camera explains a view.
    case noPose
    /// There are fewer views than an estimate with an honest ± needs.
    case tooFewViews
    /// Views are of different image sizes, or of another size than the camera's.
    case unequalSizes
    /// All views are of one pose, so that they repeat one error instead of averaging it.
    case viewsAlike
    /// The views leave the focal length open: the board never leans, or not enough.
    case focalUnobservable
    /// The views leave another free parameter open.
    case parameterUnobservable
    /// The steps did not converge.
    case notConverged
  }

  /// The kind of failure, by who can act on it.
  public var reason: Reason
  /// The number of the view, counted from 0 as given, where one is at fault.
  public var view: Int?
  /// What was expected.
  public var expected: String
  /// What was found.
  public var found: String

  /// Creates an error from its parts.
  package init(_ reason: Reason, view: Int? = nil, expected: String, found: String) {
    self.reason = reason
    self.view = view
    self.expected = expected
    self.found = found
  }

  /// The same error with the number of its view.
  func inView(_ index: Int) -> CalibrationError {
    var copy = self
    copy.view = index
    return copy
  }
}

extension CalibrationError: CustomStringConvertible {
  /// One sentence, such as `view 3: expected at least 4 corners, found 2`.
  public var description: String {
    (view.map { "view \($0): " } ?? "") + "expected \(expected), found \(found)"
  }
}
