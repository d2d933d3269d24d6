import PlumblineEffects
import PlumblineFormats
import PlumblineJSON
import PlumblineModel
import PlumblineViewer
import Synchronization

/// Makes the pictures of a viewer's effects, and keeps the last frame prepared, since a slider asks again
/// and again.
final class EffectDesk: Sendable {
  /// The longer side of pictures, in pixels: about what a screen shows.
  static let greatestSide = 1280

  private struct Kept {
    var item: Int
    var frame: Int
    var scene: EffectScene
  }

  private let kept = Mutex<Kept?>(nil)

  /// Which effects a frame can have, as `plumbline.effects/1`.
  ///
  /// - Throws: What reading the frame throws, and ``EffectError``.
  func effects(of item: ViewedItem, _ index: Int, _ frame: Int) throws -> ViewAnswer {
    let scene = try scene(of: item, index, frame)
    let effects = PhotoEffect.allCases.map { effect in
      JSONValue.object([
        ("name", .string(effect.rawValue)), ("label", .string(effect.label)),
        ("parameters", .array(effect.parameters(for: scene).map(\.document))),
      ])
    }
    return .document(.object([("schema", "plumbline.effects/1"), ("effects", .array(effects))]))
  }

  /// A picture changed by an effect, as `plumbline.effect/1`.
  ///
  /// - Throws: What reading the frame throws, and ``EffectError``.
  func picture(
    of item: ViewedItem, _ index: Int, _ frame: Int, name: String, settings: String
  ) throws -> ViewAnswer {
    guard let effect = PhotoEffect(rawValue: name) else {
      return .missing("there is no effect “\(printable(text: name))”")
    }
    let scene = try scene(of: item, index, frame)
    let picture = try effect.picture(
      of: scene, settings: try EffectSettings(parsing: settings, effect: name))
    let bytes: [UInt8]
    if let opacity = picture.opacity {
      bytes = PNGEncoder(level: 1).encoded(picture.color, opacity: opacity)
    } else {
      bytes = try JPEGEncoder(quality: 88).encoded(picture.color)
    }
    return .document(
      .object([
        ("schema", "plumbline.effect/1"),
        ("notes", .array(picture.notes.map { .string($0.sentence) })),
        ("mediaType", picture.opacity == nil ? "image/jpeg" : "image/png"),
        (
          "image",
          .string(
            String(
              decoding: bytes.withUnsafeBytes { PlumblineViewer.Base64.encoded($0) }, as: UTF8.self)
          )
        ),
      ]))
  }

  private func scene(of item: ViewedItem, _ index: Int, _ frame: Int) throws -> EffectScene {
    if let found = kept.withLock({ $0 }), found.item == index, found.frame == frame {
      return found.scene
    }
    let capture = try item.capture(at: frame, for: .effect).withColorInDepthFrame
    var scene = try EffectScene(
      capture, effect: "effects", maximumSide: Self.greatestSide, threads: 2)
    scene.simulatedAperture = capture.depth?.simulatedAperture
    kept.withLock { $0 = Kept(item: index, frame: frame, scene: scene) }
    return scene
  }
}

extension Capture {
  /// The capture with its picture turned as its depth map lies, as the viewer shows both.
  fileprivate var withColorInDepthFrame: Capture {
    guard let depth, depth.orientation != colorOrientation else { return self }
    var turned = self
    let turn = colorOrientation.followed(by: depth.orientation.inverse)
    turned.color = color?.oriented(by: turn)
    turned.colorSize = colorSize.map { turn.uprightSize(of: $0) }
    turned.colorCalibration = colorCalibration?.oriented(by: turn)
    turned.colorOrientation = depth.orientation
    return turned
  }
}
