/// Who is brought what a hub shows; called on the source's thread, which must not be held up.
protocol LiveWatcher: AnyObject, Sendable {
  /// The number of clients behind it.
  var viewerCount: Int { get }
  /// It has joined, and there is no source yet.
  func beginWithoutSource()
  /// It has joined when the last source was over.
  func begin(after ended: EndedFeed)
  /// A source is shown from now on.
  func begin(_ feed: LiveFeed)
  /// The newest frame of a source, which is left aside unless that is still the one shown.
  func offer(_ frame: LiveFrame, of feed: LiveFeed)
  /// That source is over.
  func end(reason: String)
}
