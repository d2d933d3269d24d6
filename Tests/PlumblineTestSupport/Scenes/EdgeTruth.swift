package import PlumblineModel
package import PlumblineSimulation

/// A simulated portrait as a phone stores it, and how much of each pixel its subject really covers.
///
/// The map is that of a phone: some five pixels of the image are one cell, cells are means over two and
/// a half of them, edges are off by some pixels, and neither hair nor glasses are in it.
package struct EdgeTruth: Sendable {
  /// A kind of edge.
  package enum Part: String, Sendable, CaseIterable {
    case hair, glasses, cheek
  }

  /// How far a zone reaches around its pixels, in pixels.
  private static let reach = 4
  /// How far the map is off, in pixels of the image.
  private static let offset = SIMD2(1.5, -1.0)

  /// The image and the map.
  package let capture: Capture
  /// The share of each pixel that the subject covers, 0 to 1.
  package let coverage: Raster<Float>
  /// The indices of the pixels of each part, in rows.
  package let zones: [Part: [Int]]
  /// The camera of the image.
  package let camera: SimulatedCamera
  /// What is seen.
  package let scene: SimulatedScene
  /// Pixels of the image that a cell of the map is wide.
  package let cell: Double

  /// Traces the truth.
  ///
  /// - Parameters:
  ///   - side: Rows of the image, which is upright.
  ///   - cell: Pixels of the image that a cell of the map is wide.
  ///   - rays: Rays for each pixel of the image; the coverage has 64.
  ///   - threads: How many threads may work; the result does not depend on it.
  /// - Returns: The truth. Cost: O(pixels · rays · surfaces).
  package static func traced(
    side: Int, cell: Double, rays: Int, threads: Int
  ) -> EdgeTruth {
    let scene = SimulatedScene.portraitWithHair()
    let size = RasterSize(width: side * 3 / 4, height: side)
    let focal = Double(side) * 26 / 36
    let intrinsics = PinholeIntrinsics(
      focalLength: [focal, focal],
      principalPoint: SIMD2(Double(size.width) - 1, Double(size.height) - 1) / 2, size: size)
    let camera = SimulatedCamera(calibration: CameraCalibration(intrinsics: intrinsics))
    let image = ThinLensCamera(camera, apertureMeters: 0, focusMeters: 1, samples: rays)
      .image(of: scene, seed: 7, threads: threads)
    let hits = surfaces(of: scene, camera, threads: threads)
    var capture = Capture(source: CaptureSource())
    capture.color = image
    capture.colorSize = size
    capture.depth = DepthRecord(
      values: .disparity(DisparityMap(inverseMeters: map(camera, cell: cell, threads: threads))),
      storedType: "fdis", accuracy: .absolute)
    capture.depth?.calibration = CameraCalibration(intrinsics: intrinsics)
    return EdgeTruth(
      capture: capture, coverage: Raster(size: size, samples: hits.map(\.covered)),
      zones: zones(hits, size, below: camera.pixel(of: [0, 0.06, 0.44]).y), camera: camera,
      scene: scene, cell: cell)
  }

  /// How much of a pixel each part covers.
  private struct PixelHits {
    var covered: Float = 0
    var hair: Float = 0
    var glasses: Float = 0
  }

  private static func surfaces(
    of scene: SimulatedScene, _ camera: SimulatedCamera, threads: Int
  ) -> [PixelHits] {
    let size = camera.size
    let bust = SimulatedScene.bustSurfaces
    let first = SimulatedScene.portrait(of: .first).surfaces.count
    let strands = first..<first + SimulatedScene.strandCount
    return [PixelHits](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
      nonisolated(unsafe) let result = buffer
      forEachConcurrently(size.height, threads: threads) { y in
        for x in 0..<size.width {
          var found = PixelHits()
          for sample in 0..<64 {
            let (column, row) = (Double(sample % 8), Double(sample / 8))
            let point = SIMD2(Double(x) + (column - 3.5) / 8, Double(y) + (row - 3.5) / 8)
            guard let hit = scene.firstHit(of: camera.ray(through: point)) else { continue }
            if strands.contains(hit.surface) {
              found.hair += 1 / 64
            } else if hit.surface >= strands.upperBound {
              found.glasses += 1 / 64
            } else if bust.contains(hit.surface) {
              found.covered += 1 / 64
            }
          }
          found.covered += found.hair + found.glasses
          result.initializeElement(at: y * size.width + x, to: found)
        }
      }
      count = size.pixelCount
    }
  }

  private static func map(_ camera: SimulatedCamera, cell: Double, threads: Int) -> Raster<Float> {
    let scene = SimulatedScene.portrait(of: .first)
    let size = RasterSize(
      width: Int((Double(camera.size.width) / cell).rounded()),
      height: Int((Double(camera.size.height) / cell).rounded()))
    let steps = 6
    let samples = [Float](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
      nonisolated(unsafe) let result = buffer
      forEachConcurrently(size.height, threads: threads) { y in
        for x in 0..<size.width {
          var sum = 0.0
          for sample in 0..<steps * steps {
            let place = SIMD2(Double(sample % steps), Double(sample / steps)) + 0.5
            let off = (place / Double(steps) - 0.5) * 2.5 + SIMD2(Double(x), Double(y)) + 0.5
            let scale = SIMD2(
              Double(camera.size.width) / Double(size.width),
              Double(camera.size.height) / Double(size.height))
            let ray = camera.ray(through: off * scale - 0.5 + offset)
            sum += scene.firstHit(of: ray).map { 1 / $0.parameter } ?? 0
          }
          result.initializeElement(
            at: y * size.width + x, to: Float(sum / Double(steps * steps)))
        }
      }
      count = size.pixelCount
    }
    return Raster(size: size, samples: samples)
  }

  private static func zones(
    _ hits: [PixelHits], _ size: RasterSize, below limit: Double
  ) -> [Part: [Int]] {
    func near(_ isSource: (Int) -> Bool) -> Set<Int> {
      var found: Set<Int> = []
      for index in hits.indices where isSource(index) {
        let (x, y) = (index % size.width, index / size.width)
        for row in max(y - reach, 0)...min(y + reach, size.height - 1) {
          for column in max(x - reach, 0)...min(x + reach, size.width - 1) {
            found.insert(row * size.width + column)
          }
        }
      }
      return found
    }
    // A rim before the face is no edge between subject and background.
    func isOnEdge(_ index: Int) -> Bool {
      let (x, y) = (index % size.width, index / size.width)
      return (max(y - 2, 0)...min(y + 2, size.height - 1)).contains { row in
        (max(x - 2, 0)...min(x + 2, size.width - 1)).contains { column in
          hits[row * size.width + column].covered < 0.98
        }
      }
    }
    let hair = near { hits[$0].hair > 0.05 }
    let glasses = near { hits[$0].glasses > 0.05 && isOnEdge($0) }.subtracting(hair)
    let edges = near {
      hits[$0].covered > 0.02 && hits[$0].covered < 0.98 && Double($0 / size.width) < limit
    }
    return [
      .hair: hair.sorted(), .glasses: glasses.sorted(),
      .cheek: edges.subtracting(hair).subtracting(glasses).sorted(),
    ]
  }
}

extension EdgeTruth {
  /// How much of each pixel a prepared photo says that the subject covers.
  ///
  /// - Parameters:
  ///   - disparity: Of each pixel, in 1/m.
  ///   - edges: How much of a pixel the nearer of two surfaces covers, of 255, where both share it.
  /// - Returns: The shares, 0 to 1. Cost: O(pixels of edges · cells²).
  package func coverage(disparity: Raster<Float>, edges: Raster<UInt8>?) -> Raster<Float> {
    // Between the bust, at some 2.3 1/m, and the wall, at 0.9.
    let middle: Float = 1.5
    return Raster(size: disparity.size) { x, y in
      let level = edges?[x, y] ?? 0
      // A level may be of another step; the subject's own edge is looked for within three cells of its step.
      if level > 0 && level < 255 && hasBoth(disparity, x, y, middle) { return Float(level) / 255 }
      return disparity[x, y] > middle ? 1 : 0
    }
  }

  /// Whether both the subject and the background lie within three cells of a pixel.
  private func hasBoth(_ disparity: Raster<Float>, _ x: Int, _ y: Int, _ middle: Float) -> Bool {
    let reach = Int((3 * cell).rounded())
    var (isNear, isFar) = (false, false)
    for row in max(y - reach, 0)...min(y + reach, disparity.height - 1) {
      for column in max(x - reach, 0)...min(x + reach, disparity.width - 1) {
        if disparity[column, row] > middle { isNear = true } else { isFar = true }
      }
      if isNear && isFar { return true }
    }
    return false
  }

  /// The indices of the pixels within some pixels of one that the subject covers partly, in rows.
  package func outline(within reach: Int) -> [Int] {
    let size = coverage.size
    var isNear = [Bool](repeating: false, count: size.pixelCount)
    for index in isNear.indices
    where coverage.samples[index] > 0.02 && coverage.samples[index] < 0.98 {
      let (x, y) = (index % size.width, index / size.width)
      for row in max(y - reach, 0)...min(y + reach, size.height - 1) {
        for column in max(x - reach, 0)...min(x + reach, size.width - 1)
        where (row - y) * (row - y) + (column - x) * (column - x) <= reach * reach {
          isNear[row * size.width + column] = true
        }
      }
    }
    return isNear.indices.filter { isNear[$0] }
  }

  /// The mean absolute error of a coverage in a part, of 1, and that of its gradient, of 1 per pixel.
  package func error(
    of found: Raster<Float>, in part: Part
  ) -> (absolute: Double, gradient: Double) {
    error(of: found, at: zones[part] ?? [])
  }

  /// The same at some pixels, by their indices.
  package func error(
    of found: Raster<Float>, at zone: [Int]
  ) -> (absolute: Double, gradient: Double) {
    let (width, height) = (coverage.width, coverage.height)
    func gradient(_ raster: Raster<Float>, _ x: Int, _ y: Int) -> SIMD2<Float> {
      SIMD2(
        raster[min(x + 1, width - 1), y] - raster[max(x - 1, 0), y],
        raster[x, min(y + 1, height - 1)] - raster[x, max(y - 1, 0)]) / 2
    }
    var sums = SIMD2<Double>.zero
    for index in zone {
      let (x, y) = (index % width, index / width)
      let off = gradient(found, x, y) - gradient(coverage, x, y)
      sums += SIMD2(
        Double(abs(found[x, y] - coverage[x, y])), Double((off * off).sum().squareRoot()))
    }
    let mean = sums / Double(max(zone.count, 1))
    return (mean.x, mean.y)
  }
}
