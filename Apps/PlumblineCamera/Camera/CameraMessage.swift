import PlumblineScreens
import SwiftUI

/// What a person has to know of a camera, and the button that starts it again.
struct CameraMessage: View {
  let run: CameraRun
  let retry: () -> Void

  var body: some View {
    if let message = run.message { Text(message).foregroundStyle(.orange) }
    if run.canRetry { Button("Start the camera again") { retry() } }
  }
}
