// Prints how near the nearest thing is, frame after frame, from a simulated camera.
//
//   swift run LiveDepth 10
//
// On an iPhone or iPad, AVFoundationDepthCamera or ARKitDepthCamera takes the place of the simulated one.
import Foundation
import Plumbline

func watch(_ camera: any DepthCameraSource) async throws {
  var watch = ProximityWatch(ProximityAlert(nearMeters: 0.5))
  var droppedCount = 0
  for try await event in camera.events() {
    switch event {
    case .capture(let capture):
      if let change = try watch.next(capture) { print("changed: \(change)") }
      if let nearest = watch.latest?.nearestMeters {
        let sigma = watch.latest?.sigmaMeters.map { String(format: "± %.3f m", $0) }
        print(String(format: "nearest %.3f m ", nearest) + (sigma ?? "± unknown"))
      }
    case .dropped(let frames): droppedCount += frames.count
    case .interrupted(let reason): print("paused: \(reason)")
    case .motion, .motionLost, .thermal, .depthRate, .configured, .resumed: break
    }
  }
  print("\(watch.frameCount) frames, \(droppedCount) dropped")
}

var settings = LiveCameraSettings()
settings.frameLimit = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) : 30
do {
  try await watch(SimulatedDepthCamera(settings, pace: .live(speed: 1)))
} catch {
  print("\(error)")
  exit(1)
}
