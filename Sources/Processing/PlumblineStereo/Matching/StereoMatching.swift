import PlumblineModel

/// One run of a matcher over one pair.
struct StereoMatching {
  let matcher: StereoMatcher
  let pair: RectifiedPair
  let threads: Int

  func match(in workspace: inout MatchingWorkspace) -> StereoMatch {
    let size = pair.size
    guard size.pixelCount > 0 else {
      return StereoMatch(
        disparity: PixelDisparityMap(pixels: Raster(size: size, samples: [])),
        sigmaPixels: Raster(size: size, samples: []), removed: StereoMatch.Removals())
    }
    var removed = StereoMatch.Removals()
    var disparity = [Float](repeating: .nan, count: size.pixelCount)
    var sigma = disparity
    disparity.withUnsafeMutableBufferPointer { disparity in
      sigma.withUnsafeMutableBufferPointer { sigma in
        if let values = disparity.baseAddress, let sigmas = sigma.baseAddress {
          removed = fill(values, sigmas, in: &workspace)
        }
      }
    }
    return StereoMatch(
      disparity: PixelDisparityMap(pixels: Raster(size: size, samples: disparity)),
      sigmaPixels: Raster(size: size, samples: sigma), removed: removed)
  }

  /// Writes disparities and their ±; returns how many pixels were removed and why.
  private func fill(
    _ disparity: UnsafeMutablePointer<Float>, _ sigma: UnsafeMutablePointer<Float>,
    in workspace: inout MatchingWorkspace
  ) -> StereoMatch.Removals {
    let (width, height) = (pair.size.width, pair.size.height)
    let frontal = MatchingMemory<Float>(unwritten: width * height)
    var removed = chooseDisparities(disparity, ratios: sigma, frontal: frontal.base, in: &workspace)
    workspace.release()
    removed.speckles = SpeckleRemoval.apply(
      to: disparity, width: width, height: height, leastPixels: matcher.speckleLeastPixels,
      step: matcher.speckleStepPixels)
    if matcher.smoothingRadiusPixels > 0 {
      let facing = facingSurfaces(frontal, where: disparity)
      SurfaceSmoothing(
        width: width, height: height, radiusPixels: matcher.smoothingRadiusPixels,
        disparities: matcher.disparities
      ).apply(to: disparity, ratios: sigma, threads: threads)
      facing.correct(disparity, sigma: sigma, threads: threads)
    } else {
      writeUnsmoothed(sigma, where: disparity)
    }
    if matcher.comparesAcrossEdges {
      SurfaceEdges(pair: pair).choose(disparity, sigma: sigma, threads: threads)
    }
    return removed
  }

  /// Averages the changes of surfaces that face the cameras, and frees the map of them.
  private func facingSurfaces(
    _ changes: consuming MatchingMemory<Float>, where disparity: UnsafeMutablePointer<Float>
  ) -> FacingSurfaces {
    FacingSurfaces(
      changes.base, where: disparity, width: pair.size.width, height: pair.size.height)
  }

  /// Chooses each pixel's disparity, and writes it with its ratio and what frontal surfaces add to it;
  /// returns how many pixels got none and why.
  private func chooseDisparities(
    _ disparity: UnsafeMutablePointer<Float>, ratios: UnsafeMutablePointer<Float>,
    frontal: UnsafeMutablePointer<Float>, in workspace: inout MatchingWorkspace
  ) -> StereoMatch.Removals {
    let (width, height) = (pair.size.width, pair.size.height)
    let (left, right) = (pair.left.packed.samples, pair.right.packed.samples)
    var rows = [StereoMatch.Removals](repeating: .init(), count: height)
    left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in
        rows.withUnsafeMutableBufferPointer { rows in
          guard let gray = left.baseAddress, let right = right.baseAddress,
            let rows = rows.baseAddress
          else { return }
          let cost = MatchingCost(
            left: FeatureSource(gray: gray, width: width, height: height),
            right: FeatureSource(gray: right, width: width, height: height), width: width,
            height: height, disparities: matcher.disparities)
          let selection = DisparitySelection(
            matcher: matcher, size: pair.size, lanes: cost.lanes, leftCoverage: pair.leftCoverage,
            rightCoverage: pair.rightCoverage)
          let aggregation = PathAggregation(
            cost: cost, penalties: PathPenalties(matcher), paths: matcher.paths, gray: gray,
            threads: threads, within: matcher.memoryBytes)
          nonisolated(unsafe) let (target, sigmas, results) = (disparity, ratios, rows)
          nonisolated(unsafe) let changes = frontal
          aggregation.run(in: &workspace) { range, place in
            nonisolated(unsafe) let place = place
            forEachPart(of: range, threads: threads) { part in
              let room = DisparitySelection.Room(width: width, lanes: selection.lanes)
              for y in part {
                results[y] = selection.choose(
                  row: y, sums: place(y), room: room, disparity: target + y * width,
                  ratios: sigmas + y * width, frontal: changes + y * width)
              }
            }
          }
        }
      }
    }
    return rows.reduce(into: StereoMatch.Removals()) { removed, row in
      removed.uncovered += row.uncovered
      removed.ambiguous += row.ambiguous
      removed.inconsistent += row.inconsistent
    }
  }

  /// Turns ratios into the ± of disparities that are not smoothed; NaN where there is none.
  private func writeUnsmoothed(
    _ sigma: UnsafeMutablePointer<Float>, where disparity: UnsafeMutablePointer<Float>
  ) {
    let (width, height) = (pair.size.width, pair.size.height)
    let curve = NeighborhoodMeans(
      of: sigma, where: disparity, width: width, height: height,
      whenNone: MatchingSigma.mostRatio)
    for y in 0..<height {
      let row = sigma + y * width, known = disparity + y * width
      curve.write(row: y, to: row)
      for x in 0..<width {
        row[x] = known[x].isNaN ? .nan : MatchingSigma.unsmoothed(ratio: row[x])
      }
    }
  }
}
