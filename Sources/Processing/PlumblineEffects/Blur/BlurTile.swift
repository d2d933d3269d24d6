internal import CKernels
internal import PlumblineModel

/// One tile of a photo: its layers are filled, blurred and composed.
struct BlurTile {
  private let blur: SceneBlur
  /// The tile's first pixel and its size.
  private let place: PixelRectangle
  /// Which layers have light that may reach the tile.
  private let isPresent: [Bool]

  /// A tile of a photo; O(blocks that the largest blur reaches).
  static func found(in blur: SceneBlur, column: Int, row: Int) -> BlurTile {
    let size = blur.scene.color.size
    let side = blur.tileSide
    let place = PixelRectangle(
      x: column * side, y: row * side, width: min(side, size.width - column * side),
      height: min(side, size.height - row * side))
    var isPresent = Array(repeating: false, count: blur.plan.layers.count)
    for block in around(place, blur) {
      for layer in blur.blocks.layers(block.column, block.row)
      where block.distance <= reachPixels(blur.plan.layers[layer]) {
        isPresent[layer] = true
      }
    }
    return BlurTile(blur: blur, place: place, isPresent: isPresent)
  }

  /// How far light of a layer goes, in pixels.
  private static func reachPixels(_ layer: BlurLayers.Layer) -> Int {
    (layer.reach + 1) << layer.level
  }

  private typealias Block = (column: Int, row: Int, distance: Int)

  /// The blocks that the largest blur reaches a rectangle from, with their distances in pixels.
  private static func around(_ place: PixelRectangle, _ blur: SceneBlur) -> [Block] {
    let side = BlurBlocks.side
    let reach = blur.plan.layers.map(reachPixels).max() ?? 0
    let columns =
      max(place.x - reach, 0)
      / side...min(
        (place.x + place.size.width - 1 + reach) / side, blur.blocks.columns - 1)
    let rows =
      max(place.y - reach, 0)
      / side...min(
        (place.y + place.size.height - 1 + reach) / side, blur.blocks.rows - 1)
    func gap(_ block: Int, _ start: Int, _ length: Int) -> Int {
      max(start - (block * side + side - 1), block * side - (start + length - 1), 0)
    }
    return rows.flatMap { row in
      columns.map { column in
        (
          column, row,
          max(gap(column, place.x, place.size.width), gap(row, place.y, place.size.height))
        )
      }
    }
  }

  /// Writes the tile's pixels.
  func blur(
    _ inputs: SceneBlur.KernelInputs, _ scratch: inout [Float],
    into result: UnsafeMutablePointer<UInt8>
  ) {
    let sharp = blur.plan.layers.count / 2
    guard isPresent.enumerated().contains(where: { $1 && $0 != sharp }) else {
      copy(place, inputs, result)
      return
    }
    var buffers: [plb_blur_layer] = []
    var starts: [Int] = []
    var total = 0
    var mostSums = 0
    for (index, layer) in blur.plan.layers.enumerated() {
      let margin = layer.reach == 0 ? 0 : layer.reach + 1
      let side = 1 << layer.level
      let width = (place.size.width + side - 1) / side + 2 * margin
      let height = (place.size.height + side - 1) / side + 2 * margin
      buffers.append(
        plb_blur_layer(
          cells: nil, level: Int32(layer.level), left: Int32((place.x >> layer.level) - margin),
          top: Int32((place.y >> layer.level) - margin), width: Int32(width),
          height: Int32(height)))
      starts.append(total)
      guard isPresent[index] else { continue }
      total += 4 * width * height
      if layer.aperture != nil { mostSums = max(mostSums, 4 * (width + 1) * height) }
    }
    let needed = total + mostSums + 8 * BlurBlocks.side * 4
    if scratch.count < needed { scratch = Array(repeating: 0, count: needed) }
    scratch.withUnsafeMutableBufferPointer { scratch in
      guard let base = scratch.baseAddress else { return }
      base.update(repeating: 0, count: total)
      for index in buffers.indices where isPresent[index] {
        buffers[index].cells = base + starts[index]
      }
      fill(buffers, inputs)
      for index in buffers.indices where isPresent[index] {
        guard let aperture = blur.plan.layers[index].aperture else { continue }
        convolve(buffers[index], aperture, sums: base + total)
      }
      compose(buffers, inputs, work: base + total + mostSums, result)
    }
  }

  private func copy(
    _ area: PixelRectangle, _ inputs: SceneBlur.KernelInputs, _ result: UnsafeMutablePointer<UInt8>
  ) {
    let width = blur.scene.color.width
    for y in area.y..<area.y + area.size.height {
      let place = 3 * (y * width + area.x)
      (result + place).update(from: inputs.color + place, count: 3 * area.size.width)
    }
  }

  /// Adds the light of all pixels that reach the tile to its layers.
  private func fill(_ buffers: [plb_blur_layer], _ inputs: SceneBlur.KernelInputs) {
    let size = blur.scene.color.size
    let side = BlurBlocks.side
    buffers.withUnsafeBufferPointer { layers in
      guard let layers = layers.baseAddress else { return }
      var law = plb_blur_law(
        layers: layers, places: inputs.places, linear: inputs.linear,
        center: Int32(blur.plan.center), steps: Float(BlurLayers.steps),
        focus: Float(blur.law.focus), gain: Float(blur.law.pixelsPerDisparity),
        gap: Float(HiddenSurfaces.gapPixels), highlights: blur.highlights,
        boosts: inputs.gain?.boosts, width: Int32(size.width), height: Int32(size.height))
      var hidden = inputs.hidden
      // Runs of blocks that reach the tile by one of their layers.
      var run: Block?
      var end = 0
      func flush() {
        guard let first = run else { return }
        for y in first.row * side..<min(first.row * side + side, size.height) {
          let start = y * size.width
          plb_blur_scatter(
            &law, &hidden, inputs.color + 3 * start, inputs.disparity + start,
            inputs.matte.map { $0 + start }, inputs.gain.map { $0.codes + start }, Int32(y),
            Int32(first.column * side),
            Int32(min(end * side, size.width)))
        }
        run = nil
      }
      for block in Self.around(place, blur) {
        let reaches = blur.blocks.layers(block.column, block.row).contains {
          block.distance <= Self.reachPixels(blur.plan.layers[$0])
        }
        guard reaches else { continue }
        if let first = run, first.row == block.row, end == block.column {
          end += 1
        } else {
          flush()
          run = block
          end = block.column + 1
        }
      }
      flush()
    }
    for buffer in buffers where buffer.cells != nil { repeatBorder(buffer) }
  }

  /// Cells outside of the photo are those at its border; border cells that lie partly outside count
  /// as whole ones.
  private func repeatBorder(_ layer: plb_blur_layer) {
    guard let cells = layer.cells else { return }
    let (width, height) = (Int(layer.width), Int(layer.height))
    let side = 1 << Int(layer.level)
    let size = blur.scene.color.size
    let right = (size.width - 1) / side - Int(layer.left)
    let bottom = (size.height - 1) / side - Int(layer.top)
    func scale(_ count: Int) -> Float { Float(side) / Float(count) }
    let (restX, restY) = (size.width % side, size.height % side)
    if restX > 0, right < width {
      for y in 0..<height {
        for k in 0..<4 { cells[4 * (y * width + right) + k] *= scale(restX) }
      }
    }
    if restY > 0, bottom < height {
      for i in 0..<4 * width { cells[4 * bottom * width + i] *= scale(restY) }
    }
    let (left, top) = (max(-Int(layer.left), 0), max(-Int(layer.top), 0))
    if left > 0 || right < width - 1 {
      for y in max(top, 0)...min(bottom, height - 1) {
        let row = cells + 4 * y * width
        for x in 0..<width where x < left || x > right {
          let from = min(max(x, left), right)
          for k in 0..<4 { row[4 * x + k] = row[4 * from + k] }
        }
      }
    }
    for y in 0..<height where y < top || y > bottom {
      let from = min(max(y, top), bottom)
      (cells + 4 * y * width).update(from: cells + 4 * from * width, count: 4 * width)
    }
  }

  private func convolve(
    _ layer: plb_blur_layer, _ aperture: ApertureSpans, sums: UnsafeMutablePointer<Float>
  ) {
    guard let cells = layer.cells else { return }
    let (width, height) = (Int(layer.width), Int(layer.height))
    let stride = width + 1
    for y in 0..<height {
      plb_blur_running(cells + 4 * y * width, width, sums + 4 * y * stride)
    }
    // Two cells beyond the tile are drawn from; what lies farther out has been read only.
    let reach = aperture.reach + 1
    let area = Float(1 << (2 * Int(layer.level)))
    for y in reach..<height - reach {
      plb_blur_spans(
        sums + 4 * (y * stride + reach), stride, aperture.spans, Int32(aperture.spans.count),
        aperture.scale / area, width - 2 * reach, cells + 4 * (y * width + reach))
    }
  }

  private func compose(
    _ buffers: [plb_blur_layer], _ inputs: SceneBlur.KernelInputs,
    work: UnsafeMutablePointer<Float>, _ result: UnsafeMutablePointer<UInt8>
  ) {
    let side = BlurBlocks.side
    let sharp = buffers.count / 2
    let width = blur.scene.color.width
    for top in stride(from: place.y, to: place.y + place.size.height, by: side) {
      for left in stride(from: place.x, to: place.x + place.size.width, by: side) {
        let area = PixelRectangle(
          x: left, y: top, width: min(side, place.x + place.size.width - left),
          height: min(side, place.y + place.size.height - top))
        var used = [Bool](repeating: false, count: buffers.count)
        for block in Self.around(area, blur) {
          for layer in blur.blocks.layers(block.column, block.row)
          where block.distance <= Self.reachPixels(blur.plan.layers[layer]) { used[layer] = true }
        }
        let indices = buffers.indices.filter { used[$0] && buffers[$0].cells != nil }
        if indices.allSatisfy({ $0 == sharp }) {
          copy(area, inputs, result)
          continue
        }
        let (light, row) = (work, work + 4 * side)
        for y in top..<top + area.size.height {
          light.update(repeating: 0, count: 4 * area.size.width)
          for index in indices {
            withUnsafePointer(to: buffers[index]) {
              plb_blur_compose($0, Int32(left), Int32(y), area.size.width, row, light)
            }
          }
          let place = 3 * (y * width + left)
          plb_blur_encode(
            light, inputs.codes, inputs.color + place, area.size.width, result + place)
        }
      }
    }
  }
}
