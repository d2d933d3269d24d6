import PlumblineModel

/// Depth of field after the fact: a photo as a lens with a larger opening would have taken it.
///
/// Light is parted into layers of like blur, each blurred by the aperture's shape in linear light
/// and laid over what is farther. What the lens would see behind edges is grown from the farther side,
/// so nothing of a sharp subject bleeds into the background, and a blurred foreground lies softly
/// over it. Pixels that are sharp by more than 1/32 pixel and have nothing blurred near keep
/// their codes. The law from disparity to pixels is in `Documentation/effects.md`.
public struct BlurEffect: Sendable, Hashable {
  /// The distance or pixel in focus.
  public var focus: BlurFocus
  /// The opening.
  public var aperture: BlurAperture
  /// The outline of the opening.
  public var shape: ApertureShape
  /// How many times brighter than white clipped pixels are taken where they blur, less 1; 0 takes them
  /// as stored.
  ///
  /// Clipped are pixels with two colors of code 248 or more: one alone is sunlit skin rather than a lamp.
  /// Those blurred by a radius of less than 1 pixel are taken as stored, by 3 pixels and more in full.
  /// A photo's gain map says it instead where it has one that names its headroom.
  public var highlights: Double
  /// The largest radius of a blurred point, as a share of the photo's longer side.
  public var largestRadius: Double
  /// Whether the portrait matte refines edges and hair; the scene has to be made without it too.
  public var usesMattes: Bool

  /// Creates the effect; by default at the subject, as the file asks, by a disc.
  public init(
    focus: BlurFocus = .subject, aperture: BlurAperture = .fromPhoto, shape: ApertureShape = .disc
  ) {
    self.focus = focus
    self.aperture = aperture
    self.shape = shape
    highlights = 2
    largestRadius = 0.025
    usesMattes = true
  }

  /// The blurred photo, with notes on what to trust.
  ///
  /// - Parameters:
  ///   - scene: The photo; unknown disparities count as farthest.
  ///   - threads: How many threads may work; the result does not depend on it.
  /// - Returns: An image of the photo's size, fully opaque, with its notes.
  /// - Throws: ``EffectError`` for a focus or an aperture beyond sense, and a distance in meters
  ///   where depth is relative.
  /// - Complexity: O(pixels · layers that meet there), at most 31.
  /// - Precondition: At least one thread.
  public func applied(to scene: EffectScene, threads: Int = 1) throws(EffectError) -> EffectImage {
    precondition(threads >= 1, "\(threads) threads cannot work")
    try validate()
    let law = try BlurLaw.derived(from: self, scene)
    let report = report(on: scene, by: law)
    let largest = largestPixels(scene)
    let blur = SceneBlur.prepared(self, scene, law, largest: largest, threads: threads)
    var image = EffectImage(color: blur.image(threads: threads), notes: report.notes)
    image.blur = report
    if scene.isUnrendered {
      image.notes.append(
        EffectNote(
          .unrenderedOriginal,
          "the blur starts from the image before the phone's own, which the file holds"
        ))
    }
    if let map = scene.gainMap {
      image.gainMap = GainMapBlur(
        effect: self, scene: scene, map: map, law: law, largest: largest
      ).codes(of: image.color, threads: threads)
    }
    return image
  }

  /// The largest radius in pixels of a scene.
  func largestPixels(_ scene: EffectScene) -> Double {
    let side = Double(max(scene.color.width, scene.color.height))
    return min(max(largestRadius * side, 1), BlurLayers.largestRadius)
  }

  func validate() throws(EffectError) {
    if case .blades(let count, let turn) = shape, !(3...16).contains(count) || !turn.isFinite {
      throw EffectError(
        .outOfRange, effect: "blur", expected: "an aperture of 3 to 16 blades", found: "\(count)")
    }
    guard highlights >= 0, highlights <= 100 else {
      throw EffectError(
        .outOfRange, effect: "blur", expected: "highlights of 0 to 100", found: "\(highlights)")
    }
    guard largestRadius > 0, largestRadius <= 1 else {
      throw EffectError(
        .outOfRange, effect: "blur", expected: "a largest radius of up to 1 of the photo's side",
        found: "\(largestRadius)")
    }
  }
}

/// The distance at which a blurred photo is sharp.
public enum BlurFocus: Sendable, Hashable {
  /// At the subject: the middle of the portrait matte where there is one, else of the photo.
  case subject
  /// At a disparity, in the unit of the photo's own, so in 1/m where it is metric.
  case disparity(Double)
  /// At a distance along the optical axis, in meters; for metric photos only.
  case meters(Double)
  /// At what a pixel of the stored image shows; the first pixel's center is (0, 0).
  case point(SIMD2<Double>)
}

/// The opening of the lens that a blur imitates.
public enum BlurAperture: Sendable, Hashable {
  /// The aperture that the file requests (`SimulatedAperture`), else f/2.8, of a full-frame camera.
  case fromPhoto
  /// An f-number of a full-frame camera (36 mm × 24 mm) with the photo's field of view.
  case fNumber(Double)
  /// A lens by its own numbers, such as a phone's f/1.5 at 5.7 mm, whose blur is small.
  case physical(fNumber: Double, focalLengthMillimeters: Double)
}
