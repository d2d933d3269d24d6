import SwiftUI

/// Previews and records depth, and takes depth photos.
@main
struct PlumblineCameraApp: App {
  var body: some Scene {
    WindowGroup { CameraView() }
  }
}
