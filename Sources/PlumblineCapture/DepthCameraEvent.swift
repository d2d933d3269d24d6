public import PlumblineModel

/// An event from a live camera to its consumer.
public enum DepthCameraEvent: Sendable {
  /// A synchronized frame: depth, color, calibration, pose where tracked.
  case capture(Capture)
  /// Motion samples since the last event.
  case motion([MotionSample])
  /// Motion samples that the consumer was too slow for.
  case motionLost(sampleCount: Int)
  /// Frames that were not delivered.
  case dropped(DroppedFrame)
  /// The device became warmer or cooler.
  case thermal(ThermalReading)
  /// The rate of depth was changed because of warmth.
  case depthRate(DepthRateChange)
}
