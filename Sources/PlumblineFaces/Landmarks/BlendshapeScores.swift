/// How strongly a face shows each of 52 expressions, as MediaPipe's Blendshape V2 rates them.
public struct BlendshapeScores: Sendable, Hashable {
  /// The scores in the order of ``names``, from 0 to 1.
  public var values: [Float]

  /// Wraps scores.
  ///
  /// - Precondition: There is one for each name.
  public init(values: [Float]) {
    precondition(values.count == Self.names.count, "there are \(Self.names.count) blendshapes")
    self.values = values
  }

  /// The score of a name; `nil` for a name that is none.
  public subscript(name: String) -> Float? {
    Self.names.firstIndex(of: name).map { values[$0] }
  }

  /// The names, those of ARKit except that `_neutral` comes first and `tongueOut` is not among them.
  ///
  /// - Source: Google, MediaPipe, `face_blendshapes_graph`; Apple, *ARFaceAnchor.BlendShapeLocation*.
  public static let names = [
    "_neutral", "browDownLeft", "browDownRight", "browInnerUp", "browOuterUpLeft",
    "browOuterUpRight", "cheekPuff", "cheekSquintLeft", "cheekSquintRight", "eyeBlinkLeft",
    "eyeBlinkRight", "eyeLookDownLeft", "eyeLookDownRight", "eyeLookInLeft", "eyeLookInRight",
    "eyeLookOutLeft", "eyeLookOutRight", "eyeLookUpLeft", "eyeLookUpRight", "eyeSquintLeft",
    "eyeSquintRight", "eyeWideLeft", "eyeWideRight", "jawForward", "jawLeft", "jawOpen",
    "jawRight", "mouthClose", "mouthDimpleLeft", "mouthDimpleRight", "mouthFrownLeft",
    "mouthFrownRight", "mouthFunnel", "mouthLeft", "mouthLowerDownLeft", "mouthLowerDownRight",
    "mouthPressLeft", "mouthPressRight", "mouthPucker", "mouthRight", "mouthRollLower",
    "mouthRollUpper", "mouthShrugLower", "mouthShrugUpper", "mouthSmileLeft", "mouthSmileRight",
    "mouthStretchLeft", "mouthStretchRight", "mouthUpperUpLeft", "mouthUpperUpRight",
    "noseSneerLeft", "noseSneerRight",
  ]
}
