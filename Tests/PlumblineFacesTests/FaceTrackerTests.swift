import PlumblineInference
import PlumblineModel
import Testing

@testable import PlumblineFaces

/// Numbers, loss and return, with networks that take disks for faces.
@Suite struct FaceTrackerTests {
  private let size = RasterSize(width: 160, height: 120)

  private func frame(_ disks: [FakeFaces.Disk]) -> Raster<RGB8> { FakeFaces.image(size, disks) }

  @Test func aFaceKeepsItsNumberWhileItMoves() throws {
    var tracker = FaceTracker(try FakeFaces.networks())
    tracker.smoothing = nil
    for step in 0..<12 {
      let center = SIMD2<Float>(40 + 6 * Float(step), 60)
      let search = try tracker.faces(
        in: frame([.init(center: center, radius: 20)]), seconds: Double(step) / 30)
      let face = try #require(search.faces.first)
      #expect(search.faces.count == 1 && face.landmarks.trackNumber == 1)
      let box = FaceBox(around: face.landmarks.points)
      // Disks of whole pixels, found in crops of about as many.
      #expect(distance(box.center, center) < 1, "\(box.center)")
    }
  }

  @Test func aFaceThatComesBackHasANewNumber() throws {
    var tracker = FaceTracker(try FakeFaces.networks())
    let disk = FakeFaces.Disk(center: [80, 60], radius: 20)
    func numbers(_ disks: [FakeFaces.Disk], _ seconds: Double) throws -> [Int?] {
      try tracker.faces(in: frame(disks), seconds: seconds).faces.map(\.landmarks.trackNumber)
    }
    #expect(try numbers([], 0) == [])
    #expect(try numbers([disk], 0.1) == [1])
    #expect(try numbers([], 0.2) == [])
    #expect(try numbers([disk], 0.3) == [2])
    #expect(try numbers([disk], 0.4) == [2])
  }

  @Test func severalFacesAreFollowedAndOnlyAsManyAsAskedFor() throws {
    let red = FakeFaces.Disk(center: [40, 60], radius: 18)
    let green = FakeFaces.Disk(center: [118, 60], radius: 18, isGreen: true)
    for count in 1...3 {
      var tracker = FaceTracker(try FakeFaces.networks())
      tracker.maximumFaceCount = count
      tracker.smoothing = nil
      var centers: [Int: SIMD2<Float>] = [:]
      for step in 0..<5 {
        let search = try tracker.faces(in: frame([red, green]), seconds: Double(step) / 30)
        #expect(search.faces.count == min(count, 2))
        for face in search.faces {
          let number = try #require(face.landmarks.trackNumber)
          let center = FaceBox(around: face.landmarks.points).center
          if let before = centers[number] { #expect(distance(before, center) < 0.5) }
          centers[number] = center
        }
      }
      #expect(centers.keys.sorted() == Array(1...min(count, 2)))
    }
  }

  @Test func nothingIsRememberedBetweenTrackers() throws {
    let image = frame([.init(center: [80, 60], radius: 20)])
    for _ in 0..<2 {
      var tracker = FaceTracker(try FakeFaces.networks())
      tracker.readsBlendshapes = true
      let face = try #require(try tracker.faces(in: image, seconds: 9).faces.first)
      #expect(face.landmarks.trackNumber == 1)
      #expect(face.blendshapes?["_neutral"] == 0 && face.blendshapes?["noFace"] == nil)
    }
  }

  @Test func aFaceTooSmallForTheWholeImageIsFoundInTiles() throws {
    let size = RasterSize(width: 1600, height: 1200)
    var landmarker = FaceLandmarker(try FakeFaces.networks())
    landmarker.additionalLooks = 1
    for radius in [60, 20] as [Float] {
      let search = try landmarker.faces(
        in: FakeFaces.image(size, [.init(center: [1130, 460], radius: radius)]))
      let face = try #require(search.faces.first)
      #expect(distance(FaceBox(around: face.landmarks.points).center, [1130, 460]) < 2)
      #expect((search.view == .whole) == (radius == 60), "\(search)")
    }
    let none = try landmarker.faces(in: FakeFaces.image(size, []))
    #expect(none.faces.isEmpty && none.view == .tiles(sidePixels: 400))
    #expect(none.description.contains("no face, looked for in squares of 400 pixels"))
  }

  @Test func reasonsOfManyRefusalsAreSaidOnce() throws {
    let landmarker = FaceLandmarker(try FakeFaces.networks())
    var search = try landmarker.faces(in: FakeFaces.image(size, []))
    let points = (0..<6).map { SIMD2(Float($0), Float($0 * $0)) }
    let detection = FaceDetection(box: FaceBox(around: points), points: points, score: 0.6)
    search.rejected = [0.1, 0.9, 0.1, 0.1].map {
      RejectedFace(detection, doubts: [.unsteady(share: $0)])
    }
    let lines = search.description.split(separator: "\n")
    #expect(lines.count == 3 && lines[1].hasPrefix("3 refused; "), "\(search)")
    #expect(lines[2].hasPrefix("refused; "), "\(search)")
  }

  @Test func networksOfOtherShapesAreRefused() throws {
    let sound = try FakeFaces.networks()
    let odd = FakeNetwork(input: [1, 64, 64, 3], outputs: [[1]]) { _ in [] }
    for networks in [
      (odd as any NeuralNetwork, sound.landmarks, sound.blendshapes),
      (sound.detector, odd, sound.blendshapes), (sound.detector, sound.landmarks, odd),
    ] {
      let error = #expect(throws: InferenceError.self) {
        try FaceNetworks(
          detector: networks.0, landmarks: networks.1, blendshapes: networks.2)
      }
      #expect(error?.reason == .mismatch)
    }
  }

  @Test func numbersThatAreNoneAreAnError() throws {
    let sound = try FakeFaces.networks()
    let broken = FakeNetwork(
      input: [1, 256, 256, 3], outputs: [[1, 1, 1, 1434], [1, 1, 1, 1]]
    ) { _ in
      [
        Tensor(shape: [1, 1, 1, 1434], values: Array(repeating: .nan, count: 1434)),
        Tensor(shape: [1, 1, 1, 1], values: [9]),
      ]
    }
    let landmarker = FaceLandmarker(
      try FaceNetworks(
        detector: sound.detector, landmarks: broken, blendshapes: sound.blendshapes))
    #expect(throws: InferenceError.self) {
      try landmarker.faces(in: frame([.init(center: [80, 60], radius: 20)]))
    }
  }
}
