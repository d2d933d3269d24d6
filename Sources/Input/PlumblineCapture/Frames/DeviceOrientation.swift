package import PlumblineModel

/// The orientation in which a device is held; `UIDeviceOrientation` without the flat ones.
package enum DeviceOrientation: String, Sendable, CaseIterable {
  /// The home button (or its former position) is at the bottom.
  case portrait
  /// The home button is at the top.
  case portraitUpsideDown
  /// The home button is at the right: the device was rotated counterclockwise.
  case landscapeLeft
  /// The home button is at the left.
  case landscapeRight
}

extension DeviceOrientation {
  /// The orientation of a device from gravity; `nil` if it lies flat or is between two
  /// orientations.
  ///
  /// The caller then keeps the last orientation, so that it does not flicker. An orientation counts
  /// from 30° off flat and if its axis has at least 1.2 times the gravity of the other one. Both
  /// limits are this project's.
  /// - Source: Apple, *CMDeviceMotion.gravity* and *Getting raw accelerometer events*: x points
  ///   right and y up on the screen in portrait, in g; *UIDeviceOrientation* for the names.
  /// - Parameter gravity: The gravity vector, in g.
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

/// The rotation that makes sensor frames upright.
///
/// Sensors are mounted for a device in landscape orientation. No pixels are rotated here: the
/// orientation is stored with the frame, and calibrations refer to the stored image.
package struct SensorOrientation: Hashable, Sendable {
  /// The programming interface.
  package var interface: CaptureSource.Interface
  /// Whether the camera is on the front, facing the user.
  package var isAtFront: Bool
  /// Whether the connection mirrors frames left to right (`isVideoMirrored`).
  package var isMirroredByConnection: Bool

  /// Creates a description; connections do not mirror by default.
  package init(
    interface: CaptureSource.Interface, isAtFront: Bool, isMirroredByConnection: Bool = false
  ) {
    self.interface = interface
    self.isAtFront = isAtFront
    self.isMirroredByConnection = isMirroredByConnection
  }

  /// Whether stored frames are mirrored.
  package var isMirrored: Bool {
    (interface == .arkit && isAtFront) != isMirroredByConnection
  }

  /// The rotation (and mirroring if necessary) that shows the world upright and not mirrored.
  ///
  /// - Source: Apple, sample code *Tracking the User's Face in Real Time* (the function that maps
  ///   device orientations to EXIF ones, whose front camera is mirrored on purpose); for ARKit's
  ///   front camera arXiv 2201.10865: its images are flipped along the sensor's `y`
  ///   (`depth-semantics.md` §4.5).
  package func uprightFromStored(held: DeviceOrientation) -> ImageOrientation {
    let turn: ImageOrientation =
      switch (held, isAtFront) {
      case (.portrait, _): .right
      case (.portraitUpsideDown, _): .left
      // The two cameras face opposite directions, so a rotation of the device rotates their images
      // in opposite directions.
      case (.landscapeLeft, false), (.landscapeRight, true): .up
      case (.landscapeRight, false), (.landscapeLeft, true): .down
      }
    var unmirrored = ImageOrientation.up
    if isMirroredByConnection { unmirrored = unmirrored.followed(by: .upMirrored) }
    if interface == .arkit && isAtFront { unmirrored = unmirrored.followed(by: .downMirrored) }
    return unmirrored.followed(by: turn)
  }

  /// The orientation that makes a frame look like a mirror, as users expect of a front camera's
  /// preview.
  package func mirrorImageFromStored(held: DeviceOrientation) -> ImageOrientation {
    uprightFromStored(held: held).followed(by: .upMirrored)
  }
}
