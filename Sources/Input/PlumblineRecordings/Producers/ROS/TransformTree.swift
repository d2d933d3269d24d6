import PlumblineModel
import PlumblineStreams

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The transforms of a bag: each frame's pose in its parent, over time or constant.
///
/// - Source: REP 105 and tf2: a frame has one parent; between two times the translation is
///   interpolated linearly and the rotation along the shortest arc; outside them nothing is known.
struct TransformTree {
  /// The maximum time between two transforms over which a pose is interpolated, in seconds.
  ///
  /// This value is a choice: trackers report at 10 Hz or more, and within half a second a hand-held
  /// device can rotate arbitrarily.
  static let longestGapSeconds = 0.5

  private struct Sample {
    var nanoseconds: Int64
    var translation: SIMD3<Double>
    var rotation: SIMD4<Double>
  }

  private struct Edge {
    var parent: String
    var isStatic: Bool
    var samples: [Sample] = []
  }

  /// The edge of each child.
  private var edges: [String: Edge] = [:]
  /// The frames with a second parent, which is ignored.
  private(set) var framesWithTwoParents: Set<String> = []
  private(set) var sampleCount = 0

  /// Adds a transform; one that is not finite or has an invalid quaternion is ignored.
  mutating func add(_ transform: StampedTransform, isStatic: Bool) {
    let length = (transform.rotation * transform.rotation).sum()
    let isFinite = (transform.translation * transform.translation).sum().isFinite
    guard (1e-12...1e12).contains(length), isFinite, transform.child != transform.header.frame
    else { return }
    if let parent = edges[transform.child]?.parent, parent != transform.header.frame {
      framesWithTwoParents.insert(transform.child)
      return
    }
    let sample = Sample(
      nanoseconds: transform.header.stamp.nanosecondCount, translation: transform.translation,
      rotation: transform.rotation / length.squareRoot())
    let edge = Edge(parent: transform.header.frame, isStatic: isStatic)
    if isStatic {
      // The last message of a static publisher counts.
      edges[transform.child, default: edge].samples = [sample]
    } else {
      // In place, since a copy of the edge would copy all earlier samples for each new one.
      edges[transform.child, default: edge].samples.append(sample)
      sampleCount += 1
    }
  }

  /// Sorts the samples of every edge by time; must be called once after the last one was added.
  mutating func sort() {
    for child in edges.keys {
      edges[child]?.samples.sort { $0.nanoseconds < $1.nanoseconds }
    }
  }

  /// Makes every transform static that never changes: it is a part of the device, not a motion.
  mutating func makeConstantsStatic() {
    for (child, edge) in edges where !edge.isStatic {
      guard let first = edge.samples.first,
        edge.samples.allSatisfy({
          $0.translation == first.translation && $0.rotation == first.rotation
        })
      else { continue }
      edges[child] = Edge(parent: edge.parent, isStatic: true, samples: [first])
    }
  }

  /// The frames from a frame to its root, including both; `nil` if they form a cycle.
  func chain(from frame: String) -> [String]? {
    var chain = [frame]
    var seen: Set<String> = [frame]
    while let last = chain.last, let edge = edges[last] {
      guard seen.insert(edge.parent).inserted else { return nil }
      chain.append(edge.parent)
    }
    return chain
  }

  /// Whether any transform of a chain changes with time.
  ///
  /// Otherwise the result is the camera's pose on its device, not in the world.
  func moves(_ chain: [String]) -> Bool { chain.contains { edges[$0]?.isStatic == false } }

  /// `rootFromFrame` at a time, for a chain from ``chain(from:)``; `nil` if one of its transforms
  /// is unknown within ``longestGapSeconds``.
  func rootFromFrame(_ chain: [String], at time: ROSTime) -> RigidTransform? {
    var rootFromFrame = RigidTransform.identity
    for child in chain {
      guard let edge = edges[child] else { break }
      guard let parentFromChild = Self.transform(edge, at: time.nanosecondCount) else { return nil }
      rootFromFrame = parentFromChild * rootFromFrame
    }
    return rootFromFrame
  }

  private static func transform(_ edge: Edge, at time: Int64) -> RigidTransform? {
    if edge.isStatic {
      return edge.samples.first.flatMap { rigid($0.translation, $0.rotation) }
    }
    let next = edge.samples.firstSortedIndex { $0.nanoseconds >= time }
    guard next < edge.samples.count else { return nil }
    let after = edge.samples[next]
    if after.nanoseconds == time { return rigid(after.translation, after.rotation) }
    guard next > 0 else { return nil }
    let before = edge.samples[next - 1]
    let gap = Double(after.nanoseconds) - Double(before.nanoseconds)
    guard gap <= longestGapSeconds * 1e9 else { return nil }
    let share = (Double(time) - Double(before.nanoseconds)) / gap
    return rigid(
      before.translation + (after.translation - before.translation) * share,
      slerp(before.rotation, after.rotation, share))
  }

  private static func rigid(
    _ translation: SIMD3<Double>, _ rotation: SIMD4<Double>
  ) -> RigidTransform? {
    Rotation(quaternion: rotation).map { RigidTransform(rotation: $0, translation: translation) }
  }

  /// Interpolates between two unit quaternions along the shortest arc by a fraction.
  ///
  /// - Source: K. Shoemake, *Animating rotation with quaternion curves*, SIGGRAPH 1985.
  static func slerp(
    _ a: SIMD4<Double>, _ b: SIMD4<Double>, _ share: Double
  ) -> SIMD4<Double> {
    let product = (a * b).sum()
    // A quaternion and its negative are the same rotation; the nearer one gives the shorter arc.
    let end = product < 0 ? -b : b
    let cosine = min(abs(product), 1)
    // Below a microradian sines lose precision, and linear interpolation is exact enough.
    guard cosine < 1 - 1e-12 else { return a + (end - a) * share }
    let angle = acos(cosine)
    return (a * sin((1 - share) * angle) + end * sin(share * angle)) / sin(angle)
  }
}
