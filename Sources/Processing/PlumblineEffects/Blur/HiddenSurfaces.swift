internal import CKernels
internal import PlumblineModel

/// What lies behind the edges of a photo, on a grid of cells: what the lens sees past them.
///
/// From each edge, light and disparity of the farther side grow under the nearer one, cell by cell,
/// each new cell the mean of the neighbors that are known: no streaks, and never a nearer color.
/// Cells where two surfaces or a matte's soft edge mix are sources of nothing.
struct HiddenSurfaces {
  /// Radii that differ by more pixels are those of two surfaces.
  static let gapPixels = 0.75

  /// The size of a cell is 2 to this power, in pixels.
  let level: Int
  /// The number of cells.
  let size: RasterSize
  /// The least disparity in each cell.
  var least: [Float]
  /// The largest disparity in each cell.
  var most: [Float]
  /// The hidden surface's disparity; NaN where nothing is hidden.
  var behind: [Float]
  /// Its light, and 1; 0 where nothing is hidden.
  var light: [SIMD4<Float>]
  /// The light of the nearer surface in cells that a matte's soft edge or two surfaces share, and 1; 0
  /// elsewhere.
  var front: [SIMD4<Float>]
  /// The nearest disparity around a cell that a matte's edge goes through, or that is beside one; −∞
  /// elsewhere.
  var near: [Float]

  /// The largest radius in the photo, in pixels.
  var largestRadius = 0.0

  /// A grid on which nothing is hidden.
  private init(_ photo: RasterSize) {
    let longer = max(photo.width, photo.height)
    level = longer >= 2000 ? 3 : longer >= 1000 ? 2 : 1
    let side = 1 << level
    size = RasterSize(
      width: (photo.width + side - 1) / side, height: (photo.height + side - 1) / side)
    least = [Float](repeating: 0, count: size.pixelCount)
    most = least
    near = []
    behind = [Float](repeating: .nan, count: size.pixelCount)
    light = [SIMD4<Float>](repeating: .zero, count: size.pixelCount)
    front = light
  }

  /// Finds what is hidden in a photo.
  ///
  /// - Parameters:
  ///   - scene: The photo, without padding.
  ///   - matte: Of the subject, of the photo's size.
  ///   - law: How disparities blur.
  ///   - largest: The largest radius, in pixels.
  ///   - linear: The light of each code, 0 to 1.
  ///   - threads: How many threads may work.
  /// - Returns: The grid. Cost: O(pixels), and O(cells) for each cell that the largest blur is wide.
  static func found(
    in scene: EffectScene, matte: Raster<UInt8>?, law: BlurLaw, largest: Double,
    linear: [Float], threads: Int
  ) -> HiddenSurfaces {
    var result = HiddenSurfaces(scene.color.size)
    result.findExtremes(of: scene, threads: threads)
    func radius(_ disparity: Float) -> Double {
      let radius = law.pixelsPerDisparity * (Double(disparity) - law.focus)
      return min(max(radius, -largest), largest)
    }
    let farthest = radius(result.least.min() ?? 0)
    let nearest = radius(result.most.max() ?? 0)
    result.largestRadius = max(abs(farthest), abs(nearest))
    guard nearest - farthest > gapPixels else { return result }
    // A surface is seen past an edge by the blur of what lies before it, and blurs over its own.
    let side = Double(1 << result.level)
    result.grow(
      scene, matte, gap: Float(gapPixels / law.pixelsPerDisparity),
      rounds: Int((2 * result.largestRadius / side).rounded(.up)) + 1, linear: linear)
    return result
  }

  /// The least and the largest disparity of each cell.
  private mutating func findExtremes(of scene: EffectScene, threads: Int) {
    let (photo, grid, level) = (scene.color.size, size, level)
    let missing: Float = -1e30
    least.withUnsafeMutableBufferPointer { least in
      most.withUnsafeMutableBufferPointer { most in
        scene.disparity.samples.withUnsafeBufferPointer { disparity in
          guard let least = least.baseAddress, let most = most.baseAddress,
            let disparity = disparity.baseAddress
          else { return }
          nonisolated(unsafe) let all = (least, most, disparity)
          forEachConcurrently(grid.height, threads: threads) { row in
            let first = row << level
            plb_blur_extremes(
              all.2 + first * photo.width, photo.width, Int32(photo.width),
              Int32(min(1 << level, photo.height - first)), Int32(1 << level), missing,
              all.0 + row * grid.width, all.1 + row * grid.width)
          }
        }
      }
    }
    near = most
  }

  /// Finds what is hidden, and spreads the nearest disparities along a matte's soft edge.
  private mutating func grow(
    _ scene: EffectScene, _ matte: Raster<UInt8>?, gap: Float, rounds: Int, linear: [Float]
  ) {
    let soft = matte.map { softCells($0) }
    // Mixed cells, and those beside what is nearer, whose colors the lens mixed already.
    var impure = soft ?? [Bool](repeating: false, count: size.pixelCount)
    let wanting = wantingCells(&impure, gap: gap)
    let visible = visibleLights(of: scene, beside: wanting, impure: impure, linear)
    let sides = sideLights(of: scene, matte, soft, linear)
    fill(
      wanting, from: visible, or: sides.far, impure: impure, gap: gap, rounds: rounds)
    guard let soft else { return }
    growNear(over: soft, gap: gap)
    growFront(over: wanting.filter { impure[$0] }, from: visible, or: sides.near)
  }

  /// The cells behind or beside an edge; those beside what is nearer become impure.
  private func wantingCells(_ impure: inout [Bool], gap: Float) -> [Int] {
    let neighbors = CellNeighbors(size)
    var wanting: [Int] = []
    for cell in 0..<size.pixelCount {
      var isWanting = impure[cell]
      neighbors.forEach(of: cell) { neighbor in
        if most[neighbor] - least[cell] > gap {
          impure[cell] = true
          isWanting = true
        }
        if most[cell] - least[neighbor] > gap { isWanting = true }
      }
      if isWanting { wanting.append(cell) }
    }
    return wanting
  }

  /// The lights of the pure cells beside wanting ones, where alone they are wanted; 0 elsewhere.
  private func visibleLights(
    of scene: EffectScene, beside wanting: [Int], impure: [Bool], _ linear: [Float]
  ) -> [SIMD4<Float>] {
    let neighbors = CellNeighbors(size)
    var visible = [SIMD4<Float>](repeating: .zero, count: size.pixelCount)
    for cell in wanting {
      neighbors.forEach(of: cell) { neighbor in
        guard visible[neighbor].w == 0, !impure[neighbor] else { return }
        visible[neighbor] = meanLight(scene, neighbor, linear)
      }
    }
    return visible
  }

  /// Grows light and disparity of the farther side under the nearer one, so many cells far.
  private mutating func fill(
    _ cells: [Int], from visible: [SIMD4<Float>], or own: [SIMD4<Float>], impure: [Bool],
    gap: Float, rounds: Int
  ) {
    // What a cell shows of the farther surface is better known than what its neighbors say.
    for cell in cells where own[cell].w > 0 {
      (behind[cell], light[cell]) = (least[cell], own[cell])
    }
    var wanting = cells.filter { own[$0].w == 0 }
    var queued = [Bool](repeating: false, count: size.pixelCount)
    for cell in cells { queued[cell] = true }
    for _ in 0..<rounds where !wanting.isEmpty {
      let (found, next) = hiddenCells(
        of: wanting, from: visible, impure: impure, gap: gap, &queued)
      for (cell, depth, sum) in found {
        behind[cell] = depth
        light[cell] = sum
      }
      wanting = next
    }
  }

  /// The cells of one round that something is known beside, and those of the next round.
  private func hiddenCells(
    of wanting: [Int], from visible: [SIMD4<Float>], impure: [Bool], gap: Float,
    _ queued: inout [Bool]
  ) -> (found: [(cell: Int, behind: Float, light: SIMD4<Float>)], next: [Int]) {
    let neighbors = CellNeighbors(size)
    var found: [(cell: Int, behind: Float, light: SIMD4<Float>)] = []
    var next: [Int] = []
    for cell in wanting {
      var sum = SIMD4<Float>.zero
      var depth: Float = 0
      func isBehind(_ value: Float) -> Bool {
        most[cell] - value > gap || impure[cell] && value <= least[cell] + gap
      }
      neighbors.forEach(of: cell) { neighbor in
        if visible[neighbor].w > 0, neighbor != cell, isBehind(least[neighbor]) {
          depth += least[neighbor]
          sum += visible[neighbor]
        } else if isBehind(behind[neighbor]) {
          depth += behind[neighbor]
          sum += light[neighbor]
        }
      }
      if sum.w > 0 {
        found.append((cell, depth / sum.w, sum / sum.w))
        neighbors.forEach(of: cell) { neighbor in
          if !queued[neighbor] {
            queued[neighbor] = true
            next.append(neighbor)
          }
        }
      } else if impure[cell] {
        next.append(cell)
      } else {
        // Nothing is known beside it yet; the neighbor that will be brings it back.
        queued[cell] = false
      }
    }
    return (found, next)
  }

  private func meanLight(_ scene: EffectScene, _ cell: Int, _ linear: [Float]) -> SIMD4<Float> {
    let side = 1 << level
    let (x, y) = ((cell % size.width) * side, (cell / size.width) * side)
    let photo = scene.color.size
    var light = SIMD4<Float>.zero
    scene.color.samples.withUnsafeBytes { colors in
      scene.disparity.samples.withUnsafeBufferPointer { disparity in
        withUnsafeMutableBytes(of: &light) { result in
          guard let colors = colors.bindMemory(to: UInt8.self).baseAddress,
            let disparity = disparity.baseAddress,
            let result = result.bindMemory(to: Float.self).baseAddress
          else { return }
          let place = y * photo.width + x
          plb_blur_far_light(
            colors + 3 * place, disparity + place, photo.width,
            Int32(min(side, photo.width - x)), Int32(min(side, photo.height - y)), linear,
            .infinity, result)
        }
      }
    }
    return light
  }
}

/// The cells around each one of a grid, itself among them.
struct CellNeighbors {
  let width: Int
  let height: Int

  init(_ size: RasterSize) { (width, height) = (size.width, size.height) }

  /// Calls `body` with each neighbor of a cell, row after row.
  @inline(__always)
  func forEach(of cell: Int, _ body: (Int) -> Void) {
    let (x, y) = (cell % width, cell / width)
    for row in max(y - 1, 0)...min(y + 1, height - 1) {
      for column in max(x - 1, 0)...min(x + 1, width - 1) { body(row * width + column) }
    }
  }
}
