internal import CKernels
internal import PlumblineModel
internal import PlumblineNumerics

/// The normal equations of one step, summed over points in a fixed order.
struct TrackingSums {
  /// Σ w·J·Jᵀ: the rotation of the camera about its own axes first, then its translation.
  var information = SymmetricMatrix(count: 6)
  /// Σ w·J·Kᵀ, K being J of the frame's own normals: the information that both of two independent normals confirm.
  var confirmed = SymmetricMatrix(count: 6)
  /// Σ w·J·r.
  var gradient = [Double](repeating: 0, count: 6)
  /// Σ w·r² and Σ w.
  var cost = 0.0
  var weight = 0.0
  /// The points that meet a surface, and those of them with a weight.
  var seen = 0
  var used = 0
  /// The residuals of all points whose normals agree with the surface, by |r|/σ; the last bin is open.
  var bins = [Int](repeating: 0, count: Int(PLB_TRACKING_BINS))

  /// Points are summed in chunks of this many, and the chunks in order.
  static let chunk = 1024

  /// Sums over the first points.
  ///
  /// - Parameters:
  ///   - points: The points of a frame.
  ///   - count: How many of them.
  ///   - view: The surface.
  ///   - step: Where the points are, and their weights.
  ///   - residuals: Gets a residual in meters for each point; empty for none.
  ///   - threads: The result does not depend on it.
  /// - Returns: The sums; all 0 without points.
  static func of(
    _ points: TrackedPoints, count: Int, against view: SurfaceView, step: TrackingStep,
    residuals: UnsafeMutableBufferPointer<Float> = UnsafeMutableBufferPointer(start: nil, count: 0),
    threads: Int
  ) -> TrackingSums {
    let chunks = (count + chunk - 1) / chunk
    var parts = [plb_tracking_sums](repeating: plb_tracking_sums(), count: chunks)
    parts.withUnsafeMutableBufferPointer { parts in
      points.values.withUnsafeBufferPointer { values in
        view.withKernelView(step) { kernel in
          guard let partBase = parts.baseAddress, let base = values.baseAddress else { return }
          let residualBase = residuals.baseAddress
          // A thread takes eight chunks: about 0.1 ms.
          let each = 8
          forEachConcurrently((chunks + each - 1) / each, threads: threads) { group in
            for index in group * each..<min(chunks, (group + 1) * each) {
              withUnsafePointer(to: kernel) {
                plb_tracking_accumulate(
                  $0, base, points.capacity, index * chunk, min(count, (index + 1) * chunk),
                  partBase + index, residualBase)
              }
            }
          }
        }
      }
    }
    var sums = TrackingSums()
    for part in parts { sums.add(part) }
    return sums
  }

  private mutating func add(_ part: plb_tracking_sums) {
    withUnsafeBytes(of: part.information) { information.add(triangle: $0) }
    withUnsafeBytes(of: part.confirmed) { confirmed.add(triangle: $0) }
    withUnsafeBytes(of: part.gradient) { bytes in
      for (index, value) in bytes.bindMemory(to: Double.self).enumerated() {
        gradient[index] += value
      }
    }
    withUnsafeBytes(of: part.bins) { bytes in
      for (index, value) in bytes.bindMemory(to: UInt32.self).enumerated() {
        bins[index] += Int(value)
      }
    }
    cost += part.cost
    weight += part.weight
    seen += Int(part.seen)
    used += Int(part.used)
  }

  /// The normal equations.
  var equations: PoseEquations {
    PoseEquations(information: information, confirmed: confirmed, gradient: gradient)
  }

  /// The median of |r|/σ by the bins, linear within one; `nil` without a residual.
  var medianSigmas: Double? {
    let total = bins.reduce(0, +)
    guard total > 0 else { return nil }
    var below = 0
    for (index, count) in bins.enumerated() {
      if 2 * (below + count) >= total {
        let part = (Double(total) / 2 - Double(below)) / Double(count)
        return (Double(index) + part) / Double(PLB_TRACKING_BINS_PER_SIGMA)
      }
      below += count
    }
    return nil
  }
}

extension SymmetricMatrix {
  /// Adds an upper triangle of numbers, row after row.
  fileprivate mutating func add(triangle bytes: UnsafeRawBufferPointer) {
    let values = bytes.bindMemory(to: Double.self)
    var index = 0
    for row in 0..<count {
      for column in row..<count {
        self[row, column] += values[index]
        if column != row { self[column, row] += values[index] }
        index += 1
      }
    }
  }
}

/// Where the points are put, and how they are weighted.
struct TrackingStep {
  var viewFromCamera: RigidTransform
  var cosine: Double
  var coarseShare: Double
  var cutoff: Double
}

extension SurfaceView {
  /// The view as the kernel takes it.
  fileprivate func withKernelView(_ step: TrackingStep, _ body: (plb_tracking_view) -> Void) {
    depth.meters.samples.withUnsafeBufferPointer { depths in
      normals.samples.withUnsafeBytes { normalBytes in
        sigmaMeters.samples.withUnsafeBufferPointer { sigmas in
          guard let depthBase = depths.baseAddress, let sigmaBase = sigmas.baseAddress,
            let normalBase = normalBytes.bindMemory(to: Float.self).baseAddress
          else { return }
          let r = step.viewFromCamera.rowMajor.map(Float.init)
          body(
            plb_tracking_view(
              depth: depthBase, normals: normalBase, sigma: sigmaBase,
              depth_stride: depth.meters.rowStride, normal_stride: normals.rowStride,
              sigma_stride: sigmaMeters.rowStride, width: Int32(depth.size.width),
              height: Int32(depth.size.height), focal_x: Float(camera.focalLength.x),
              focal_y: Float(camera.focalLength.y), principal_x: Float(camera.principalPoint.x),
              principal_y: Float(camera.principalPoint.y),
              rotation: (r[0], r[1], r[2], r[4], r[5], r[6], r[8], r[9], r[10]),
              translation: (r[3], r[7], r[11]), cosine: Float(step.cosine),
              coarse_share: Float(step.coarseShare), cutoff: Float(step.cutoff)))
        }
      }
    }
  }
}
