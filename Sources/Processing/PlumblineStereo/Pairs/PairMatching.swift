import CKernels
package import PlumblineModel

/// A point of the scene that was found in both images.
public struct PairMatch: Hashable, Sendable {
  /// Its position in the left image, in pixels.
  public var left: SIMD2<Double>
  /// Its position in the right image, in pixels.
  public var right: SIMD2<Double>

  /// Joins two positions.
  package init(left: SIMD2<Double>, right: SIMD2<Double>) {
    self.left = left
    self.right = right
  }
}

/// Finds points of the scene that both of two images show.
///
/// Each corner is described by 256 comparisons of gray levels. A corner of the left image matches one of
/// the right when each is by far the nearest to the other. The position in the right image is then refined
/// until its surroundings look most like those in the left one. The same images give the same points.
///
/// Scales may differ by about a half; images turned against each other by more than about 15° need
/// ``isUpright`` to be false.
package struct PairMatching: Sendable {
  /// About how many corners of each image are examined at most.
  package var maximumFeatures = 2000
  /// The longer side, in pixels, above which images are examined reduced by a whole factor.
  package var maximumSide = 1600
  /// Whether corners are compared without turning them; `false` also finds turned ones, but fewer in all.
  package var isUpright = true

  /// The maximum number of the 256 bits in which two descriptors of one point may differ.
  ///
  /// - Source: as in systems based on ORB; it is half of the 128 bits in which unrelated ones differ.
  static let maximumDistance: Int32 = 64
  /// The maximum ratio of the distance to the nearest descriptor to that of the second nearest.
  ///
  /// - Source: D. Lowe, "Distinctive Image Features from Scale-Invariant Keypoints", IJCV 60 (2004)
  ///   91–110, §7.1.
  static let maximumRatio = 0.8
  /// The minimum correlation between the surroundings of one point in two images.
  static let leastCorrelation: Float = 0.8
  /// Half the side of these surroundings, in pixels of a level.
  static let windowRadius = 7

  /// Creates a search with the settings above.
  package init() {}

  /// The points that both images show, each once.
  ///
  /// - Parameters:
  ///   - left: Gray levels of the left image.
  ///   - right: Gray levels of the right image, of any size.
  /// - Returns: Positions in pixels of the images, in the order of the left image's cells; some
  ///   are wrong, which ``RelativePose`` and ``PairSurvey`` sort out. Standard deviation of a sound
  ///   place: about 0.1 pixels of the reduced image.
  /// - Complexity: O(pixels + features²).
  package func matches(left: Raster<UInt8>, right: Raster<UInt8>) -> [PairMatch] {
    found(left, right).map(\.match)
  }

  /// The points that both images show, and the turn of most of their patches in the right image.
  ///
  /// - Returns: As ``matches(left:right:)``, with the cosine and the sine of the turn; (1, 0) while
  ///   ``isUpright``.
  package func turnedMatches(
    left: Raster<UInt8>, right: Raster<UInt8>
  ) -> (matches: [PairMatch], turn: SIMD2<Double>) {
    let found = found(left, right)
    let all = found.reduce(SIMD2<Double>.zero) { $0 + $1.turn }
    // A second mean, without the turns that point away from the first: theirs do not cancel out.
    let most = found.reduce(SIMD2<Double>.zero) { ($1.turn * all).sum() > 0 ? $0 + $1.turn : $0 }
    let length = (most * most).sum().squareRoot()
    return (found.map(\.match), length > 0 ? most / length : [1, 0])
  }

  private func found(
    _ left: Raster<UInt8>, _ right: Raster<UInt8>
  ) -> [(match: PairMatch, turn: SIMD2<Double>)] {
    let left = FeaturePyramid(left, maximumSide: maximumSide)
    let right = FeaturePyramid(right, maximumSide: maximumSide)
    let ours = left.features(atMost: maximumFeatures, isUpright: isUpright)
    let theirs = right.features(atMost: maximumFeatures, isUpright: isUpright)
    let forth = Self.nearest(ours, theirs)
    let back = Self.nearest(theirs, ours)
    return ours.indices.compactMap { index in
      let near = forth[index]
      guard near.distance <= Self.maximumDistance,
        Double(near.distance) <= Self.maximumRatio * Double(near.second), near.index >= 0,
        back[near.index].index == index
      else { return nil }
      let (our, their) = (ours[index], theirs[near.index])
      let turn = SIMD2(
        (our.direction * their.direction).sum(),
        our.direction.x * their.direction.y - our.direction.y * their.direction.x)
      // A window that is turned by more than some 20° looks like another position.
      let place =
        turn.x > 0.94
        ? Self.refined(our, their, left, right) : their.position
      return place.map { place in
        let match = PairMatch(
          left: (our.position + 0.5) * Double(left.reduction) - 0.5,
          right: (place + 0.5) * Double(right.reduction) - 0.5)
        return (match, turn)
      }
    }
  }

  /// For each feature the nearest of others, the first of equals, with the two smallest distances in bits.
  ///
  /// −1 and 257 where there are none. O(features · others).
  static func nearest(
    _ features: [ImageFeature], _ others: [ImageFeature]
  ) -> [(index: Int, distance: Int32, second: Int32)] {
    let count = features.count
    var indices = [Int32](repeating: 0, count: count)
    var distances = indices
    var seconds = indices
    let own = features.map(\.descriptor)
    let other = others.map(\.descriptor)
    own.withUnsafeBytes { own in
      other.withUnsafeBytes { other in
        let own = own.bindMemory(to: UInt64.self)
        let other = other.bindMemory(to: UInt64.self)
        guard let ownWords = own.baseAddress, let otherWords = other.baseAddress else {
          for index in 0..<count { (indices[index], distances[index]) = (-1, 257) }
          return
        }
        plb_nearest_descriptors(
          ownWords, count, otherWords, others.count, &indices, &distances, &seconds)
      }
    }
    return (0..<count).map { (Int(indices[$0]), distances[$0], seconds[$0]) }
  }

  /// The right position, refined by comparing windows from the coarsest level that showed the pair to the
  /// finest; `nil` where the windows do not look alike.
  private static func refined(
    _ our: ImageFeature, _ their: ImageFeature, _ left: FeaturePyramid, _ right: FeaturePyramid
  ) -> SIMD2<Double>? {
    // Corners of different levels show the scene at different scales; windows of level 0 do not fit.
    guard our.level == their.level else { return nil }
    var place = their.position
    var correlation: Float = -2
    for level in stride(from: our.level, through: 0, by: -1) {
      let scale = Double(1 << level)
      let (a, b) = (left.levels[level], right.levels[level])
      let from = (our.position + 0.5) / scale - 0.5
      var to = (place + 0.5) / scale - 0.5
      correlation = refine(&to, in: b, like: from, in: a)
      guard correlation >= leastCorrelation else { return nil }
      place = (to + 0.5) * scale - 0.5
    }
    let moved = place - their.position
    // The nearest corner is within a pixel of its level; farther is another one.
    let limit = 3 * Double(1 << our.level)
    return (moved * moved).sum() <= limit * limit ? place : nil
  }

  /// Moves a position of the right image to where its window looks most like the left one's.
  ///
  /// The result is the correlation of the windows there; −2 without one, and then the position stays.
  ///
  /// - Precondition: Both images are packed.
  static func refine(
    _ place: inout SIMD2<Double>, in right: Raster<UInt8>, like source: SIMD2<Double>,
    in left: Raster<UInt8>
  ) -> Float {
    left.samples.withUnsafeBufferPointer { a in
      right.samples.withUnsafeBufferPointer { b in
        guard let a = a.baseAddress, let b = b.baseAddress else { return -2 }
        var target = [place.x, place.y]
        let result = plb_refine_place(
          a, b, left.width, left.height, right.width, right.height, windowRadius,
          [source.x, source.y], &target)
        place = [target[0], target[1]]
        return result
      }
    }
  }
}
