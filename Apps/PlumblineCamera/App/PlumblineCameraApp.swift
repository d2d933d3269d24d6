import SwiftUI

/// Shows live depth, takes photos with depth, records and sends streams, estimates depth, fits faces and
/// checks the camera of this device.
@main
struct PlumblineCameraApp: App {
  var body: some Scene {
    WindowGroup { HomeView() }
  }
}
