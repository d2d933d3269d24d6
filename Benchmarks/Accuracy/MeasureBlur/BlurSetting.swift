import PlumblineEffects
import PlumblineModel
import PlumblineSimulation
import PlumblineTestSupport

/// A simulated scene, what of it is in focus, and how wide the lens is open.
///
/// All are seen by a lens of 26 mm of a full-frame camera, as a phone's wide one.
struct BlurSetting: Sendable {
  let name: String
  let scene: SimulatedScene
  /// The image is upright.
  let isPortrait: Bool
  let focusMeters: Double
  let fNumber: Double

  /// The name without the focus: settings that share it show the same sharp image.
  var sceneName: String { String(name.prefix { $0 != "-" }) }

  /// The camera, for images whose longer side is so many pixels.
  func camera(side: Int) -> SimulatedCamera {
    let shorter = side * 3 / 4
    let size =
      isPortrait
      ? RasterSize(width: shorter, height: side) : RasterSize(width: side, height: shorter)
    let focal = Double(side) * 26 / 36
    let center = SIMD2(Double(size.width) - 1, Double(size.height) - 1) / 2
    return SimulatedCamera(
      calibration: CameraCalibration(
        intrinsics: PinholeIntrinsics(
          focalLength: [focal, focal], principalPoint: center, size: size)))
  }

  /// The diameter of the opening, in meters.
  var apertureMeters: Double { 0.026 / fNumber }

  /// The nine: each scene focused on what is in front, in the middle or behind.
  static let all: [BlurSetting] = {
    let bust = SimulatedScene.portrait(of: .first)
    let still = SimulatedScene.stillLife()
    let room = SimulatedScene.room()
    let checks = SimulatedScene.ballBeforeChecks()
    func setting(
      _ name: String, _ scene: SimulatedScene, _ meters: Double, _ number: Double,
      isPortrait: Bool = false
    ) -> BlurSetting {
      BlurSetting(
        name: name, scene: scene, isPortrait: isPortrait, focusMeters: meters, fNumber: number)
    }
    return [
      setting("bust-face", bust, 0.4, 0.7, isPortrait: true),
      setting("bust-wall", bust, 1.12, 0.7, isPortrait: true),
      setting("stilllife-ball", still, 1.22, 0.6),
      setting("stilllife-wall", still, 2.6, 0.6),
      setting("stilllife-nearest", still, 0.8, 0.6),
      setting("room-ball", room, 1.25, 0.6),
      setting("room-wall", room, 3.4, 0.6),
      setting("checks-ball", checks, 0.45, 0.7),
      setting("checks-wall", checks, 3, 0.7),
    ]
  }()
}
