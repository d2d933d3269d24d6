/// A board as two cameras show it at the same moment.
public struct BoardViewPair: Hashable, Sendable {
  /// The left camera's view.
  public var left: BoardView
  /// The right camera's view; it may show other corners of the board.
  public var right: BoardView

  /// Joins two views of one moment.
  public init(left: BoardView, right: BoardView) {
    self.left = left
    self.right = right
  }
}
