package import PlumblineModel

/// One pixel of a frame J that a frame I sees too: what both say of the depth along the axis of I.
package struct OverlapSample: Hashable, Sendable {
  /// The depth that J measured, along its own axis, in meters.
  package var depthInJ: Double
  /// The share of that depth that counts along the axis of I: `(R_ij · ray).z`, the ray with z = 1.
  package var axialShare: Double
  /// What the path adds along the axis of I: the z of `iFromJ`'s translation, in meters.
  package var pathMeters: Double
  /// The depth that I measured there, in meters.
  package var depthInI: Double

  /// Collects a sample.
  package init(depthInJ: Double, axialShare: Double, pathMeters: Double, depthInI: Double) {
    self.depthInJ = depthInJ
    self.axialShare = axialShare
    self.pathMeters = pathMeters
    self.depthInI = depthInI
  }

  /// How much farther J puts the point than I does, along the axis of I, in meters.
  package var differenceMeters: Double { depthInJ * axialShare + pathMeters - depthInI }
}

/// The pixels of two frames that see the same surface.
package enum FrameOverlap {
  /// A difference beyond which two pixels see different surfaces: 0.3 m, as measured on a LiDAR recording.
  package static let limitMeters = 0.3

  /// The samples of every `stride`-th pixel of J in each direction, row after row.
  ///
  /// A pixel takes part where its own noise is known; the one of I is read between its four neighbors, in inverse
  /// depth, where all four take part and differ by less than 5 % (no edge). Linear in the pixels.
  /// - Parameters:
  ///   - j: The frame whose pixels are carried over.
  ///   - i: The frame that they are compared with.
  ///   - iFromJ: The motion between the cameras.
  ///   - stride: The step between pixels.
  /// - Returns: The samples, among them those beyond ``limitMeters``.
  /// - Precondition: A stride above 0.
  package static func samples(
    of j: ScanFrame, in i: ScanFrame, iFromJ: RigidTransform, stride: Int
  ) -> [OverlapSample] {
    precondition(stride > 0, "a stride of \(stride)")
    var samples: [OverlapSample] = []
    for y in Swift.stride(from: 0, to: j.depth.size.height, by: stride) {
      for x in Swift.stride(from: 0, to: j.depth.size.width, by: stride) {
        guard let depth = measured(j, x, y) else { continue }
        let ray = j.camera.unproject([Double(x), Double(y)], depth: 1)
        let pointInI = iFromJ * (ray * depth)
        guard pointInI.z > 0, let seen = between(i, i.camera.project(pointInI)) else { continue }
        samples.append(
          OverlapSample(
            depthInJ: depth, axialShare: (iFromJ.rotation * ray).z,
            pathMeters: iFromJ.translation.z, depthInI: seen))
      }
    }
    return samples
  }

  private static func measured(_ frame: ScanFrame, _ x: Int, _ y: Int) -> Double? {
    let noise = frame.noiseMeters[x, y]
    let depth = Double(frame.depth.meters[x, y])
    return noise.isFinite && noise > 0 && depth > 0 && depth.isFinite ? depth : nil
  }

  private static func between(_ frame: ScanFrame, _ pixel: SIMD2<Double>) -> Double? {
    let size = frame.depth.size
    guard pixel.x >= 0, pixel.y >= 0, pixel.x < Double(size.width - 1),
      pixel.y < Double(size.height - 1)
    else { return nil }
    let (x, y) = (Int(pixel.x), Int(pixel.y))
    guard let a = measured(frame, x, y), let b = measured(frame, x + 1, y),
      let c = measured(frame, x, y + 1), let d = measured(frame, x + 1, y + 1),
      max(a, b, c, d) < 1.05 * min(a, b, c, d)
    else { return nil }
    let (u, v) = (pixel.x - Double(x), pixel.y - Double(y))
    return 1 / ((1 - v) * ((1 - u) / a + u / b) + v * ((1 - u) / c + u / d))
  }
}
