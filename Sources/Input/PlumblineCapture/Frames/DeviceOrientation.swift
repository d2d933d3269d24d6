package import PlumblineModel

/// How a device is held; `UIDeviceOrientation` without the flat ones.
package enum DeviceOrientation: String, Sendable, CaseIterable {
  /// The home button, or where it used to be, at the bottom.
  case portrait
  /// The home button at the top.
  case portraitUpsideDown
  /// The home button at the right: the device was turned counterclockwise.
  case landscapeLeft
  /// The home button at the left.
  case landscapeRight
}

extension DeviceOrientation {
  /// How a device is held, out of its gravity; `nil` while it lies flat or is between two ways.
  ///
  /// The caller keeps the last one then, so the answer does not flicker: a way counts from 30° off
  /// flat and only where it leads the other axis clearly. Both limits are this project's.
  /// - Source: Apple, *CMDeviceMotion.gravity* and *Getting raw accelerometer events*: x points right
  ///   and y up on the screen in portrait, in g; *UIDeviceOrientation* for the names.
  /// - Parameter gravity: The direction in which things fall, in g.
  package init?(gravity: SIMD3<Double>) {
    let (x, y) = (abs(gravity.x), abs(gravity.y))
    guard max(x, y) >= 0.5, max(x, y) >= 1.2 * min(x, y) else { return nil }
    if y > x {
      self = gravity.y < 0 ? .portrait : .portraitUpsideDown
    } else {
      self = gravity.x < 0 ? .landscapeLeft : .landscapeRight
    }
  }
}

/// The turn that makes frames of the sensor upright.
///
/// Sensors are mounted for a device in landscape. Nothing here turns pixels: the orientation travels
/// with the frame, and calibrations stay those of the stored image.
package struct SensorOrientation: Hashable, Sendable {
  /// The programming interface.
  package var interface: CaptureSource.Interface
  /// Whether the camera faces its user.
  package var isAtFront: Bool
  /// Whether the connection mirrors frames left to right (`isVideoMirrored`).
  package var isMirroredByConnection: Bool

  /// Creates a description; connections do not mirror unless configured to.
  package init(
    interface: CaptureSource.Interface, isAtFront: Bool, isMirroredByConnection: Bool = false
  ) {
    self.interface = interface
    self.isAtFront = isAtFront
    self.isMirroredByConnection = isMirroredByConnection
  }

  /// Whether stored frames show the world mirrored.
  package var isMirrored: Bool {
    (interface == .arkit && isAtFront) != isMirroredByConnection
  }

  /// How a frame is turned, and mirrored back where needed, to show the world upright as it is.
  ///
  /// - Source: Apple, sample code *Tracking the User's Face in Real Time* (the function that maps
  ///   device orientations to EXIF ones, whose front camera is mirrored on purpose); for ARKit's front
  ///   camera arXiv 2201.10865: its images are flipped along the sensor's `y` (`depth-semantics.md`
  ///   §4.5).
  package func uprightFromStored(held: DeviceOrientation) -> ImageOrientation {
    let turn: ImageOrientation =
      switch (held, isAtFront) {
      case (.portrait, _): .right
      case (.portraitUpsideDown, _): .left
      // The two cameras look opposite ways, so a turn of the device turns their images opposite ways.
      case (.landscapeLeft, false), (.landscapeRight, true): .up
      case (.landscapeRight, false), (.landscapeLeft, true): .down
      }
    var unmirrored = ImageOrientation.up
    if isMirroredByConnection { unmirrored = unmirrored.followed(by: .upMirrored) }
    if interface == .arkit && isAtFront { unmirrored = unmirrored.followed(by: .downMirrored) }
    return unmirrored.followed(by: turn)
  }

  /// How a frame is turned to look like a mirror, as users expect of a front camera's preview.
  package func mirrorImageFromStored(held: DeviceOrientation) -> ImageOrientation {
    uprightFromStored(held: held).followed(by: .upMirrored)
  }
}
