import Foundation
import Plumbline
import PlumblineVision

let folder = CommandLine.arguments[1]
guard case .recording(let sequence, _) = try CaptureInput(path: folder) else { exit(1) }
let side = sequence.boardSquareMeters ?? 0.03
let recording = try BoardRecording(sequence, choice: .search(squareMeters: side), threads: 2)
let frames = recording.frames.filter { $0.view.corners.count >= 10 }
print(folder, frames.count, "frames", recording.board.map { "\($0)" } ?? "")
let factory = frames.lazy.compactMap(\.factory).first
for (name, lens) in [
  ("none", BoardFitter.Lens.none), ("k1-k2", .polynomial(terms: 2)), ("k1-k3", .polynomial(terms: 3)),
  ("spline4", .spline(intervals: 4)), ("spline6", .spline(intervals: 6)), ("table", .none),
] {
  var views = frames.map(\.view)
  if name == "table" {
    guard let table = factory?.distortion, !table.isZero else { continue }
    views = views.map { view in
      var view = view
      view.corners = view.corners.map {
        BoardCorner(id: $0.id, pixel: table.undistorted($0.pixel))
      }
      return view
    }
  }
  let start = ContinuousClock.now
  do throws(CalibrationError) {
    let fit = try BoardFitter(lens: lens).fit(views, initial: factory?.intrinsics)
    let middle = ContinuousClock.now
    let left = fit.leftOutFrames()
    let sigma = fit.focalSigma
    print(
      name, String(format: "f %.2f ± %.2f (σ %.2f ν %.1f)", fit.focal, sigma.plusMinus, sigma.sigma, sigma.freedom),
      String(format: "c %.2f %.2f", fit.camera.intrinsics.principalPoint.x, fit.camera.intrinsics.principalPoint.y),
      fit.centerSigma.map { String(format: "± %.2f %.2f", $0.x, $0.y) } ?? "",
      String(format: "rms %.3f all %.3f left %.3f outer %.3f flat %.3f mm", fit.rmsPixels, fit.rmsOfAllPixels, left?.rmsPixels ?? .nan, left?.outerRMSPixels ?? .nan, fit.boardFlatnessMeters * 1000),
      middle - start, ContinuousClock.now - middle)
  } catch { print(name, "\(error)") }
}
