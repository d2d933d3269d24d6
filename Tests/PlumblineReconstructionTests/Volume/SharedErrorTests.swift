import PlumblineGeometry
import PlumblineModel
import PlumblineSimulation
import Testing

@testable import PlumblineReconstruction

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The error that pixels of a frame share, in the mean of frames.
struct SharedErrorTests {
  /// One frame as a block sees it.
  private struct Frame {
    var sigma: Double
    var weight: Double
    var direction: SIMD3<Double>
    var seconds: Double?
    /// How far it is from the first one along the way: seconds, and turns of 0.1745.
    var place = 0.0
  }

  /// A camera that turns about a block, slower and faster, and waits.
  private static func frames(_ random: inout SeededGenerator, hasTimes: Bool) -> [Frame] {
    var frames: [Frame] = []
    var (angle, time, place) = (0.0, 0.0, 0.0)
    for _ in 0..<40 {
      let (turn, later) = (0.2 * random.uniform(), 0.5 * random.uniform())
      angle += turn
      time += later
      // A turn counts by its chord.
      if !frames.isEmpty { place += 2 * sin(turn / 2) / 0.1745 + (hasTimes ? later : 0) }
      frames.append(
        Frame(
          sigma: 0.002 + 0.008 * random.uniform(), weight: 1e5 * (1 + 20 * random.uniform()),
          direction: [cos(angle), sin(angle), 0], seconds: hasTimes ? time : nil, place: place))
    }
    return frames
  }

  private static func mean(_ frames: [Frame]) -> SharedErrorMean {
    var mean = SharedErrorMean()
    for frame in frames {
      mean.add(
        sigmaMeters: frame.sigma, weight: frame.weight, direction: frame.direction,
        seconds: frame.seconds)
    }
    return mean
  }

  @Test(arguments: [1, 2, 3], [true, false])
  func varianceIsThatOfAllPairs(seed: UInt64, hasTimes: Bool) {
    var random = SeededGenerator(seed: seed)
    let frames = Self.frames(&random, hasTimes: hasTimes)
    let (mean, weight) = (Self.mean(frames), frames.reduce(0) { $0 + $1.weight })
    var variance = 0.0
    for a in frames {
      for b in frames {
        let shares = a.weight * a.sigma * b.weight * b.sigma / (weight * weight)
        variance += shares * exp(-abs(a.place - b.place))
      }
    }
    let squares = frames.reduce(0) { $0 + $1.weight * $1.sigma * $1.sigma } / weight
    #expect(abs(mean.sharedVariance / squares - 1) < 1e-12)
    // Rounding of forty sums.
    #expect(abs(mean.sharedVariance / mean.views / variance - 1) < 1e-12)
  }

  @Test func viewsAreOneWhileNothingChangesAndManyLater() {
    let still = Frame(sigma: 0.004, weight: 1e6, direction: [0, 0, 1], seconds: 5)
    #expect(SharedErrorMean().views == 0)
    #expect(abs(Self.mean(Array(repeating: still, count: 50)).views - 1) < 1e-9)
    // Frames ten seconds apart agree by e⁻¹⁰.
    let apart = (0..<50).map { index in
      var frame = still
      frame.seconds = 10 * Double(index)
      return frame
    }
    #expect(abs(Self.mean(apart).views - 50) < 0.01)
    // A sensor without such an error has views all the same.
    let none = apart.map { frame in
      var frame = frame
      frame.sigma = 0
      return frame
    }
    #expect(abs(Self.mean(none).views - 50) < 0.01)
  }

  @Test func errorAlongTheAxisCountsAsFarAsItLiesAlongTheNormal() throws {
    // A plane that is seen at 60°: the axis has half of its length along the normal.
    let normal = SIMD3(0.866_025_4, 0, 0.5)
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: 0.02))
    try volume.integrate(
      SceneFrames.frame(shared: SigmaCurve(constantMeters: 0.006)) { 0.5 / ($0 * normal).sum() },
      worldFromCamera: .identity, threads: 1)
    let surface = try volume.surface(threads: 1)
    var checked = 0
    for (place, shared) in zip(surface.mesh.positions, surface.errors.sharedMeters)
    where place.z < 1.2 {
      // n · (x/z, y/z, 1) = 0.5/z of 6 mm; one number for a block of 0.16 m, whose ends differ by up to 20 %.
      #expect(abs(shared / (0.006 * 0.5 / place.z) - 1) < 0.2)
      checked += 1
    }
    #expect(checked > 300)
    #expect(surface.errors.views.allSatisfy { abs($0 - 1) < 1e-6 })
  }
}
