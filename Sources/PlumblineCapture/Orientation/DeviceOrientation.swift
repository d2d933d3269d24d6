/// How a device is held; `UIDeviceOrientation` without the flat ones.
public enum DeviceOrientation: String, Sendable, CaseIterable {
  /// The home button, or where it used to be, at the bottom.
  case portrait
  /// The home button at the top.
  case portraitUpsideDown
  /// The home button at the right: the device was turned counterclockwise.
  case landscapeLeft
  /// The home button at the left.
  case landscapeRight
}
