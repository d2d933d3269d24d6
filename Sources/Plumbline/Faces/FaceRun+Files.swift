import PlumblineFaces
import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineViewer

extension FaceRun {
  /// The heads as files in memory, their pages and images, and `face.json`.
  ///
  /// - Throws: `MeshError` for a mesh that no format can hold, ``PhotoWritingError`` for an image that
  ///   cannot be coded. Cost: some 0.7 s a face.
  public var files: [Extraction.File] {
    get throws {
      var files: [Extraction.File] = []
      for (index, face) in faces.enumerated() {
        let name = "face-\(index + 1)"
        let mesh = try FaceFiles(face, of: self, baseName: name)
        let images = FaceImages(face, of: self)
        files += try mesh.files
        let page = try FacePage(face, number: index + 1, of: self, mesh, images)
        files.append(Extraction.File(name: "\(name).html", bytes: page.html()))
        files.append(
          Extraction.File(
            name: "\(name)-landmarks.png", bytes: PNGEncoder().encoded(images.landmarks)))
        if let residual = images.residual {
          files.append(
            Extraction.File(name: "\(name)-residual.png", bytes: PNGEncoder().encoded(residual)))
        }
      }
      files.append(Extraction.File(name: "face.json", bytes: JSONWriter().bytes(document())))
      return files
    }
  }

  /// The page of a face, counted from 1.
  ///
  /// - Throws: As ``files``. Cost: some 0.3 s.
  /// - Precondition: There is a face of that number.
  func page(of number: Int) throws -> FacePage {
    precondition(faces.indices.contains(number - 1), "face \(number) of \(faces.count)")
    let face = faces[number - 1]
    return try FacePage(
      face, number: number, of: self, FaceFiles(face, of: self, baseName: "face-\(number)"),
      FaceImages(face, of: self))
  }
}
