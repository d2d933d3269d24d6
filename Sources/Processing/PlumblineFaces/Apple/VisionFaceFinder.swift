#if canImport(Vision)
  internal import CoreVideo
  internal import Foundation
  public import PlumblineInference
  public import PlumblineModel
  internal import Vision

  /// Finds faces and their 76 landmarks by Apple's Vision; **untried**, type-checked only.
  ///
  /// - Source: Apple, *VNDetectFaceLandmarksRequest*, revision 3, constellation of 76 points.
  public struct VisionFaceFinder: Sendable {
    /// `Vision (76 points)`.
    public static let name = "Vision (76 points)"

    /// Creates a finder.
    public init() {}

    /// The faces of an image, the largest first.
    ///
    /// - Parameter image: The image, upright and no mirror image.
    /// - Returns: The faces with landmarks; none is no error.
    /// - Throws: `.failed` where the system cannot look for faces. Cost: some 10 ms on a phone.
    public func faces(in image: Raster<RGB8>) throws(InferenceError) -> [VisionFace] {
      guard let buffer = CVBuffer.image(image) else {
        throw InferenceError(
          .failed, Self.name, expected: "memory for the image", found: "none for \(image.size)")
      }
      let request = VNDetectFaceLandmarksRequest()
      // The points of another revision would have other places.
      request.revision = VNDetectFaceLandmarksRequestRevision3
      request.constellation = .constellation76Points
      do {
        try VNImageRequestHandler(cvPixelBuffer: buffer, options: [:]).perform([request])
      } catch {
        throw InferenceError(
          .failed, Self.name, expected: "a search for faces without error", found: "\(error)")
      }
      return (request.results ?? [])
        .sorted { $0.boundingBox.height > $1.boundingBox.height }
        .compactMap { VisionFace($0, in: image.size) }
    }
  }

  extension VisionFace {
    /// The landmarks of an observation; `nil` where it has none.
    fileprivate init?(_ observation: VNFaceObservation, in size: RasterSize) {
      guard let landmarks = observation.landmarks else { return nil }
      var points: [Region: [SIMD2<Float>]] = [:]
      let imageSize = CGSize(width: size.width, height: size.height)
      for region in Region.allCases {
        points[region] = landmarks.region(region)?.pointsInImage(imageSize: imageSize).map {
          Self.pixel(ofVisionPoint: SIMD2(Double($0.x), Double($0.y)), in: size)
        }
      }
      self.init(points: points, confidence: observation.confidence)
    }
  }

  extension VNFaceLandmarks2D {
    fileprivate func region(_ region: VisionFace.Region) -> VNFaceLandmarkRegion2D? {
      switch region {
      case .faceContour: faceContour
      case .medianLine: medianLine
      case .leftEyebrow: leftEyebrow
      case .rightEyebrow: rightEyebrow
      case .leftEye: leftEye
      case .rightEye: rightEye
      case .leftPupil: leftPupil
      case .rightPupil: rightPupil
      case .nose: nose
      case .noseCrest: noseCrest
      case .outerLips: outerLips
      case .innerLips: innerLips
      }
    }
  }
#endif
