import PlumblineModel
import PlumblineReconstruction
import PlumblineRecordings
import Testing

@testable import Plumbline

/// The scale by what is known is that of the depths that are fused.
struct ScanScaleCheckTests {
  /// Stored depths z/(1 − bend · z) of the true z.
  static let bend = 0.02

  /// One frame of the scene with bent depths, as depths or as disparities, and its true depths.
  private static func bent(asDisparity: Bool) -> (Recording, truth: Raster<Float>) {
    let truth = ScanScene().depth(from: .identity, seed: 3).packed
    var stored = truth
    for pixel in stored.samples.indices {
      stored.samples[pixel] /= 1 - Float(bend) * stored.samples[pixel]
    }
    var capture = ScanScene.capture(stored, recorded: .identity, index: 0)
    if asDisparity {
      capture.depth?.values = .disparity(DepthMap(meters: stored).disparityMap)
    }
    return (ScanScene.recording([capture]), truth)
  }

  private static func reader(_ recording: Recording, bend: Double) throws -> ScanFrameReader {
    var settings = ScanSettings()
    settings.depthBendPerMeter = bend
    return try ScanFrameReader(recording, indices: [0], settings: settings)
  }

  @Test("A known distance is compared with the depth without its bend", arguments: [false, true])
  func distance(asDisparity: Bool) throws {
    let (recording, truth) = Self.bent(asDisparity: asDisparity)
    let meters = Double(truth[32, 24])
    let check = ScanScaleCheck(
      .distances([MeasuredDistance(at: .depth([32, 24]), meters: meters)], frame: "f0"))
    let asStored = try check.measure(Self.reader(recording, bend: 0), threads: 1)
    let asFused = try check.measure(Self.reader(recording, bend: Self.bend), threads: 1)
    // The bend lengthens a depth by bend · z of itself, to first order; rounding is 1e-7.
    #expect(abs(asStored.share - Self.bend * meters / (1 - Self.bend * meters)) < 1e-6)
    #expect(abs(asFused.share) < 1e-6)
  }

  @Test("Boards are measured on the depths that are fused", arguments: [false, true])
  func fusedDepths(asDisparity: Bool) throws {
    let (recording, truth) = Self.bent(asDisparity: asDisparity)
    let reader = try Self.reader(recording, bend: Self.bend)
    let record = try #require(try reader.fused.capture(at: 0).depth)
    let fused = try reader.frame(at: 0).depth.meters
    var reliable = 0
    for y in 0..<truth.size.height {
      for x in 0..<truth.size.width {
        let depth = try #require(record.storedDepth(at: [x, y]))
        // Rounding of two quotients in single precision: 1e-6 of the depth.
        #expect(abs(depth - Double(truth[x, y])) < 1e-6 * depth)
        // Pixels at the edges of spheres are not fused.
        guard fused[x, y].isFinite else { continue }
        reliable += 1
        #expect(abs(Double(fused[x, y]) - depth) < 1e-6 * depth)
      }
    }
    #expect(reliable > truth.size.pixelCount / 2)
  }
}
