internal import CKernels
internal import PlumblineModel

/// Removes surfaces of few pixels: islands that no neighbor confirms.
///
/// Two of the four neighbors belong to one surface when they are less than a step apart; a surface
/// is all that is linked so. Where steps are larger, such as on a steeply leaning floor far away,
/// a surface falls apart: choose the step with that in mind.
/// - Source: connected components by run lengths and union-find; what `cv2.filterSpeckles` does
///   with one limit for all depths.
package struct SpeckleRemoval: DepthFilter, Hashable {
  /// The least number of pixels of a surface that stays.
  package var minimumPixels: Int
  /// The step in depth that separates two surfaces.
  package var step: DepthStep
  /// `speckles-removed`.
  package let name = ProvenanceStep.Kind.specklesRemoved.rawValue
  /// `false`.
  package var needsColor: Bool { false }

  /// Creates the filter.
  package init(minimumPixels: Int = 50, step: DepthStep = DepthStep(sigmas: 5, share: 0.02)) {
    self.minimumPixels = minimumPixels
    self.step = step
  }

  /// Removes the islands; O(*n*).
  ///
  /// - Precondition: The map has fewer than 2³¹ pixels.
  package func apply(to frame: inout DepthFrame) -> DepthFilterReport {
    let (width, height) = (frame.size.width, frame.size.height)
    let count = frame.size.pixelCount
    precondition(count < Int(Int32.max), "\(frame.size) has too many pixels")
    guard count > 0 else { return frame.finish(name, "an empty map") }
    let inverse = InverseDepth(frame, step)
    let links = [UInt8](unsafeUninitializedCapacity: count) { links, initialized in
      initialized = count
      inverse.values.withUnsafeBufferPointer { values in
        inverse.steps.withUnsafeBufferPointer { steps in
          guard let values = values.baseAddress, let steps = steps.baseAddress,
            let links = links.baseAddress
          else { return }
          for y in 0..<height {
            let start = y * width
            plb_filter_links(
              values + start, values + max(start - width, 0), steps + start, width, links + start)
          }
        }
      }
    }
    var labels = [Int32](repeating: 0, count: 2 * width)
    let runs = [plb_filter_run](unsafeUninitializedCapacity: count) { runs, initialized in
      guard let runs = runs.baseAddress else { return }
      initialized = Int(plb_filter_runs(links, Int32(width), Int32(height), &labels, runs))
    }
    frame.depth.meters.samples.withUnsafeMutableBufferPointer { depth in
      for run in runs where run.size < minimumPixels {
        for index in Int(run.start)..<Int(run.start + run.count) { depth[index] = .nan }
      }
    }
    return frame.finish(
      name, "fewer than \(minimumPixels) px within steps of \(step.words)")
  }
}
