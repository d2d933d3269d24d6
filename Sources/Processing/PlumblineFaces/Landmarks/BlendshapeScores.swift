package import PlumblineInference

/// How strongly a face shows each of 52 expressions, as MediaPipe's Blendshape V2 rates them.
public struct BlendshapeScores: Sendable, Hashable {
  /// The scores in the order of ``names``, from 0 to 1.
  public var values: [Float]

  /// Creates scores from their values.
  ///
  /// - Precondition: There is one for each name.
  package init(values: [Float]) {
    precondition(values.count == Self.names.count, "there are \(Self.names.count) blendshapes")
    self.values = values
  }

  /// The score of a name; `nil` for a name that is not among ``names``.
  package subscript(name: String) -> Float? {
    Self.names.firstIndex(of: name).map { values[$0] }
  }

  /// The names, those of ARKit except that `_neutral` comes first and `tongueOut` is not among them.
  ///
  /// - Source: Google, MediaPipe, `face_blendshapes_graph`; Apple, *ARFaceAnchor.BlendShapeLocation*.
  package static let names = [
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

/// Rates expressions from landmarks.
package struct BlendshapeReader: Sendable {
  package let network: any NeuralNetwork

  /// The scores of a face.
  ///
  /// - Throws: ``InferenceError``: `.mismatch` for a score that is no number.
  package func scores(of landmarks: FaceLandmarks) throws(InferenceError) -> BlendshapeScores {
    // The network itself removes position, size and roll; pixels keep the aspect ratio of the image.
    let values = Self.landmarks.flatMap { index in
      [landmarks.points[index].x, landmarks.points[index].y]
    }
    let output = try network.run([Tensor(shape: [1, Self.landmarks.count, 2], values: values)])[0]
    guard output.values.count == BlendshapeScores.names.count,
      output.values.allSatisfy(\.isFinite)
    else {
      throw InferenceError(
        .mismatch, FaceModel.name, expected: "\(BlendshapeScores.names.count) finite scores",
        found: "others")
    }
    return BlendshapeScores(values: output.values)
  }

  /// The landmarks that the network takes, in its order.
  ///
  /// - Source: Google, MediaPipe 1.2.2, `face_blendshapes_graph`.
  package static let landmarks: [Int] = [
    0, 1, 4, 5, 6, 7, 8, 10, 13, 14, 17, 21, 33, 37, 39, 40, 46, 52, 53, 54, 55, 58, 61, 63, 65, 66,
    67, 70, 78, 80, 81, 82, 84, 87, 88, 91, 93, 95, 103, 105, 107, 109, 127, 132, 133, 136, 144,
    145, 146, 148, 149, 150, 152, 153, 154, 155, 157, 158, 159, 160, 161, 162, 163, 168, 172, 173,
    176, 178, 181, 185, 191, 195, 197, 234, 246, 249, 251, 263, 267, 269, 270, 276, 282, 283, 284,
    285, 288, 291, 293, 295, 296, 297, 300, 308, 310, 311, 312, 314, 317, 318, 321, 323, 324, 332,
    334, 336, 338, 356, 361, 362, 365, 373, 374, 375, 377, 378, 379, 380, 381, 382, 384, 385, 386,
    387, 388, 389, 390, 397, 398, 400, 402, 405, 409, 415, 454, 466, 468, 469, 470, 471, 472, 473,
    474, 475, 476, 477,
  ]
}
