internal import CKernels
internal import PlumblineModel
internal import Synchronization

/// One photo being blurred, tile by tile; each tile depends on the photo alone.
struct SceneBlur {
  /// The side of a tile in pixels, a multiple of all cells and blocks: so large that pixels around it
  /// are not the most of the work, and so small that its layers stay in the processor's caches.
  let tileSide: Int

  private static let tileRadii = (16.0, 64.0)

  let scene: EffectScene
  let law: BlurLaw
  let highlights: Float
  let plan: BlurLayers
  let hidden: HiddenSurfaces
  let blocks: BlurBlocks
  /// How much of a pixel the nearer of two surfaces covers, where both share it.
  let matte: Raster<UInt8>?
  /// The light of each code, 0 to 1.
  let linear: [Float]
  /// The codes of 65536 levels of light.
  let codes: [UInt8]
  /// How many times brighter clipped pixels are, by the gain map; `nil` without one.
  let gain: (codes: Raster<UInt8>, boosts: [Float])?

  /// What the blur of a photo needs to know of all of it.
  ///
  /// - Parameters:
  ///   - effect: The settings.
  ///   - scene: The photo.
  ///   - law: How disparities blur.
  ///   - largest: The largest radius, in pixels.
  ///   - threads: How many threads may work.
  ///   - light: The light of each code, and the code of each of 65536 levels; `nil` for the photo's.
  /// - Returns: All that tiles share. Cost: O(pixels).
  static func prepared(
    _ effect: BlurEffect, _ scene: EffectScene, _ law: BlurLaw, largest: Double, threads: Int,
    light: (linear: [Float], codes: [UInt8])? = nil
  ) -> SceneBlur {
    var scene = scene
    scene.color = scene.color.packed
    scene.disparity = scene.disparity.packed
    let linear = light?.linear ?? LinearLight.shared.linear.map { Float($0) / 65535 }
    let cover =
      scene.edgeCoverage ?? scene.mattes.first { $0.kind == .portraitEffects }?.coverage
    let isWanted = effect.usesMattes || scene.edgeCoverage != nil && !scene.usesMattes
    let matte = isWanted && cover?.size == scene.color.size ? cover?.packed : nil
    let hidden = HiddenSurfaces.found(
      in: scene, matte: matte, law: law, largest: largest, linear: linear, threads: threads)
    let radius = hidden.largestRadius
    let plan = BlurLayers.planned(for: effect.shape, upTo: radius)
    return SceneBlur(
      tileSide: radius > tileRadii.1 ? 512 : radius > tileRadii.0 ? 256 : 128, scene: scene,
      law: law, highlights: Float(effect.highlights), plan: plan, hidden: hidden,
      blocks: BlurBlocks.found(in: hidden, plan, law), matte: matte, linear: linear,
      codes: light?.codes ?? LinearLight.shared.codes,
      gain: effect.highlights > 0 ? boosts(of: scene, threads: threads) : nil)
  }

  /// The gain map at the photo's size, and the gain of each of its codes.
  private static func boosts(
    of scene: EffectScene, threads: Int
  ) -> (codes: Raster<UInt8>, boosts: [Float])? {
    guard let map = scene.gainMap, let range = map.range else { return nil }
    return (
      map.codes.interpolated(to: scene.color.size, threads: threads),
      map.shares.map { max(map.least + range * $0, 1) }
    )
  }

  /// The blurred photo.
  func image(threads: Int) -> Raster<RGB8> {
    let size = scene.color.size
    let columns = (size.width + tileSide - 1) / tileSide
    let rows = (size.height + tileSide - 1) / tileSide
    // Tiles take a scratch that another one has left: its pages are there already.
    let scratches = Mutex<[[Float]]>([])
    let pixels = [RGB8](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
      withKernelInputs { inputs in
        guard
          let result = UnsafeMutableRawBufferPointer(buffer).bindMemory(to: UInt8.self).baseAddress
        else { return }
        forEachConcurrently(columns * rows, threads: threads) { index in
          var scratch = scratches.withLock { $0.popLast() } ?? []
          let tile = BlurTile.found(in: self, column: index % columns, row: index / columns)
          tile.blur(inputs, &scratch, into: result)
          scratches.withLock { $0.append(scratch) }
        }
      }
      count = size.pixelCount
    }
    return Raster(size: size, samples: pixels)
  }

  /// The inputs of the kernels, as pointers.
  struct KernelInputs {
    var color: UnsafePointer<UInt8>
    var disparity: UnsafePointer<Float>
    var matte: UnsafePointer<UInt8>?
    var linear: UnsafePointer<Float>
    var codes: UnsafePointer<UInt8>
    var places: UnsafePointer<plb_blur_place>
    var hidden: plb_blur_hidden
    /// The gain map's codes and the boosts of these; `nil` without one.
    var gain: (codes: UnsafePointer<UInt8>, boosts: UnsafePointer<Float>)?
  }

  private func withKernelInputs(_ body: (KernelInputs) -> Void) {
    scene.color.samples.withUnsafeBytes { color in
      scene.disparity.samples.withUnsafeBufferPointer { disparity in
        withHidden { surfaces in
          plan.places.withUnsafeBufferPointer { places in
            linear.withUnsafeBufferPointer { linear in
              codes.withUnsafeBufferPointer { codes in
                guard let color = color.bindMemory(to: UInt8.self).baseAddress,
                  let disparity = disparity.baseAddress, let places = places.baseAddress,
                  let linear = linear.baseAddress, let codes = codes.baseAddress
                else { return }
                withCompanions { matte, gain in
                  body(
                    KernelInputs(
                      color: color, disparity: disparity, matte: matte, linear: linear,
                      codes: codes, places: places, hidden: surfaces, gain: gain))
                }
              }
            }
          }
        }
      }
    }
  }

  private func withHidden(_ body: (plb_blur_hidden) -> Void) {
    hidden.light.withUnsafeBytes { light in
      hidden.front.withUnsafeBytes { front in
        hidden.behind.withUnsafeBufferPointer { behind in
          hidden.near.withUnsafeBufferPointer { near in
            guard let light = light.bindMemory(to: Float.self).baseAddress,
              let front = front.bindMemory(to: Float.self).baseAddress,
              let behind = behind.baseAddress, let near = near.baseAddress
            else { return }
            body(
              plb_blur_hidden(
                behind: behind, light: light, front: front, near: near,
                level: Int32(hidden.level), width: Int32(hidden.size.width),
                height: Int32(hidden.size.height)))
          }
        }
      }
    }
  }

  /// The matte and the gain map, where there are any.
  private func withCompanions(
    _ body: (
      UnsafePointer<UInt8>?, (codes: UnsafePointer<UInt8>, boosts: UnsafePointer<Float>)?
    ) -> Void
  ) {
    func withGain(_ matte: UnsafePointer<UInt8>?) {
      guard let gain else { return body(matte, nil) }
      gain.codes.samples.withUnsafeBufferPointer { codes in
        gain.boosts.withUnsafeBufferPointer { boosts in
          guard let codes = codes.baseAddress, let boosts = boosts.baseAddress else { return }
          body(matte, (codes, boosts))
        }
      }
    }
    guard let matte else { return withGain(nil) }
    matte.samples.withUnsafeBufferPointer { withGain($0.baseAddress) }
  }
}
