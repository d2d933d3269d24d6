// Prints how near the nearest thing is, frame after frame, from a simulated camera.
//
//   swift run LiveDepth 10
//
// On an iPhone or iPad, AVFoundationDepthCamera or ARKitDepthCamera takes the place of the simulated one.
import Plumbline

var settings = LiveCameraSettings()
settings.frameLimit = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) : 30
let camera: any DepthCameraSource = SimulatedDepthCamera(settings, pace: .live(speed: 1))

var watch = ProximityWatch(ProximityAlert(nearMeters: 0.5))
var droppedCount = 0
for try await event in camera.events() {
  switch event {
  case .capture(let capture):
    let alert = try watch.next(capture)
    if let nearest = watch.latest?.nearestMeters {
      let sigma = watch.latest?.sigmaMeters.map { " ± \($0) m" } ?? ", ± unknown"
      print("nearest \(nearest) m\(sigma)\(alert == nil ? "" : "  ← changed")")
    }
  case .dropped(let frames): droppedCount += frames.count
  case .motion, .motionLost, .thermal, .depthRate: break
  }
}
print("\(watch.frameCount) frames, \(droppedCount) dropped")
