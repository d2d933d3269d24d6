/// Turns the cumulative values of touch gestures into movements of a camera.
///
/// Systems report a gesture by its values since it began. Gestures may run at the same time: fingers
/// pinch and twist together. A system need not say that a gesture was canceled, so one that began elsewhere
/// is a new one.
public struct OrbitGestures: Hashable, Sendable {
  /// The camera.
  public private(set) var camera: OrbitCamera
  private var translation: Gesture<SIMD2<Double>>?
  private var magnification: Gesture<Double>?
  private var rotation: Gesture<Double>?

  /// A gesture that goes on: where it began, and its last value.
  private struct Gesture<Value: Hashable & Sendable>: Hashable, Sendable {
    let start: SIMD2<Double>
    let value: Value
  }

  /// Starts without a finger on the screen.
  public init(_ camera: OrbitCamera = OrbitCamera()) { self.camera = camera }

  /// A finger moved.
  ///
  /// - Parameters:
  ///   - translation: How far since it touched the screen, in points to the right and down.
  ///   - start: Where it touched the screen, in points.
  ///   - viewHeight: The height of the view in points, above 0.
  public mutating func drag(
    to translation: SIMD2<Double>, from start: SIMD2<Double>, viewHeight: Double
  ) {
    guard viewHeight > 0 else { return }
    let last = self.translation?.start == start ? self.translation?.value : nil
    camera.orbit(by: (translation - (last ?? .zero)) / viewHeight)
    self.translation = Gesture(start: start, value: translation)
  }

  /// Two fingers moved apart or together: how many times as far apart as when they began, above 0.
  public mutating func pinch(to magnification: Double, from start: SIMD2<Double>) {
    guard magnification > 0, magnification.isFinite else { return }
    let last = self.magnification?.start == start ? self.magnification?.value : nil
    camera.zoom(by: magnification / (last ?? 1))
    self.magnification = Gesture(start: start, value: magnification)
  }

  /// Two fingers turned about each other: by how many radians since they began, clockwise.
  public mutating func twist(to radians: Double, from start: SIMD2<Double>) {
    guard radians.isFinite else { return }
    let last = rotation?.start == start ? rotation?.value : nil
    camera.twist(by: radians - (last ?? 0))
    rotation = Gesture(start: start, value: radians)
  }

  /// The finger that dragged was lifted.
  public mutating func endDrag() { translation = nil }

  /// The fingers that pinched were lifted.
  public mutating func endPinch() { magnification = nil }

  /// The fingers that twisted were lifted.
  public mutating func endTwist() { rotation = nil }

  /// A double tap: back home.
  public mutating func reset() {
    self = OrbitGestures(OrbitCamera(targetDistance: camera.homeDistance))
  }

  /// Turns about another depth, where nothing was moved yet.
  public mutating func follow(targetDistance: Double) {
    camera.follow(targetDistance: targetDistance)
  }
}
