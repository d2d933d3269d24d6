package import PlumblineInference
package import PlumblineModel

/// Finds the landmarks of an image in a crop of it.
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
  /// The outputs are 478 × (x, y, z) in pixels of the crop, which has 256, with z counted from the head's
  /// center in the same unit; and a logit.
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

/// The expected error of each landmark, measured by finding the landmarks of the same faces in varied crops.
///
/// Measured on 2026-11-23: on photos of three people (107, 526 and 1313 pixels large) and nine views
/// of a painted mannequin within 25° of the front, the landmarks of 20 crops each, shifted by up to 5 % of the
/// crop, scaled by up to 15 % and turned by up to 10°, and of the same crops of the mirrored image. A
/// landmark's variance is that over the crops plus a quarter of the squared mean difference between image
/// and mirror image, for each axis; photos together weigh three times as much as the mannequin, and mirrored
/// landmarks share one value.
///
/// Not included are errors that the network makes in every crop and in the mirror image too, such as for a
/// chin under a beard or a forehead under hair. Nothing was compared with landmarks set by hand.
package enum LandmarkSigmas {
  /// The expected errors in pixels, for each axis.
  ///
  /// One part is a share of the face's size, which grows with the turn of the head as 1/cos²; the other is
  /// 0.25 pixels for faces of any size. On reduced photos (24 to 80 pixels) landmarks were 0.11 to 0.31
  /// pixels off those of the full photo; crops of the mannequin spread by 0.37 % at 0°, 0.50 % at 33°,
  /// 0.70 % at 43° and 0.89 % at 48°.
  ///
  /// - Parameters:
  ///   - sidePixels: The longer side of the face, ``FaceLandmarks/sidePixels``.
  ///   - yawRadians: The turn of the head; beyond ±80° as at 80°.
  /// - Returns: One standard deviation for each landmark.
  package static func pixels(sidePixels: Float, yawRadians: Float) -> [Float] {
    let level = max(cosine(yawRadians), 0.17)
    let unit = sidePixels / 10_000 / (level * level)
    return tenThousandths.map { tenThousandth in
      let share = Float(tenThousandth) * unit
      return (share * share + floorPixels * floorPixels).squareRoot()
    }
  }

  /// The part of the error that does not depend on the face's size, in pixels.
  package static let floorPixels: Float = 0.25

  /// The expected error of each landmark of a face from the front, in 1/10,000 of its longer side.
  package static let tenThousandths: [UInt8] = [
    43, 48, 38, 46, 49, 48, 53, 32, 35, 38, 95, 42, 39, 39, 40, 42, 42, 44, 42, 45, 42, 59, 25,
    27, 28, 31, 26, 30, 28, 31, 32, 32, 59, 33, 47, 37, 29, 42, 38, 39, 37, 36, 34, 35, 48, 46,
    37, 28, 43, 41, 34, 46, 43, 39, 66, 37, 29, 34, 60, 43, 39, 38, 37, 41, 42, 43, 42, 86, 48,
    58, 39, 47, 40, 37, 35, 41, 37, 35, 36, 44, 33, 34, 36, 40, 41, 40, 38, 38, 34, 34, 35, 36,
    31, 58, 42, 33, 35, 39, 40, 39, 27, 28, 39, 75, 54, 42, 36, 41, 64, 94, 29, 37, 28, 33, 31,
    42, 40, 36, 33, 29, 26, 26, 47, 41, 35, 45, 30, 57, 28, 38, 32, 40, 59, 29, 41, 54, 63, 47,
    52, 47, 71, 42, 30, 40, 30, 28, 36, 43, 86, 72, 67, 67, 88, 27, 27, 28, 39, 26, 27, 28, 30,
    31, 56, 31, 35, 33, 44, 34, 51, 57, 64, 75, 61, 28, 39, 81, 79, 50, 34, 36, 37, 38, 38, 35,
    36, 37, 32, 39, 39, 28, 28, 34, 44, 46, 48, 49, 47, 52, 34, 69, 55, 52, 38, 33, 43, 32, 31,
    36, 64, 35, 47, 54, 36, 45, 42, 52, 33, 33, 45, 44, 44, 29, 32, 34, 34, 33, 33, 46, 30, 29,
    26, 24, 24, 26, 58, 42, 40, 47, 44, 46, 41, 45, 42, 29, 28, 34, 32, 32, 46, 32, 42, 59, 25,
    27, 28, 31, 26, 30, 28, 31, 32, 32, 59, 33, 47, 37, 29, 42, 38, 39, 37, 36, 34, 35, 48, 46,
    37, 28, 43, 41, 34, 46, 43, 39, 66, 37, 29, 34, 60, 43, 39, 38, 37, 41, 42, 43, 42, 86, 48,
    58, 39, 47, 40, 37, 35, 41, 37, 35, 36, 44, 33, 34, 36, 40, 41, 40, 38, 38, 34, 34, 35, 36,
    31, 58, 33, 35, 39, 40, 39, 27, 28, 39, 75, 54, 42, 36, 41, 64, 94, 29, 37, 28, 33, 31, 42,
    40, 36, 33, 29, 26, 26, 47, 41, 35, 45, 30, 57, 28, 38, 32, 40, 59, 29, 41, 54, 63, 47, 52,
    47, 71, 42, 30, 40, 30, 28, 36, 43, 86, 72, 67, 27, 27, 28, 39, 26, 27, 28, 30, 31, 56, 31,
    33, 44, 34, 57, 64, 75, 61, 28, 39, 79, 50, 34, 36, 37, 38, 38, 35, 36, 37, 32, 39, 39, 28,
    28, 34, 44, 46, 48, 47, 34, 52, 38, 33, 43, 32, 31, 36, 64, 35, 47, 54, 36, 45, 42, 52, 33,
    33, 45, 44, 44, 29, 32, 34, 34, 33, 33, 46, 30, 29, 26, 24, 24, 26, 58, 42, 40, 47, 44, 46,
    41, 45, 42, 29, 28, 34, 32, 32, 30, 31, 32, 32, 32, 30, 32, 32, 31, 32,
  ]
}
