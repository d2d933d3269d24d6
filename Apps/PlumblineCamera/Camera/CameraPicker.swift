import Plumbline
import SwiftUI

/// Which camera, and whether the system smooths its depth.
struct CameraPicker: View {
  @Binding var camera: CameraSelection
  @Binding var isFiltered: Bool

  var body: some View {
    Picker("Camera", selection: $camera) {
      ForEach(CameraSelection.allCases, id: \.self) { Text($0.name).tag($0) }
    }
    Toggle("Let the system smooth depth and fill holes", isOn: $isFiltered)
      .disabled(!camera.hasFilterChoice)
  }
}
