internal import CKernels
internal import PlumblineModel

/// What a coverage says of both surfaces of an edge, in cells.
extension HiddenSurfaces {
  /// Cells in which a matte is neither 0 nor 255.
  func softCells(_ matte: Raster<UInt8>) -> [Bool] {
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

  /// The mean lights of the pixels of soft cells that show one surface alone; 0 where there are few.
  func sideLights(
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

  /// Grows the disparity of the nearer side over the cells of a soft edge, from those that show it.
  mutating func growNear(over soft: [Bool], gap: Float) {
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
  mutating func growFront(
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
}
