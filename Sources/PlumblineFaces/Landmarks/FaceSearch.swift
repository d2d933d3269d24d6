/// What a search for the faces of an image gave.
public struct FaceSearch: Sendable, Hashable {
  /// The faces, best detection first, refused ones too: look at ``LandmarkedFace/isUsable``.
  public var faces: [LandmarkedFace]
  /// How the image was looked at; where there is no face, the last look.
  public var view: FaceDetector.View
  /// What the detector took for a face and the landmarks did not.
  public var rejected: [RejectedFace]

  /// Those that no doubt refuses.
  public var usableFaces: [LandmarkedFace] { faces.filter(\.isUsable) }
}

extension FaceSearch: CustomStringConvertible {
  /// What was found and what was refused, in one line for each.
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
