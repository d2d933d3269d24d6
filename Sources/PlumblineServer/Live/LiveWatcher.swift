/// A receiver of what a hub shows; called on the source's thread, which must not be blocked.
protocol LiveWatcher: AnyObject, Sendable {
  /// The number of clients behind it.
  var viewerCount: Int { get }
  /// It has joined, and there is no source yet.
  func beginWithoutSource()
  /// It has joined when the last source was over.
  func begin(after ended: EndedFeed)
  /// A source is shown from now on.
  func begin(_ feed: LiveFeed)
  /// Takes the latest frame of a source; it is ignored unless that source is still shown.
  func offer(_ frame: LiveFrame, of feed: LiveFeed)
  /// The source that is shown has ended.
  func end(reason: String)
}
