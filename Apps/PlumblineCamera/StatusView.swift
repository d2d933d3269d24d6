import Plumbline
import SwiftUI

/// Rate, losses, warmth, disk.
struct StatusView: View {
  let model: CameraModel

  var body: some View {
    VStack(alignment: .leading) {
      Text(model.status.rateText).monospacedDigit()
      Text(model.status.lossText)
      Text(model.status.warmthText)
      Text(
        CaptureStatus.diskText(
          freeBytes: model.freeBytes, bytesPerSecond: model.recording?.bytesPerSecond))
      if let recording = model.recording {
        Text("Recording: " + recording.text).foregroundStyle(.red)
      }
    }
    .font(.caption)
  }
}
