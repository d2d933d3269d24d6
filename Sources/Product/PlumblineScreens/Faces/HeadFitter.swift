import Plumbline
public import PlumblineFaces
public import PlumblineModel

/// Fits heads to a live frame whose faces Vision finds.
public struct HeadFitter: Sendable {
  private let fitter: PhotoFaceFitter
  private let model: MorphableModel

  /// Prepares for a morphable model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - landmarkerName: What finds the landmarks, by name.
  public init(_ model: MorphableModel, landmarkerName: String) {
    self.model = model
    fitter = PhotoFaceFitter(
      FaceModels(model, landmarkerName: landmarkerName, runtimeName: landmarkerName))
  }

  /// Fits the faces of a frame, and refines them by its depth.
  ///
  /// - Parameters:
  ///   - capture: The frame.
  ///   - name: What files and messages call it.
  ///   - find: Finds the faces in the upright image.
  /// - Returns: The faces in words and files. No face is no error.
  /// - Throws: ``PhotoFaceError`` without an image, ``FaceFitError`` for points that are no face of Vision's,
  ///   and what `find` throws. Cost: some 0.8 s a face.
  public func fit(
    _ capture: Capture, named name: String, faces find: (Raster<RGB8>) throws -> [VisionFace]
  ) throws -> FaceSummary {
    let analysis = try CaptureAnalyzer().analyze(capture, fileName: name)
    let faces = try fitter.fit(analysis) { image in
      try find(image).map { try FaceLandmarks($0, on: model) }
    }
    return FaceSummary(faces)
  }
}
