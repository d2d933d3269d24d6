/// The result of a search for the faces of an image.
public struct FaceSearch: Sendable, Hashable {
  /// The faces, best detection first, refused ones too: check ``LandmarkedFace/isUsable``.
  public var faces: [LandmarkedFace]
  /// How the image was searched; where there is no face, the last search.
  public var view: FaceDetector.View
  /// Detections that the landmarks did not confirm as faces.
  public var rejected: [RejectedFace]

  /// The faces that are not refused.
  public var usableFaces: [LandmarkedFace] { faces.filter(\.isUsable) }
}

extension FaceSearch: CustomStringConvertible {
  /// The found and the refused faces, in one line each.
  public var description: String {
    let way =
      switch view {
      case .whole: "in the whole image"
      case .tiles(let side): "in squares of \(Int(side)) pixels, after none in the whole image"
      }
    var lines = faces.enumerated().map { index, face in
      let side = Int(face.landmarks.sidePixels.rounded())
      let verdict = face.isUsable ? "usable" : "refused"
      return (["face \(index + 1): \(side) pixels, \(verdict)"] + face.doubts.map(\.description))
        .joined(separator: "; ")
    }
    lines += rejected.map { rejected in
      (["refused"] + rejected.doubts.map(\.description)).joined(separator: "; ")
    }
    return (["\(faces.isEmpty ? "no face, looked for" : "found") \(way)"] + lines)
      .joined(separator: "\n")
  }
}
