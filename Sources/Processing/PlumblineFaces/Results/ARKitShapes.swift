package import PlumblineGeometry
internal import PlumblineModel

/// The 52 expressions by the names that ARKit gives them.
///
/// - Source: Apple, *ARFaceAnchor.BlendShapeLocation*.
package enum ARKitShapes {
  /// The names, in the order of Apple's documentation of 2023.
  package static let names = [
    "eyeBlinkLeft", "eyeLookDownLeft", "eyeLookInLeft", "eyeLookOutLeft", "eyeLookUpLeft",
    "eyeSquintLeft", "eyeWideLeft", "eyeBlinkRight", "eyeLookDownRight", "eyeLookInRight",
    "eyeLookOutRight", "eyeLookUpRight", "eyeSquintRight", "eyeWideRight", "jawForward", "jawLeft",
    "jawRight", "jawOpen", "mouthClose", "mouthFunnel", "mouthPucker", "mouthLeft", "mouthRight",
    "mouthSmileLeft", "mouthSmileRight", "mouthFrownLeft", "mouthFrownRight", "mouthDimpleLeft",
    "mouthDimpleRight", "mouthStretchLeft", "mouthStretchRight", "mouthRollLower",
    "mouthRollUpper", "mouthShrugLower", "mouthShrugUpper", "mouthPressLeft", "mouthPressRight",
    "mouthLowerDownLeft", "mouthLowerDownRight", "mouthUpperUpLeft", "mouthUpperUpRight",
    "browDownLeft", "browDownRight", "browInnerUp", "browOuterUpLeft", "browOuterUpRight",
    "cheekPuff", "cheekSquintLeft", "cheekSquintRight", "noseSneerLeft", "noseSneerRight",
    "tongueOut",
  ]

  /// The names of the shapes that a model has, and of those that it lacks, each in the order of ``names``.
  package static func names(in model: MorphableModel) -> (present: [String], missing: [String]) {
    (
      names.filter { !expressions(of: $0, in: model).isEmpty },
      names.filter { expressions(of: $0, in: model).isEmpty }
    )
  }

  /// The model's expressions that make one of ARKit's; none for what the model has not, such as
  /// `tongueOut` of a model without a tongue.
  ///
  /// `X_L` is `XLeft`; where ARKit has one shape for both sides, it is both.
  static func expressions(of name: String, in model: MorphableModel) -> [Int] {
    var wanted = [name, name + "_L", name + "_R"]
    if name.hasSuffix("Left") { wanted.append(name.dropLast(4) + "_L") }
    if name.hasSuffix("Right") { wanted.append(name.dropLast(5) + "_R") }
    // jawLeft and mouthLeft are whole names.
    if model.expressionNames.contains(name) { wanted = [name] }
    return model.expressionNames.indices.filter { wanted.contains(model.expressionNames[$0]) }
  }
}

/// A face at rest with its expressions beside it, for programs that move it.
package struct AnimatedFace: Sendable {
  /// The face at rest, with what was measured of it, in the camera's frame, meters.
  package let neutral: TriangleMesh
  /// The shapes of ``ARKitShapes`` that the model has, in their order; none is empty.
  package let targets: [MorphTarget]
  /// The weight of each shape in the image.
  package let weights: [Float]
  /// The coefficients of ``neutral``: those of the image without what ``weights`` move.
  package let shape: FaceShape
  /// The names of the shapes that the model lacks.
  package let missingNames: [String]

  /// Separates the expressions of a result from the face at rest.
  ///
  /// The shapes are linear and the measured displacement stays as it is, so that ``neutral`` with all
  /// ``weights`` is the image's face, but for expressions that ARKit has no name for: those stay in it.
  ///
  /// - Complexity: O(modes · vertices).
  package static func separated(
    _ result: FaceResult, model: MorphableModel
  ) -> AnimatedFace {
    let rotation = result.fit.state.cameraFromHead.rotation
    let (x, y, z) = (
      SIMD3<Float>(rotation.x), SIMD3<Float>(rotation.y), SIMD3<Float>(rotation.z)
    )
    var positions = result.mesh.positions
    var targets: [MorphTarget] = []
    var weights: [Float] = []
    var missing: [String] = []
    var shape = result.fit.state.shape
    for name in ARKitShapes.names {
      let members = ARKitShapes.expressions(of: name, in: model)
      guard !members.isEmpty else {
        missing.append(name)
        continue
      }
      var deltas = [PackedPoint](
        repeating: PackedPoint(x: 0, y: 0, z: 0), count: model.vertexCount)
      let weight =
        members.reduce(0) { $0 + result.fit.state.shape.expression[$1] } / Float(members.count)
      for member in members {
        let mode = model.identityCount + member
        for vertex in deltas.indices {
          let start = 3 * vertex * model.stride + mode
          let way =
            x * model.basis[start] + y * model.basis[start + model.stride]
            + z * model.basis[start + 2 * model.stride]
          deltas[vertex].x += way.x
          deltas[vertex].y += way.y
          deltas[vertex].z += way.z
        }
      }
      if weight != 0 {
        for member in members { shape.expression[member] -= weight }
        for vertex in deltas.indices {
          positions[vertex].x -= weight * deltas[vertex].x
          positions[vertex].y -= weight * deltas[vertex].y
          positions[vertex].z -= weight * deltas[vertex].z
        }
      }
      targets.append(MorphTarget(name: name, deltas: deltas))
      weights.append(weight)
    }
    var neutral = result.mesh
    neutral.positions = positions
    neutral.normals = neutral.areaWeightedNormals
    return AnimatedFace(
      neutral: neutral, targets: targets, weights: weights, shape: shape, missingNames: missing)
  }
}
