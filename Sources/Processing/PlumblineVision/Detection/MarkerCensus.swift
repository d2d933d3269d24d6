import PlumblineModel

/// The markers of every predefined family that some images show.
struct MarkerCensus {
  /// A family's largest set; the smaller ones are its first markers.
  struct Family {
    var name: MarkerDictionary.Name
    /// The family's sets from the smallest to the largest.
    var sets: [MarkerDictionary.Name]
    fileprivate var side: Int
    fileprivate var index: MarkerIndex
  }

  /// One image's markers of one family, all read straight or all read mirrored.
  struct Group {
    var image: Int
    var markers: [FoundMarker]
  }

  /// Groups by family and handedness that hold at least four markers.
  private(set) var groups: [Key: [Group]] = [:]

  /// A family by its position in ``families`` and the handedness of its markers.
  struct Key: Hashable {
    var family: Int
    var isMirrored: Bool
  }

  /// The distinguished families; exact codes only, as so many sets leave no room for errors.
  static func families() -> [Family] {
    let sets: [[MarkerDictionary.Name]] = [
      [.aruco4x4x50, .aruco4x4x100, .aruco4x4x250, .aruco4x4x1000],
      [.aruco5x5x50, .aruco5x5x100, .aruco5x5x250, .aruco5x5x1000],
      [.aruco6x6x50, .aruco6x6x100, .aruco6x6x250, .aruco6x6x1000],
      [.aruco7x7x50, .aruco7x7x100, .aruco7x7x250, .aruco7x7x1000],
      [.arucoOriginal], [.aprilTag16h5], [.aprilTag25h9], [.aprilTag36h10], [.aprilTag36h11],
      [.arucoMIP36h12],
    ]
    return sets.compactMap { sets in
      guard let largest = sets.last else { return nil }
      let dictionary = MarkerDictionary(largest)
      return Family(
        name: largest, sets: sets, side: dictionary.side,
        index: MarkerIndex(dictionary, correction: 0))
    }
  }

  /// Adds what one image shows.
  mutating func add(_ luma: Raster<UInt8>, image: Int, families: [Family]) {
    var found: [Key: [FoundMarker]] = [:]
    for quad in QuadFinder().quads(in: luma) {
      for side in 4...7 {
        guard let code = MarkerReader(side: side).code(of: quad, in: luma) else { continue }
        for (family, about) in families.enumerated() where about.side == side {
          for isMirrored in [false, true] {
            guard let match = about.index.match(code, isMirrored: isMirrored),
              let marker = FoundMarker(
                id: match.id, corners: match.cornersOfMarker(quad.corners), wrongCells: 0)
            else { continue }
            found[Key(family: family, isMirrored: isMirrored), default: []].append(marker)
          }
        }
      }
    }
    // A few hundred markers are the most that a board has; noise must not cost more than they do.
    for (key, markers) in found where markers.count >= 4 {
      groups[key, default: []].append(Group(image: image, markers: Array(markers.prefix(500))))
    }
  }
}

/// A marker of a board where an image shows it.
struct FoundMarker {
  /// The marker's number.
  var id: Int
  /// Its corners in pixels: top-left, top-right, bottom-right, bottom-left as the marker is read.
  var corners: [SIMD2<Double>]
  /// The map of the marker's unit square to pixels.
  var pixelFromMarker: PlaneHomography
  /// The map back.
  var markerFromPixel: PlaneHomography
  /// The number of corrected cells.
  var wrongCells: Int

  /// The center in pixels, where the diagonals cross.
  var center: SIMD2<Double> { pixelFromMarker(SIMD2(0.5, 0.5)) }

  /// Creates one; `nil` when the corners determine no map.
  init?(id: Int, corners: [SIMD2<Double>], wrongCells: Int) {
    guard let map = PlaneHomography(unitSquareTo: corners), let back = map.inverse else {
      return nil
    }
    self.id = id
    self.corners = corners
    self.wrongCells = wrongCells
    pixelFromMarker = map
    markerFromPixel = back
  }
}
