import Foundation
import Photos
import PlumblineScreens

/// The user's photo library, to which the app only adds.
enum PhotoLibrary {
  /// Requests permission where the person was not asked yet.
  static func access() async -> PhotoLibraryAccess {
    switch await PHPhotoLibrary.requestAuthorization(for: .addOnly) {
    case .authorized, .limited: .allowed
    case .denied: .denied
    case .restricted: .restricted
    case .notDetermined: .unasked
    @unknown default: .denied
    }
  }

  /// Adds a photo, byte for byte, with the movie of a Live Photo where there is one.
  ///
  /// A `UIImage` would lose depth and mattes, so the file itself is added.
  /// - Returns: Why not; `nil` when it is there.
  static func add(_ photo: [UInt8], name: String, movie: URL?) async -> String? {
    let data = Data(photo)
    do {
      try await PHPhotoLibrary.shared().performChanges {
        let options = PHAssetResourceCreationOptions()
        options.originalFilename = name
        let request = PHAssetCreationRequest.forAsset()
        request.addResource(with: .photo, data: data, options: options)
        if let movie { request.addResource(with: .pairedVideo, fileURL: movie, options: nil) }
      }
      return nil
    } catch { return error.localizedDescription }
  }
}
