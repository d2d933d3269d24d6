internal import CKernels
public import PlumblineModel

/// Which face it is and what it does: the coefficients of a ``MorphableModel``.
public struct FaceShape: Sendable, Hashable {
  /// The weight of each mode of identity, in standard deviations.
  public var identity: [Float]
  /// The share of each expression, from 0 to 1.
  public var expression: [Float]

  /// The mean face at rest.
  package init(restingIn model: MorphableModel) {
    identity = Array(repeating: 0, count: model.identityCount)
    expression = Array(repeating: 0, count: model.expressionNames.count)
  }

  /// Creates a shape from its coefficients.
  package init(identity: [Float], expression: [Float]) {
    self.identity = identity
    self.expression = expression
  }
}

extension MorphableModel {
  /// The vertices of a shape, in meters in the head's frame; O(modes · vertices), some 2 ms.
  ///
  /// - Precondition: The shape has as many coefficients as the model has modes.
  public func positions(of shape: FaceShape) -> [PackedPoint] {
    require(shape)
    let padding = [Float](repeating: 0, count: stride - modeCount)
    let coefficients = shape.identity + shape.expression + padding
    return [PackedPoint](unsafeUninitializedCapacity: vertexCount) { buffer, count in
      mean.withUnsafeBytes { mean in
        UnsafeMutableRawBufferPointer(buffer).withMemoryRebound(to: Float.self) { result in
          mean.withMemoryRebound(to: Float.self) { mean in
            // A model has vertices, so neither is empty.
            guard let mean = mean.baseAddress, let result = result.baseAddress else { return }
            plb_face_shape(
              mean, basis, coefficients, Int32(stride), Int32(3 * vertexCount), result)
          }
        }
      }
      count = vertexCount
    }
  }

  /// The vertices of a shape whose identity is known at rest: only expressions that are shown are added,
  /// some 0.2 ms.
  ///
  /// - Precondition: `atRest` are the positions of the shape's identity without expression.
  func positions(of shape: FaceShape, atRest: [PackedPoint]) -> [PackedPoint] {
    require(shape)
    var positions = atRest
    let count = 3 * vertexCount
    positions.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: Float.self) { result in
        expressionModes.withUnsafeBufferPointer { modes in
          guard let result = result.baseAddress, let modes = modes.baseAddress else { return }
          for (k, coefficient) in shape.expression.enumerated() where coefficient != 0 {
            plb_face_add_mode(modes + k * count, coefficient, Int32(count), result)
          }
        }
      }
    }
    return positions
  }

  private func require(_ shape: FaceShape) {
    precondition(
      shape.identity.count == identityCount && shape.expression.count == expressionNames.count,
      "a shape of \(shape.identity.count) and \(shape.expression.count) for \(name)")
  }

  /// The vertices by one sum after another in double precision, the slow twin of ``positions(of:)``.
  package func positionsOneByOne(of shape: FaceShape) -> [PackedPoint] {
    let coefficients = shape.identity + shape.expression
    return mean.indices.map { vertex in
      var sums = mean[vertex].vector
      for axis in 0..<3 {
        for (k, coefficient) in coefficients.enumerated() {
          sums[axis] += Double(coefficient) * Double(basis[(3 * vertex + axis) * stride + k])
        }
      }
      return PackedPoint(x: Float(sums.x), y: Float(sums.y), z: Float(sums.z))
    }
  }
}
