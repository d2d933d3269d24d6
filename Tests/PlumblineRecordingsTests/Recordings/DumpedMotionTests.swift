import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing

/// Motion beside the real dumps: what a device at rest must feel.
@Suite("Real motion", .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
struct DumpedMotionTests {
  @Test func theMannequinsPhoneFeelsGravityUpward() throws {
    let recording = try Recording(
      folder: DiskFolder(RealData.url("truedepth-mannequin/DepthFrames")))
    let samples = try recording.motion().samples
    #expect(samples.count == 306)
    #expect(recording.worldAxes == .zUp)
    let first = try #require(samples.first)
    #expect(first.timestampSeconds == 42678.99166975)
    // Values of the file: −(gravity + acceleration) · 9.80665.
    let force = try #require(first.specificForce)
    #expect(abs(force.y - (0.99354755878448486 + 0.029493212699890137) * 9.80665) < 1e-12)
    #expect(abs(force.x - (0.021895632147789001 - 0.1047050803899765) * 9.80665) < 1e-12)
    // Frames lie on the same clock.
    let times = recording.frames.compactMap(\.timestampSeconds)
    #expect(times.count == 90 && times == times.sorted())
    #expect(
      times.allSatisfy {
        (first.timestampSeconds - 1...(samples.last?.timestampSeconds ?? 0) + 1).contains($0)
      })
    for (sample, next) in zip(samples, samples.dropFirst()) {
      let attitude = try #require(sample.worldFromSensor)
      // At rest but for a slow turn: what is felt points up within the hand's own accelerations.
      let up = attitude * (sample.specificForce ?? .zero)
      #expect(up.z > 9 && up.z < 11)
      // The turn rate is that of the sensor's own axes, as far as 10 ms tell.
      let turned = (next.worldFromSensor ?? attitude).inverse * attitude
      let seconds = next.timestampSeconds - sample.timestampSeconds
      let rate =
        SIMD3(turned.z.y - turned.y.z, turned.x.z - turned.z.x, turned.y.x - turned.x.y)
        / (2 * seconds)
      let measured = try #require(next.rotationRate)
      let difference = rate - measured
      // Measured: 0.009 rad/s in the mean of the absolute components, while it turns at 0.27.
      #expect((difference * difference).sum().squareRoot() < 0.15)
    }
  }

  @Test(arguments: ["DepthEvalDataset", "FrontCamCalibrationDataset"])
  func theTabletsFeelGravityUpward(set: String) throws {
    for device in ["iPadPro12_4gen_iOS15", "iPadPro12_5gen_iOS15"] {
      let recording = try Recording(
        folder: DiskFolder(RealData.url("zeiss-truedepth/\(set)/\(device)")))
      let samples = try recording.motion().samples
      let forces = samples.compactMap(\.specificForce)
      #expect(!forces.isEmpty && samples.contains { $0.rotationRate != nil })
      let lengths = forces.map { ($0 * $0).sum().squareRoot() }.sorted()
      // A hand that stands still most of the time: one g within 3 %.
      #expect(abs(lengths[lengths.count / 2] - 9.80665) < 0.3, "\(lengths[lengths.count / 2])")
      #expect(
        zip(samples, samples.dropFirst()).allSatisfy { $0.timestampSeconds <= $1.timestampSeconds })
      #expect(recording.frames.allSatisfy { $0.timestampSeconds != nil })
    }
  }
}
