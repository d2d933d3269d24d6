import Plumbline
import PlumblineScreens
import SwiftUI

/// What a person can choose for a photo; what the camera would not do says why.
struct PhotoOptionsView: View {
  @Binding var screen: PhotosScreen

  var body: some View {
    Toggle("Keep photos in Files", isOn: $screen.storage.usesFiles)
    Toggle("Add photos to Photos", isOn: $screen.storage.usesPhotos)
    Picker("File", selection: container) {
      Text("HEIF").tag(DepthPhotoSettings.Container.heif)
      Text("JPEG").tag(DepthPhotoSettings.Container.jpeg)
    }
    ForEach(screen.flashRows) { OptionSwitch(row: $0, screen: $screen) }
    ForEach(screen.optionRows) { OptionSwitch(row: $0, screen: $screen) }
    ForEach(screen.notes, id: \.self) { Text($0).font(.caption) }
  }

  private var container: Binding<DepthPhotoSettings.Container> {
    Binding(get: { screen.choices.settings.container }, set: { screen.set($0) })
  }
}

/// One option.
private struct OptionSwitch: View {
  let row: PhotoOptionRow
  @Binding var screen: PhotosScreen

  var body: some View {
    Toggle(row.name, isOn: isOn).disabled(!row.isEnabled)
    ForEach(row.refusals, id: \.self) { Text($0).font(.caption) }
  }

  private var isOn: Binding<Bool> {
    Binding(get: { screen.choices.isOn(row.option) }, set: { screen.set(row.option, $0) })
  }
}
