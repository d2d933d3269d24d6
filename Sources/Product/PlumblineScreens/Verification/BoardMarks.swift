public import PlumblineModel

extension BoardObservation {
  /// An image as shown with the corners that were found as green squares.
  ///
  /// - Parameter image: The frame as shown, of any size.
  /// - Returns: The image with its marks. Cost: O(corners) beside the copy.
  public func marked(_ image: Raster<RGB8>) -> Raster<RGB8> {
    var marked = image
    let reach = max(1, max(image.width, image.height) / 200)
    let green = RGB8(red: 60, green: 255, blue: 60)
    for corner in corners {
      let place = corner * SIMD2(Double(image.width), Double(image.height)) - 0.5
      let (x, y) = (Int(place.x.rounded()), Int(place.y.rounded()))
      for dy in -reach...reach {
        for dx in -reach...reach where marked.contains(x: x + dx, y: y + dy) {
          marked[x + dx, y + dy] = green
        }
      }
    }
    return marked
  }
}
