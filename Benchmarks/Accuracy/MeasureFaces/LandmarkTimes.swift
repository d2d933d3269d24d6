import Foundation
import Plumbline

/// What finding landmarks costs beside the runs of the networks, for photos and for tracking.
enum LandmarkTimes {
  static func print(photos: [String], store: ModelStore) throws {
    #if canImport(COpenVINO) || os(Linux)
      guard let stored = try FaceModels(of: store, threads: 1).networks else { return }
      let detector = TimedNetwork(stored.detector)
      let landmarks = TimedNetwork(stored.landmarks)
      let networks = try FaceNetworks(
        detector: detector, landmarks: landmarks, blendshapes: stored.blendshapes)
      for path in photos {
        let capture = try CaptureReader(color: .full, threads: 2).capture(
          from: [UInt8](Data(contentsOf: URL(filePath: path))))
        guard let color = capture.color else { continue }
        let image = color.oriented(by: capture.colorOrientation)
        let landmarker = FaceLandmarker(networks)
        var tracker = FaceTracker(networks)
        let search = try landmarker.faces(in: image)
        _ = try tracker.faces(in: image, seconds: 0)
        let crops = search.faces.map { String(format: "%.0f", $0.crop.sidePixels) }
        Swift.print(
          "\((path as NSString).lastPathComponent) \(image.size), faces of \(crops) pixels")
        try tell("photo", detector, landmarks) { _ = try landmarker.faces(in: image) }
        try tell("tracking", detector, landmarks) {
          _ = try tracker.faces(in: image, seconds: 0)
        }
      }
    #endif
  }

  /// Medians of 61 runs.
  private static func tell(
    _ name: String, _ detector: TimedNetwork, _ landmarks: TimedNetwork, _ body: () throws -> Void
  ) throws {
    _ = (detector.taken(), landmarks.taken())
    var (shares, networks, wholes): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<61 {
      let start = ContinuousClock.now
      try body()
      let whole = (ContinuousClock.now - start) / .milliseconds(1)
      let network = detector.taken() + landmarks.taken()
      shares.append(whole / network - 1)
      networks.append(network)
      wholes.append(whole)
    }
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    Swift.print(
      String(
        format: "  %@: networks %.2f ms, all %.2f ms, %.1f %% more", name as NSString,
        median(networks), median(wholes), 100 * median(shares)))
  }
}
