import PlumblineModel
import PlumblineVerification
import PlumblineViewer
import PlumblineVision

extension CalibrationVerification {
  /// How far apart the device's own camera and the measured one see the same rays, the rotation of
  /// the whole camera taken out.
  ///
  /// - Parameter measurement: The camera that `calibrate` took; `nil` for that of the verdict.
  /// - Returns: The figure; `nil` where one of the cameras is not known.
  func differenceFigure(_ measurement: CalibrationMeasurement?) -> FigurePage.Figure? {
    guard let factory = factoryCamera, let own = measurement?.camera ?? measured?.camera,
      factory.intrinsics.size == own.intrinsics.size
    else { return nil }
    let difference = ProjectionDifference(factory, own, secondUncertainty: projection)
    guard let whole = difference.summary, let rotated = difference.summaryWithoutRotation,
      let degrees = difference.angleDegrees
    else { return nil }
    let sigmas = difference.maximumSigmas.map { ", at most \($0.fixed(1)) times its ±" } ?? ""
    return FigurePage.Figure(
      title: "Factory and measured camera",
      caption: ("Each arrow leads from where the factory's camera sees a ray, its dot, to where the "
        + "measured one sees it, once a rotation of \(degrees.fixed(3))° is taken out: up to "
        + "\(rotated.maximumPixels.fixed(2)) px\(sigmas); \(whole.maximumPixels.fixed(2)) px with the "
        + "rotation. Arrows along the radius alone mean another focal length or lens.").boundUnits,
      drawing: .vectors(
        difference.figure(of: own.intrinsics.size, \.differenceWithoutRotation)))
  }
}
