import PlumblineModel
import PlumblineVision

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
