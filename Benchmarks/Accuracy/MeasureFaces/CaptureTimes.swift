import Foundation
import Plumbline

/// How long a photo and a recording take, after the models are loaded.
enum CaptureTimes {
  static func print(photo: String?, recording: String?, store: ModelStore) throws {
    #if canImport(COpenVINO) || os(Linux)
      let models = try FaceModels(of: store, threads: 2)
      if let photo { try measure(photo: photo, models) }
      if let recording { try measure(recording: recording, models) }
    #endif
  }

  private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return (ContinuousClock.now - start) / .milliseconds(1)
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.sorted()[values.count / 2]
  }

  private static func measure(photo path: String, _ models: FaceModels) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let analyzer = CaptureAnalyzer()
    let fitter = PhotoFaceFitter(models)
    var analysis = try analyzer.analyze(bytes, fileName: path)
    var reading: [Double] = []
    var fitting: [Double] = []
    var photo: PhotoFaces?
    for _ in 0..<7 {
      reading.append(
        try milliseconds {
          analysis = try analyzer.analyze(bytes, fileName: path)
        })
      fitting.append(try milliseconds { photo = try fitter.fit(analysis) })
    }
    let writing = try milliseconds { _ = try photo?.files }
    Swift.print(
      String(
        format:
          "photo: read and judged %.0f ms, found, fitted and refined %.0f ms, files %.0f ms (medians of 7; files once)",
        median(reading), median(fitting), writing))
  }

  private static func measure(recording path: String, _ models: FaceModels) throws {
    guard case .recording(let recording, let name) = try CaptureInput(path: path),
      let networks = models.networks
    else { return }
    var tracker = FaceTracker(networks)
    tracker.smoothing = nil
    let fitter = PhotoFaceFitter(models)
    let scan = milliseconds {
      _ = try? fitter.fitHead(to: recording, named: name)
    }
    let head = try fitter.fitHead(to: recording, named: name)
    var fitting: [Double] = []
    var landmarking: [Double] = []
    for frame in head.scan.frames {
      let capture = try recording.capture(at: frame.index, color: .full)
      let analysis = try CaptureAnalyzer().analyze(capture, fileName: name)
      let (observation, image) = try FaceObservation.upright(analysis, turned: head.turn)
      var face: FaceLandmarks?
      landmarking.append(
        try milliseconds {
          face = try tracker.faces(in: image, seconds: Double(frame.index) / 30).usableFaces
            .first?
            .landmarks
        })
      var whole = observation
      whole.landmarks = face
      fitting.append(
        try milliseconds {
          _ = try HeadScanner(models.fitter).followed(
            whole, identity: head.scan.fit.state.shape.identity, from: frame.state)
        })
    }
    Swift.print(
      String(
        format:
          "recording: landmarks %.1f ms, place and expression %.1f ms a frame: %.0f frames/s; one head of all %d frames %.1f s, %.0f frames/s",
        median(landmarking), median(fitting), 1000 / (median(landmarking) + median(fitting)),
        head.frameNames.count, scan / 1000, 1000 * Double(head.frameNames.count) / scan))
  }
}
