import PlumblineVision
public import PlumblineModel

/// How much of the image the corners reach, and how much they miss their positions where.
public struct ViewCoverage: Sendable {
  /// One cell of the image.
  public struct Cell: Hashable, Sendable {
    /// The number of corners seen in it.
    public var count = 0
    /// The mean of corner minus projection, in pixels; zero without corners.
    public var meanResidual = SIMD2<Double>.zero
  }

  /// The number of cells along the width.
  public static let columns = 12
  /// The number of cells along the height.
  public static let rows = 9

  /// The size of the images.
  public var imageSize: RasterSize
  /// The cells, row after row.
  public var cells: [Cell]
  /// The largest distance of a corner from the middle, as a share of the image's half diagonal.
  public var radiusShare: Double

  /// The share of cells with a corner, 0 to 1.
  public var areaShare: Double {
    Double(cells.count { $0.count > 0 }) / Double(cells.count)
  }

  /// The cell whose corners miss farthest on average, where that is far beyond what noise gives:
  /// its position in words and its mean miss in pixels; `nil` where there is none.
  ///
  /// The limit is half a pixel of 640 columns over five corners: the mean of five corners of 0.15
  /// px is within 0.2 px of 0 in 99 % of cells.
  public var worstCell: (place: String, pixels: Double)? {
    let limit = 0.5 * max(1, Double(imageSize.width) / 640)
    let sizes = cells.map { cell in
      cell.count >= 5 ? (cell.meanResidual * cell.meanResidual).sum().squareRoot() : 0
    }
    guard let index = sizes.indices.max(by: { sizes[$0] < sizes[$1] }), sizes[index] > limit else {
      return nil
    }
    let (row, column) = (index / Self.columns, index % Self.columns)
    let vertical =
      row < Self.rows / 3 ? "upper" : row >= Self.rows - Self.rows / 3 ? "lower" : "middle"
    let side =
      column < Self.columns / 3
      ? "left" : column >= Self.columns - Self.columns / 3 ? "right" : "center"
    return ("\(vertical) \(side)", sizes[index])
  }

  /// Counts corners; O(corners).
  ///
  /// - Precondition: There is a view, and there is a residual for each corner.
  init(_ views: [BoardView], residuals: [[SIMD2<Double>]]) {
    precondition(!views.isEmpty, "no view covers anything")
    let size = views[0].imageSize
    var cells = [Cell](repeating: Cell(), count: Self.columns * Self.rows)
    var farthest = 0.0
    let middle = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
    for (view, misses) in zip(views, residuals) {
      for (corner, residual) in zip(view.corners, misses) {
        let place = (corner.pixel + 0.5) / SIMD2(Double(size.width), Double(size.height))
        let column = min(max(Int(place.x * Double(Self.columns)), 0), Self.columns - 1)
        let row = min(max(Int(place.y * Double(Self.rows)), 0), Self.rows - 1)
        cells[row * Self.columns + column].count += 1
        cells[row * Self.columns + column].meanResidual += residual
        let offset = corner.pixel - middle
        farthest = max(farthest, (offset * offset).sum())
      }
    }
    for index in cells.indices where cells[index].count > 0 {
      cells[index].meanResidual /= Double(cells[index].count)
    }
    imageSize = size
    self.cells = cells
    radiusShare = min(1, (farthest / (middle * middle).sum()).squareRoot())
  }
}
