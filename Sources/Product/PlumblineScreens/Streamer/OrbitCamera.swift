#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A camera that turns about a point, for a cloud that a live camera sees.
///
/// World: viewer axes, `x` right, `y` up, `z` toward the viewer, in meters or in the unit of the cloud.
/// At home it stands where the depth camera stands and looks along its optical axis, so that the cloud
/// covers the image that it was made of.
public struct OrbitCamera: Hashable, Sendable {
  /// The minimum and maximum distance to the target, as multiples of that at home.
  public static let distanceFactors = 0.05...20.0

  /// The point that the camera turns about.
  public private(set) var target: SIMD3<Double>
  /// The distance to the target.
  public private(set) var distance: Double
  /// The turn about the vertical axis through the target, in radians.
  public private(set) var yaw = 0.0
  /// The turn about the horizontal axis through the target, in radians, at most a quarter turn.
  public private(set) var pitch = 0.0
  /// The turn about the line of sight, in radians, counterclockwise as seen.
  public private(set) var roll = 0.0
  /// The distance to the target at home.
  public private(set) var homeDistance: Double

  /// Creates a camera at home.
  ///
  /// - Parameter distance: The depth of the point that it turns about, such as the median depth of the
  ///   cloud; a value that is not above 0 and finite counts as 1.
  public init(targetDistance distance: Double = 1) {
    homeDistance = distance > 0 && distance.isFinite ? distance : 1
    self.distance = homeDistance
    target = SIMD3(0, 0, -homeDistance)
  }

  /// Turns about the target by a movement over the screen.
  ///
  /// A movement over the whole height of the view is half a turn. The cloud follows the finger, however
  /// the view is rolled.
  /// - Parameter share: The movement to the right and down, in shares of the view's height.
  public mutating func orbit(by share: SIMD2<Double>) {
    guard share.x.isFinite, share.y.isFinite else { return }
    let (sine, cosine) = (sin(roll), cos(roll))
    let turn = share * .pi
    yaw = (yaw + turn.x * cosine - turn.y * sine).remainder(dividingBy: 2 * .pi)
    pitch = min(max(pitch + turn.x * sine + turn.y * cosine, -.pi / 2), .pi / 2)
  }

  /// Comes nearer for a factor above 1, as two fingers that move apart request.
  public mutating func zoom(by factor: Double) {
    guard factor > 0, factor.isFinite else { return }
    let factors = Self.distanceFactors
    distance = min(
      max(distance / factor, homeDistance * factors.lowerBound),
      homeDistance * factors.upperBound)
  }

  /// Turns about the line of sight; the cloud turns clockwise on the screen for an angle above 0, as
  /// two fingers do.
  public mutating func twist(by radians: Double) {
    guard radians.isFinite else { return }
    roll = (roll - radians).remainder(dividingBy: 2 * .pi)
  }

  /// Goes home.
  public mutating func reset() { self = OrbitCamera(targetDistance: homeDistance) }

  /// Turns about another depth from now on, where the camera is still at home; else nothing changes.
  ///
  /// The first frames decide what the camera turns about, and no later frame moves it under a finger.
  public mutating func follow(targetDistance: Double) {
    guard self == OrbitCamera(targetDistance: homeDistance) else { return }
    self = OrbitCamera(targetDistance: targetDistance)
  }

  /// The directions to the right, up and toward the viewer of the eye, in the world; of length 1.
  var axes: (right: SIMD3<Double>, up: SIMD3<Double>, back: SIMD3<Double>) {
    let (sy, cy, sp, cp) = (sin(yaw), cos(yaw), sin(pitch), cos(pitch))
    let (sr, cr) = (sin(roll), cos(roll))
    let level = SIMD3(cy, 0, sy)
    let upright = SIMD3(sp * sy, cp, -sp * cy)
    return (level * cr - upright * sr, level * sr + upright * cr, SIMD3(-cp * sy, sp, cp * cy))
  }

  /// Where the eye is, in the world.
  public var eye: SIMD3<Double> { target + axes.back * distance }
}
