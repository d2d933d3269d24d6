internal import PlumblineModel

extension ModelCard {
  /// The shape of the input tensor for one image.
  public var inputShape: [Int] {
    switch layout {
    case .nchw: [1, 3, inputSize.height, inputSize.width]
    case .nhwc: [1, inputSize.height, inputSize.width, 3]
    }
  }
}
