package import PlumblineInference
package import PlumblineModel

/// From a crop of an image to landmarks in the image.
package struct LandmarkReader: Sendable {
  package let network: any NeuralNetwork
  package var sampler = CropSampler.landmarks

  /// The landmarks of the face that a crop shows, whatever their presence.
  ///
  /// - Throws: ``InferenceError``: `.mismatch` for numbers that are none. Cost: one run.
  package func landmarks(
    of crop: FaceCrop, in image: Raster<RGB8>
  ) throws(InferenceError) -> FaceLandmarks {
    let outputs = try network.run([sampler.tensor(of: crop, in: image)])
    return try Self.decoded(outputs, crop)
  }

  /// The same, out of what was read of the image for a crop before, or with room for the next crop.
  ///
  /// - Throws: ``InferenceError``: `.mismatch` for numbers that are none.
  func landmarks(
    of crop: FaceCrop, in image: Raster<RGB8>, keeping part: inout ReducedPart?
  ) throws(InferenceError) -> FaceLandmarks {
    let tensor = sampler.tensor(
      of: crop, in: image, room: ReducedPart.roomForNext, keeping: &part)
    return try Self.decoded(network.run([tensor]), crop)
  }

  /// Brings a network's numbers into the image.
  ///
  /// The outputs are 478 × (x, y, z) in pixels of the crop's 256, z in the same unit from the head's center
  /// on, and a logit.
  ///
  /// - Throws: `.mismatch` for numbers that are none.
  /// - Source: Google, MediaPipe, `face_landmarks_detector_graph` and `TensorsToLandmarksCalculator`: positions
  ///   over 256, z too, presence by the logistic function.
  package static func decoded(
    _ outputs: [Tensor], _ crop: FaceCrop
  ) throws(InferenceError) -> FaceLandmarks {
    let numbers = outputs[0].values
    guard numbers.allSatisfy(\.isFinite), let logit = outputs[1].values.first, logit.isFinite else {
      throw InferenceError(
        .mismatch, FaceModel.name, expected: "finite landmarks", found: "NaN or infinite ones")
    }
    let side = Float(CropSampler.landmarks.inputSide)
    var points: [SIMD2<Float>] = []
    var depths: [Float] = []
    points.reserveCapacity(FaceLandmarks.count)
    depths.reserveCapacity(FaceLandmarks.count)
    for index in 0..<FaceLandmarks.count {
      let place = SIMD2(numbers[3 * index], numbers[3 * index + 1]) / side
      points.append(crop.pointInImage(place))
      depths.append(numbers[3 * index + 2] / side * crop.sidePixels)
    }
    var landmarks = FaceLandmarks(
      points: points, relativeDepths: depths,
      sigmasPixels: Array(repeating: 0, count: FaceLandmarks.count), presence: sigmoid(logit))
    landmarks.sigmasPixels = LandmarkSigmas.pixels(
      sidePixels: landmarks.sidePixels, yawRadians: HeadTurn(landmarks).yawRadians)
    return landmarks
  }
}
