import PlumblineFaces
import PlumblineModel
import Testing

@Suite struct LandmarkDataTests {
  @Test(arguments: LandmarkRegion.allCases)
  func linesRunThroughLandmarks(region: LandmarkRegion) {
    #expect(region.lines.allSatisfy { $0.count >= 2 })
    #expect(region.landmarks.allSatisfy { (0..<FaceLandmarks.count).contains($0) })
    #expect(region.landmarks == region.landmarks.sorted())
    let irises: [LandmarkRegion] = [.rightIris, .leftIris]
    #expect(region.landmarks.contains { $0 >= FaceLandmarks.meshCount } == irises.contains(region))
  }

  @Test func regionsHaveTheirKnownSizes() {
    #expect(LandmarkRegion.faceOval.landmarks.count == 36)
    #expect(LandmarkRegion.lips.landmarks.count == 40)
    #expect(LandmarkRegion.rightEye.landmarks.count == 16)
    #expect(LandmarkRegion.leftEye.landmarks.count == 16)
    #expect(LandmarkRegion.rightIris.landmarks == [468, 469, 470, 471, 472])
    #expect(LandmarkRegion.leftIris.landmarks == [473, 474, 475, 476, 477])
    #expect(LandmarkRegion.faceOval.lines[0].first == LandmarkRegion.faceOval.lines[0].last)
  }

  @Test func theExpressionTakesEachLandmarkOnce() {
    let landmarks = BlendshapeReader.landmarks
    #expect(landmarks.count == 146 && landmarks == Array(Set(landmarks)).sorted())
    #expect(landmarks.last == 477)
    #expect(Set(BlendshapeScores.names).count == 52 && BlendshapeScores.names[0] == "_neutral")
  }

  @Test func sigmasGrowWithTheFaceAndItsTurnAndAreSmallestAtTheEyes() {
    #expect(LandmarkSigmas.tenThousandths.count == FaceLandmarks.count)
    let near = LandmarkSigmas.pixels(sidePixels: 1000, yawRadians: 0)
    let far = LandmarkSigmas.pixels(sidePixels: 20, yawRadians: 0)
    let turned = LandmarkSigmas.pixels(sidePixels: 1000, yawRadians: .pi / 4)
    for index in 0..<FaceLandmarks.count {
      #expect(far[index] < near[index] && near[index] < turned[index])
      #expect(far[index] >= LandmarkSigmas.floorPixels)
      // cos² of 45° is a half.
      #expect(abs(turned[index] / near[index] - 2) < 0.03)
    }
    let most = LandmarkRegion.rightEye.landmarks.map { near[$0] }.max() ?? 0
    let least = LandmarkRegion.faceOval.landmarks.map { near[$0] }.min() ?? 0
    #expect(most < least)
    #expect(LandmarkSigmas.pixels(sidePixels: 100, yawRadians: .pi).allSatisfy { $0.isFinite })
    // Mirrored landmarks are equally sure.
    for (right, left) in HeadTurn.pairs { #expect(near[right] == near[left]) }
  }

  /// A face whose pairs lie 2·`half` apart, turned by a yaw and a roll.
  private func turned(yaw: Double, roll: Double, half: Double = 50) -> FaceLandmarks {
    var points = Array(repeating: SIMD2<Float>(100, 100), count: FaceLandmarks.count)
    var depths = [Float](repeating: 0, count: FaceLandmarks.count)
    func set(_ index: Int, _ x: Double, _ y: Double) {
      let (cosine, sine) = (cosine(yaw), sine(yaw))
      let across = x * cosine
      points[index] = [
        Float(100 + across * self.cosine(roll) - y * self.sine(roll)),
        Float(100 + across * self.sine(roll) + y * self.cosine(roll)),
      ]
      depths[index] = Float(x * sine)
    }
    for (place, pair) in HeadTurn.pairs.enumerated() {
      set(pair.0, -half, Double(place - 4) * 10)
      set(pair.1, half, Double(place - 4) * 10)
    }
    set(LandmarkIndex.forehead, 0, -60)
    set(LandmarkIndex.chin, 0, 60)
    return FaceLandmarks(
      points: points, relativeDepths: depths,
      sigmasPixels: Array(repeating: 1, count: FaceLandmarks.count), presence: 1)
  }

  // Sums of the exponential's series, so that no library of the system is needed here.
  private func sine(_ x: Double) -> Double {
    (0..<12).reduce((sum: 0.0, term: x)) { state, n in
      let next = state.term * -x * x / Double((2 * n + 2) * (2 * n + 3))
      return (state.sum + state.term, next)
    }.sum
  }
  private func cosine(_ x: Double) -> Double { sine(x + .pi / 2) }

  @Test func turnsAreThoseThatWereMade() {
    for yaw in stride(from: -1.2, through: 1.2, by: 0.2) {
      for roll in stride(from: -0.8, through: 0.8, by: 0.4) {
        let turn = HeadTurn(turned(yaw: yaw, roll: roll))
        #expect(abs(Double(turn.yawRadians) - yaw) < 1e-4)
        #expect(abs(Double(turn.rollRadians) - roll) < 1e-4)
        #expect(abs(turn.pitchRadians) < 1e-4)
      }
    }
  }

  /// A person who looks down has the chin farther away than the forehead.
  @Test func lookingDownIsPositive() {
    var landmarks = turned(yaw: 0, roll: 0.2)
    landmarks.relativeDepths[LandmarkIndex.chin] += 60
    landmarks.relativeDepths[LandmarkIndex.forehead] -= 60
    let turn = HeadTurn(landmarks)
    // 120 pixels farther over 120 pixels down.
    #expect(abs(turn.pitchRadians - .pi / 4) < 1e-4, "\(turn)")
    #expect(abs(turn.yawRadians) < 1e-4)
    landmarks.relativeDepths[LandmarkIndex.chin] -= 120
    landmarks.relativeDepths[LandmarkIndex.forehead] += 120
    #expect(HeadTurn(landmarks).pitchRadians < -0.7)
  }

  @Test func whatCannotBeUsedIsSaid() {
    let size = RasterSize(width: 200, height: 200)
    func face(_ landmarks: FaceLandmarks, shift: Float? = nil) -> LandmarkedFace {
      LandmarkedFace(
        landmarks, crop: FaceCrop(center: .zero, sidePixels: 1), in: size, shiftShare: shift)
    }
    let front = turned(yaw: 0, roll: 0)
    #expect(face(front).isUsable && face(front).doubts.isEmpty)
    #expect(face(front, shift: 0.02).isUsable)
    #expect(!face(front, shift: 0.04).isUsable && !face(front, shift: .nan).isFace)
    let profile = face(turned(yaw: -1.1, roll: 0))
    #expect(!profile.isUsable && profile.isFace)
    guard case .turnedAway(let yaw)? = profile.doubts.first else {
      Issue.record("\(profile.doubts)")
      return
    }
    #expect(abs(yaw + 1.1) < 1e-4)
    for presence in [0.4, .nan] as [Float] {
      var absent = front
      absent.presence = presence
      #expect(!face(absent).isUsable && !face(absent).isFace)
    }
    var outside = front
    for index in 0..<100 { outside.points[index].x -= 400 }
    #expect(face(outside).doubts.first == .cutOff(share: 100.0 / 478))
    #expect(face(outside).isUsable)
    for index in 100..<150 { outside.points[index].x = .nan }
    #expect(!face(outside).isUsable)
    let small = face(turned(yaw: 0, roll: 0, half: 10))
    // The forehead and the chin still lie 120 pixels apart.
    #expect(small.doubts.isEmpty)
    var tiny = front
    tiny.points = tiny.points.map { 100 + ($0 - 100) / 10 }
    #expect(face(tiny).doubts == [.small(sidePixels: tiny.sidePixels)] && face(tiny).isUsable)
    for doubt in face(outside).doubts + profile.doubts + face(tiny).doubts {
      #expect(!doubt.description.isEmpty)
    }
  }
}
