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
  private(set) var least: [Float]
  /// The largest disparity in each cell.
  private(set) var most: [Float]
  /// The hidden surface's disparity; NaN where nothing is hidden.
  private(set) var behind: [Float]
  /// Its light, and 1; 0 where nothing is hidden.
  private(set) var light: [SIMD4<Float>]
  /// The light of the nearer surface in cells that a matte's soft edge or two surfaces share, and 1; 0
  /// elsewhere.
  private(set) var front: [SIMD4<Float>]
  /// The nearest disparity around a cell that a matte's edge goes through, or that is beside one; −∞
  /// elsewhere.
  private(set) var near: [Float]

  /// The largest radius in the photo, in pixels.
  private(set) var largestRadius = 0.0

  /// - Parameters:
  ///   - scene: The photo, without padding.
  ///   - matte: Of the subject, of the photo's size.
  ///   - law: How disparities blur.
  ///   - largest: The largest radius, in pixels.
  ///   - linear: The light of each code, 0 to 1.
  ///   - threads: How many threads may work.
  init(
    _ scene: EffectScene, matte: Raster<UInt8>?, law: BlurLaw, largest: Double, linear: [Float],
    threads: Int
  ) {
    let photo = scene.color.size
    let longer = max(photo.width, photo.height)
    level = longer >= 2000 ? 3 : longer >= 1000 ? 2 : 1
    let side = 1 << level
    let grid = RasterSize(
      width: (photo.width + side - 1) / side, height: (photo.height + side - 1) / side)
    size = grid
    least = [Float](repeating: 0, count: grid.pixelCount)
    most = least
    behind = [Float](repeating: .nan, count: grid.pixelCount)
    light = [SIMD4<Float>](repeating: .zero, count: grid.pixelCount)
    front = light
    near = []
    let level = level
    let missing: Float = -1e30
    least.withUnsafeMutableBufferPointer { least in
      most.withUnsafeMutableBufferPointer { most in
        scene.disparity.samples.withUnsafeBufferPointer { disparity in
          guard let least = least.baseAddress, let most = most.baseAddress,
            let disparity = disparity.baseAddress
          else { return }
          forEachConcurrently(grid.height, threads: threads) { row in
            let first = row << level
            plb_blur_extremes(
              disparity + first * photo.width, photo.width, Int32(photo.width),
              Int32(min(side, photo.height - first)), Int32(side), missing,
              least + row * grid.width, most + row * grid.width)
          }
        }
      }
    }
    near = most
    let farthest = radius(least.min() ?? 0, law, largest)
    let nearest = radius(most.max() ?? 0, law, largest)
    largestRadius = max(abs(farthest), abs(nearest))
    let gap = Float(Self.gapPixels / law.pixelsPerDisparity)
    guard nearest - farthest > Self.gapPixels else { return }
    // A surface is seen past an edge by the blur of what lies before it, and blurs over its own.
    grow(
      scene, matte, gap: gap,
      rounds: Int((2 * largestRadius / Double(side)).rounded(.up)) + 1, linear: linear)
  }

  private func radius(_ disparity: Float, _ law: BlurLaw, _ largest: Double) -> Double {
    let radius = law.pixelsPerDisparity * (Double(disparity) - law.focus)
    return min(max(radius, -largest), largest)
  }

  /// Cells in which a matte is neither 0 nor 255.
  private func softCells(_ matte: Raster<UInt8>) -> [Bool] {
    var soft = [Bool](repeating: false, count: size.pixelCount)
    let (width, step) = (size.width, max(1, (1 << level) / 4))
    matte.samples.withUnsafeBufferPointer { levels in
      soft.withUnsafeMutableBufferPointer { soft in
        for y in stride(from: 0, to: matte.height, by: step) {
          for x in stride(from: 0, to: matte.width, by: step) {
            let cover = levels[y * matte.rowStride + x]
            if cover > 5, cover < 250 { soft[(y >> level) * width + (x >> level)] = true }
          }
        }
      }
    }
    return soft
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

  /// The mean lights of the pixels of soft cells that show one surface alone; 0 where there are few.
  private func sideLights(
    of scene: EffectScene, _ matte: Raster<UInt8>?, _ soft: [Bool]?, _ linear: [Float]
  ) -> (far: [SIMD4<Float>], near: [SIMD4<Float>]) {
    var far = [SIMD4<Float>](repeating: .zero, count: size.pixelCount)
    var near = far
    guard let matte, let soft else { return (far, near) }
    // Away from steps the coverage of a scene with a map says nothing of two surfaces.
    let least: Int32 = scene.edgeCoverage == nil ? 0 : 1
    let (side, width) = (1 << level, scene.color.width)
    scene.color.samples.withUnsafeBytes { colors in
      matte.samples.withUnsafeBufferPointer { levels in
        guard let colors = colors.bindMemory(to: UInt8.self).baseAddress,
          let levels = levels.baseAddress
        else { return }
        for cell in 0..<size.pixelCount where soft[cell] {
          let (x, y) = (cell % size.width * side, cell / size.width * side)
          let place = y * width + x
          var lights = (far: SIMD4<Float>.zero, near: SIMD4<Float>.zero)
          withUnsafeMutableBytes(of: &lights) { result in
            guard let result = result.bindMemory(to: Float.self).baseAddress else { return }
            plb_blur_side_lights(
              colors + 3 * place, levels + place, width, Int32(min(side, width - x)),
              Int32(min(side, scene.color.height - y)), linear, least, result, result + 4)
          }
          (far[cell], near[cell]) = lights
        }
      }
    }
    return (far, near)
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
    for cell in cells where own[cell].w > 0 { (behind[cell], light[cell]) = (least[cell], own[cell]) }
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

  /// Grows the disparity of the nearer side over the cells of a soft edge, from those that show it.
  private mutating func growNear(over soft: [Bool], gap: Float) {
    let neighbors = CellNeighbors(size)
    near = [Float](repeating: -.infinity, count: size.pixelCount)
    var wanting: [Int] = []
    for cell in 0..<size.pixelCount {
      var isBeside = false
      neighbors.forEach(of: cell) { isBeside = isBeside || soft[$0] }
      // Edges within the subject are not the matte's.
      guard isBeside else { continue }
      if most[cell] - behind[cell] > gap { near[cell] = most[cell] } else { wanting.append(cell) }
    }
    grow(&wanting) { hidden, cell in
      var (sum, count): (Float, Float) = (0, 0)
      neighbors.forEach(of: cell) {
        guard hidden.near[$0] > -.infinity else { return }
        sum += hidden.near[$0]
        count += 1
      }
      return count > 0 ? sum / count : nil
    } set: { hidden, cell, value in
      hidden.near[cell] = value
    }
  }

  /// Grows the light of the nearer side over the cells that both sides share.
  private mutating func growFront(
    over cells: [Int], from visible: [SIMD4<Float>], or own: [SIMD4<Float>]
  ) {
    let neighbors = CellNeighbors(size)
    for cell in cells { front[cell] = own[cell] }
    var wanting = cells.filter { own[$0].w == 0 }
    grow(&wanting) { hidden, cell in
      var sum = SIMD4<Float>.zero
      neighbors.forEach(of: cell) { neighbor in
        if hidden.front[neighbor].w > 0 {
          sum += hidden.front[neighbor]
        } else if 2 * hidden.least[neighbor] > hidden.near[cell] + hidden.behind[cell] {
          // More like the nearer surface than like the one behind it; false where none is known.
          sum += visible[neighbor]
        }
      }
      return sum.w > 0 ? sum / sum.w : nil
    } set: { hidden, cell, value in
      hidden.front[cell] = value
    }
  }

  /// Gives cells values, round after round, until no cell gets one from its neighbors any more.
  private mutating func grow<Value>(
    _ wanting: inout [Int], from value: (HiddenSurfaces, Int) -> Value?,
    set: (inout HiddenSurfaces, Int, Value) -> Void
  ) {
    while !wanting.isEmpty {
      var found: [(cell: Int, value: Value)] = []
      var next: [Int] = []
      for cell in wanting {
        if let value = value(self, cell) { found.append((cell, value)) } else { next.append(cell) }
      }
      guard !found.isEmpty else { return }
      for (cell, value) in found { set(&self, cell, value) }
      wanting = next
    }
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
private struct CellNeighbors {
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
