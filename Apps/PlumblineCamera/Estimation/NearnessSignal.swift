import AVFAudio
import Foundation
import PlumblineScreens
import UIKit

/// The warning of what is too near: a tone, and haptics where the device has them.
@MainActor
final class NearnessSignal {
  private let haptics = UINotificationFeedbackGenerator()
  private let player: AVAudioPlayer?

  /// Prepares the tone; without a player the haptics warn alone.
  init() { player = try? AVAudioPlayer(data: Data(WarningTone().wav)) }

  /// Wakes what warns.
  ///
  /// The tone is heard with the ringer switched off too, beside other sounds.
  func prepare() {
    try? AVAudioSession.sharedInstance().setCategory(
      .playback, mode: .default, options: .mixWithOthers)
    player?.prepareToPlay()
    haptics.prepare()
  }

  /// Warns once.
  func warn() {
    player?.play()
    haptics.notificationOccurred(.warning)
    // The next one comes a second later at the earliest: the engine is awake by then.
    haptics.prepare()
  }
}
