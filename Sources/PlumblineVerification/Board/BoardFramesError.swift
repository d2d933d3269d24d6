public import PlumblineModel
import PlumblineVision

/// An error when frames cannot be assessed together.
public enum BoardFramesError: Error, Sendable, Hashable {
  /// Two frames have images of different sizes.
  case unequalImages(first: String, firstSize: RasterSize, other: String, otherSize: RasterSize)
  /// Two frames show different boards.
  case unequalBoards(first: String, other: String)
  /// The calibration to compare with belongs to images of another size.
  case otherCalibrationSize(expected: RasterSize, found: RasterSize)

  /// Looks at all frames.
  static func check(
    _ frames: [BoardFrame], given: MeasuredCamera?
  ) throws(BoardFramesError) {
    guard let first = frames.first else { return }
    for frame in frames.dropFirst() {
      guard frame.view.imageSize == first.view.imageSize else {
        throw .unequalImages(
          first: first.name, firstSize: first.view.imageSize, other: frame.name,
          otherSize: frame.view.imageSize)
      }
      guard frame.view.board == first.view.board else {
        throw .unequalBoards(first: first.name, other: frame.name)
      }
    }
    if let size = given?.camera.intrinsics.size, size != first.view.imageSize {
      throw .otherCalibrationSize(expected: first.view.imageSize, found: size)
    }
  }
}

extension BoardFramesError: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .unequalImages(let first, let firstSize, let other, let otherSize):
      "unequal frames: expected images of \(firstSize) as in frame \(first), found \(otherSize) in "
        + "frame \(other)"
    case .unequalBoards(let first, let other):
      "unequal frames: expected the board of frame \(first), found another one in frame \(other)"
    case .otherCalibrationSize(let expected, let found):
      "another camera: expected a calibration for images of \(expected), found one for \(found)"
    }
  }
}
