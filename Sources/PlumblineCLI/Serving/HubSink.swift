import Plumbline
import PlumblineServer

/// Shows what a camera delivers to a server's viewers.
struct HubSink: LiveSink {
  let feed: LiveFeed

  func show(scene: [UInt8]) { feed.show(scene: scene) }

  func show(frame: [UInt8], sequence: Int, takenAt: ContinuousClock.Instant) {
    feed.show(frame: frame, sequence: sequence, moment: LiveMoment(takenAt))
  }

  func set(thermal: ThermalState) { feed.set(thermal: thermal) }

  func add(_ frames: DroppedFrame) { feed.add(frames) }
}
