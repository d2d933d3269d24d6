import PlumblineEffects
import PlumblineIO
import PlumblineModel
import PlumblineViewer

/// Makes the images of a viewer's effects, and keeps the last frame prepared, since a slider sends many requests
/// and again.
final class EffectDesk: Sendable {
  /// The longer side of images, in pixels: about what a screen shows.
  static let maximumSide = 1280

  private let kept = KeptFrame<EffectScene>()

  /// Which effects a frame can have, as `plumbline.effects/1`.
  ///
  /// - Throws: What reading the frame throws, and ``EffectError``.
  func effects(of item: ViewedItem, _ index: Int, _ frame: Int) throws -> ViewAnswer {
    let scene = try scene(of: item, index, frame)
    return EffectAnswer.offers(
      PhotoEffect.allCases.map { ($0.rawValue, $0.label, $0.parameters(for: scene)) })
  }

  /// A frame changed by an effect, as `plumbline.effectPictures/1`.
  ///
  /// - Throws: What reading the frame throws, and ``EffectError``.
  func images(
    of item: ViewedItem, _ index: Int, _ frame: Int, name: String, settings: String
  ) throws -> ViewAnswer {
    guard let effect = PhotoEffect(rawValue: name) else {
      return .missing("there is no effect “\(printable(text: name))”")
    }
    let scene = try scene(of: item, index, frame)
    return try EffectAnswer.images(
      effect.images(of: scene, settings: try EffectSettings(parsing: settings, effect: name)))
  }

  private func scene(of item: ViewedItem, _ index: Int, _ frame: Int) throws -> EffectScene {
    try kept.value(item: index, frame: frame) {
      let capture = try item.capture(at: frame, for: .effect).withColorInDepthFrame
      var scene = try EffectScene(
        capture, effect: "effects", maximumSide: Self.maximumSide, threads: 2)
      scene.simulatedAperture = capture.depth?.simulatedAperture
      return scene
    }
  }
}

extension Capture {
  /// The capture with its image turned as its depth map lies, as the viewer shows both.
  var withColorInDepthFrame: Capture {
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
