public import PlumblineEffects
public import PlumblineModel
import Plumbline

/// The effects that the preview of a photo can have; the photo itself is never changed.
public enum PreviewEffect: String, Hashable, Sendable, CaseIterable {
  /// The image as it is.
  case none
  /// A blurred background, by the law of a lens with a large aperture.
  case portrait
  /// A plain color behind what is near.
  case background

  /// Its name for people.
  public var name: String {
    switch self {
    case .none: "No effect"
    case .portrait: "Portrait"
    case .background: "Background"
    }
  }
}

/// Draws the preview with an effect, frame after frame, at preview size, and counts how many images a
/// second it manages.
public struct PreviewEffectRenderer: Sendable {
  /// The longer side of images with an effect, in pixels: small enough for several a second.
  public static let maximumSide = 320

  /// The effect; another one begins without memory of earlier frames.
  public var effect = PreviewEffect.none {
    didSet { if effect != oldValue { (stream, times, size) = (nil, [], nil) } }
  }
  /// The f-number that the portrait imitates, as for a full-frame camera; from 1.4 to 16.
  public var fNumber = 2.8 {
    didSet { fNumber = fNumber.isFinite ? min(max(fNumber, 1.4), 16) : oldValue }
  }
  /// The color of the background.
  public var color = RGB8(red: 0x2D, green: 0x6C, blue: 0xDF) {
    didSet { if color != oldValue { stream = nil } }
  }
  private var stream: StreamEffect?
  private var times: [Double] = []
  private var size: RasterSize?

  /// Starts without an effect.
  public init() {}

  /// The upright image of the next frame.
  ///
  /// - Parameters:
  ///   - capture: The frame.
  ///   - isMirror: Whether it is mirrored, as users expect of a front camera.
  ///   - threads: How many threads may work, at least 1; the image does not depend on it.
  /// - Returns: The image; `nil` for a frame without color, and with an effect for one without depth.
  /// - Throws: ``EffectError``. Cost: O(*n*) of the preview size.
  public mutating func image(
    of capture: Capture, isMirror: Bool, threads: Int = 2
  ) throws(EffectError) -> Raster<RGB8>? {
    guard let color = capture.color else { return nil }
    let turn =
      isMirror ? capture.colorOrientation.followed(by: .upMirrored) : capture.colorOrientation
    switch effect {
    case .none: return color.reduced(toMaximumSide: 640).oriented(by: turn)
    case .portrait:
      guard capture.depth != nil else { return nil }
      let scene = try EffectScene.prepared(
        from: capture, effect: "portrait", maximumSide: Self.maximumSide, threads: threads)
      let blur = BlurEffect(aperture: .fNumber(fNumber))
      let result = try blur.applied(to: scene, threads: threads).color
      size = result.size
      return result.oriented(by: turn)
    case .background:
      var effect = stream ?? Self.background(self.color)
      let result = try effect.next(capture, maximumSide: Self.maximumSide, threads: threads)
      stream = effect
      size = result?.size
      return result?.oriented(by: turn)
    }
  }

  /// An image was shown.
  ///
  /// - Parameter seconds: When, on a clock that never goes back.
  public mutating func shown(at seconds: Double) {
    times.append(seconds)
    times.removeAll { $0 < seconds - 2 || $0 > seconds }
  }

  /// The rate and size of the images with an effect, such as `4.0 images/s of 320×240`; `nil` without one
  /// and before two images.
  ///
  /// The rate is measured over the last two seconds at most.
  public var rateText: String? {
    guard effect != .none, let size, let first = times.first, let last = times.last, last > first
    else { return nil }
    return "\((Double(times.count - 1) / (last - first)).fixed(1)) images/s of \(size), stored size"
  }

  private static func background(_ color: RGB8) -> StreamEffect {
    var stream = BackgroundStream()
    stream.background = Raster(size: RasterSize(width: 1, height: 1), repeating: color)
    return .background(stream)
  }
}

/// An image of the preview with the renderer that drew it, which remembers the frame.
public struct DrawnPreview: Sendable {
  /// The image; `nil` where there is none.
  public let image: Raster<RGB8>?
  /// Why there is none; `nil` where there is one.
  public let message: String?
  /// The renderer after this frame.
  public let effect: PreviewEffectRenderer
}

extension PreviewEffectRenderer {
  /// Draws the next frame; not on the main thread.
  ///
  /// - Parameters:
  ///   - capture: The frame.
  ///   - isMirror: Whether it is mirrored, as users expect of a front camera.
  ///   - seconds: When, on a clock that never goes back.
  /// - Returns: The image or why there is none, and the renderer for the frame after it.
  public func drawing(
    of capture: Capture, isMirror: Bool, at seconds: Double
  ) -> DrawnPreview {
    var renderer = self
    do throws(EffectError) {
      guard let image = try renderer.image(of: capture, isMirror: isMirror) else {
        let what = capture.color == nil ? "color" : "depth"
        return DrawnPreview(
          image: nil, message: "This frame has no \(what).", effect: renderer)
      }
      renderer.shown(at: seconds)
      return DrawnPreview(image: image, message: nil, effect: renderer)
    } catch {
      return DrawnPreview(image: nil, message: "\(error).", effect: renderer)
    }
  }
}
