public import PlumblineModel
public import PlumblineVision

/// One frame of a calibration sequence: the board as the image shows it, what the sensor measured
/// on it, and what the device says of its camera.
///
/// It holds a few kilobytes, so that hundreds of frames can be assessed together while their images
/// are read one after the other.
public struct BoardFrame: Sendable {
  /// The name of the frame in messages.
  public var name: String
  /// The board as the image shows it.
  public var view: BoardView
  /// What the sensor measured on the board; `nil` when the frame has no depth.
  public var depth: BoardDepthSamples?
  /// The device's own numbers at the size of the image, with the lens as it describes it; `nil` when
  /// not given.
  public var factory: CameraCalibration?
  /// Whether the device says that it corrected the geometry of its images; `nil` when not said.
  public var isGeometryCorrected: Bool?

  /// Creates a frame; O(corners).
  ///
  /// - Parameters:
  ///   - name: What messages call the frame.
  ///   - view: The board as the image shows it.
  ///   - depth: The map of the image's field of view, in any size of its aspect ratio.
  ///   - factory: The device's own numbers.
  ///   - isGeometryCorrected: What the device says of its images.
  /// - Precondition: The calibration belongs to the size of the image.
  package init(
    name: String, view: BoardView, depth: DepthMap? = nil, factory: CameraCalibration? = nil,
    isGeometryCorrected: Bool? = nil
  ) {
    precondition(
      factory.map { $0.intrinsics.size == view.imageSize } ?? true,
      "a calibration for another size than the image's")
    self.name = name
    self.view = view
    self.depth = depth.map { BoardDepthSamples($0, on: view) }
    self.factory = factory
    self.isGeometryCorrected = isGeometryCorrected
  }
}

/// Where the corners of a real board truly are: no sheet is flat.
///
/// A board that is bent by a tenth of a millimeter moves corners by tenths of a pixel, always the
/// same ones by the same way, which is far above the noise of a corner and does not average out.
/// - Source: K. H. Strobl, G. Hirzinger, More accurate pinhole camera calibration with imperfect
///   planar target, 2011, who estimate the corners together with the camera.
public struct BoardShape: Sendable {
  /// The fewest views, and the fewest orientations of them, that tell a bent board from a wrong
  /// camera: each corner has three numbers.
  static let minimumViews = 8
  /// See ``minimumViews``.
  static let minimumOrientations = 5

  /// How far each corner is from its place on a flat board, in meters of the board's frame, by its
  /// number.
  public let offsets: [SIMD3<Double>]
  /// The root mean square distance of the corners from the plane, in meters.
  public let flatnessMeters: Double

  /// The shape that a fit found; `nil` where the board is flat as far as the views tell, that is
  /// where its shape does not shrink the residuals decisively.
  init?(_ estimate: LensEstimate, flat: LensEstimate?) {
    guard let flat, LensComparison.decisiveRatio * estimate.rmsPixels < flat.rmsPixels else {
      return nil
    }
    offsets = estimate.fit.boardOffsets
    flatnessMeters = estimate.fit.boardFlatnessMeters
  }

  /// Where a corner truly is, in meters of the board.
  func corner(_ id: Int, of board: Board) -> SIMD3<Double> {
    board.cornerInBoard(id) + offsets[id]
  }
}

/// What a depth map says on a board: at its corners and spread over its squares.
public struct BoardDepthSamples: Sendable {
  /// A measured position.
  struct Place: Hashable, Sendable {
    /// In pixels of the image.
    var pixel: SIMD2<Double>
    /// In meters along the optical axis.
    var depth: Double
  }

  /// The depth of the plane around each corner of the view, in meters; `nil` where there is none.
  let cornerDepths: [Double?]
  /// Positions within squares of which all four corners were found, where the sensor measured.
  let places: [Place]
  /// The number of pixels examined, measured or not.
  let placeCount: Int

  /// The share of places that the sensor measured, 0 to 1; `nil` where no square was found whole.
  var fillShare: Double? {
    placeCount == 0 ? nil : Double(places.count) / Double(placeCount)
  }

  /// Reads a map of the view's field of view; O(corners).
  ///
  /// The depth at a corner is that of the plane around it: print of both colors meets there, and a
  /// hole nearby must not pull it. The positions lie sixteen a square, each read from the nearest
  /// pixel, so that no two depths are ever mixed.
  init(_ map: DepthMap, on view: BoardView) {
    let scale = SIMD2(
      Double(map.size.width) / Double(view.imageSize.width),
      Double(map.size.height) / Double(view.imageSize.height))
    func inMap(_ pixel: SIMD2<Double>) -> SIMD2<Double> { (pixel + 0.5) * scale - 0.5 }
    cornerDepths = view.corners.map { map.planeDepth(at: inMap($0.pixel)) }
    let pixels = Dictionary(
      view.corners.map { ($0.id, $0.pixel) }, uniquingKeysWith: { first, _ in first })
    let columns = view.board.columns - 1
    var places: [Place] = []
    var placeCount = 0
    for corner in view.corners where corner.id % columns < columns - 1 {
      guard let right = pixels[corner.id + 1], let below = pixels[corner.id + columns],
        let opposite = pixels[corner.id + columns + 1]
      else { continue }
      for step in 0..<16 {
        let x = (Double(step % 4) + 0.5) / 4
        let y = (Double(step / 4) + 0.5) / 4
        let upper = corner.pixel + (right - corner.pixel) * x
        let pixel = upper + (below + (opposite - below) * x - upper) * y
        let nearest = inMap(pixel)
        guard abs(nearest.x) < 1e6, abs(nearest.y) < 1e6 else { continue }
        let column = Int(nearest.x.rounded())
        let row = Int(nearest.y.rounded())
        guard map.meters.contains(x: column, y: row) else { continue }
        placeCount += 1
        let depth = Double(map.meters[column, row])
        if depth > 0 { places.append(Place(pixel: pixel, depth: depth)) }
      }
    }
    self.places = places
    self.placeCount = placeCount
  }
}

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
