import PlumblineFaces
import PlumblineIO
import PlumblineExport
import Synchronization

/// Loads the networks and the morphable model of heads; called once, when a face is first requested.
public typealias FaceModelLoader = @Sendable () throws -> FaceModels

/// Fits the heads of a viewer's frame, and renders their list and their pages.
///
/// The heads of the last frame are cached, since its pages are requested after its list; so are the models.
final class FacePageRenderer: Sendable {
  private let loader: FaceModelLoader
  private let models = Mutex<FaceModels?>(nil)
  private let cache = LastFrameCache<PhotoFaces>()

  /// Takes what loads the models; nothing is loaded yet.
  init(_ loader: @escaping FaceModelLoader) { self.loader = loader }

  /// The faces of a frame, as `plumbline.faces/1`.
  ///
  /// - Throws: What reading the frame throws, ``PhotoFaceError`` without an image, `InferenceError` without models.
  func list(of item: ViewedItem, _ index: Int, _ frame: Int) throws -> ViewResponse {
    let photo = try photo(item, index, frame)
    let faces = photo.faces.map { face in
      let words = FaceWords(face.scale)
      return JSONValue.object([
        ("badge", .string(words.badge)), ("headline", .string(words.headline)),
        ("statement", .string(face.statement)),
      ])
    }
    return .document(
      JSONValue.object([
        ("schema", "plumbline.faces/1"), ("faces", .array(faces)),
        ("findings", .array(photo.findings.map(\.document))),
      ]).printable)
  }

  /// The page of a face, counted from 1.
  ///
  /// - Throws: What ``list(of:_:_:)`` throws, and errors of meshes and images that no format can hold.
  func page(_ number: Int, of item: ViewedItem, _ index: Int, _ frame: Int) throws -> ViewResponse {
    let photo = try photo(item, index, frame)
    guard photo.faces.indices.contains(number - 1) else {
      return .missing("there is no face \(number) among \(photo.faces.count)")
    }
    return ViewResponse(
      mediaType: "text/html; charset=utf-8", bytes: try photo.page(of: number).html(),
      isSelfContainedPage: true, scriptPolicyWord: FacePage.scriptPolicyWord)
  }

  private func photo(_ item: ViewedItem, _ index: Int, _ frame: Int) throws -> PhotoFaces {
    try cache.value(item: index, frame: frame) {
      let models = try models.withLock { models in
        if let models { return models }
        let loaded = try loader()
        models = loaded
        return loaded
      }
      return try item.faces(of: frame, by: models)
    }
  }
}
