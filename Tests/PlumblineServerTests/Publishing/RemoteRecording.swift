import PlumblineCapture
import PlumblineModel
import PlumblineServer
import Synchronization

/// A server's part of a test: takes cameras in and keeps what a recording would get.
final class RemoteRecording: Sendable {
  struct Session: Sendable {
    var captures: [Capture] = []
    var drops: [DroppedFrame.Reason: Int] = [:]
    var thermal: [ThermalState] = []
  }

  private struct State {
    var sessions: [Session] = []
    var running: [Task<Void, Never>] = []
  }

  let hub = LiveHub()
  private let state = Mutex(State())

  /// The endpoint of a server.
  func endpoint(_ settings: ServerSettings = ServerSettings()) -> IngestEndpoint {
    IngestEndpoint(hub: hub, settings: settings, keepsFrames: true) { [self] camera in
      state.withLock { state in
        let number = state.sessions.count
        state.sessions.append(Session())
        state.running.append(
          Task.detached { [self] in
            do { for try await event in camera.events() { take(event, number) } } catch {}
          })
      }
    }
  }

  /// The sessions, when their cameras are over.
  func sessions() async -> [Session] {
    for task in state.withLock({ $0.running }) { await task.value }
    return state.withLock { $0.sessions }
  }

  private func take(_ event: DepthCameraEvent, _ number: Int) {
    state.withLock { state in
      switch event {
      case .capture(let capture): state.sessions[number].captures.append(capture)
      case .dropped(let frames):
        state.sessions[number].drops[frames.reason, default: 0] += frames.count
      case .thermal(let reading): state.sessions[number].thermal.append(reading.state)
      case .motion, .motionLost, .depthRate, .configured, .interrupted, .resumed: break
      }
    }
  }
}
