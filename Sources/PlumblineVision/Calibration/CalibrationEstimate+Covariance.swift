import PlumblineModel
import PlumblineNumerics

extension CalibrationEstimate {
  /// Reads an estimate off a problem at rest.
  init(
    _ problem: ReprojectionProblem, views boardViews: [BoardView], numbers: [Int], skipped: [Int],
    scale: Double
  ) throws(CalibrationError) {
    let residuals = problem.residuals
    camera = problem.camera
    parameters = problem.parameters
    skippedViews = skipped
    scalePixels = scale
    var all = SquaredDistances()
    views = []
    for (place, view) in boardViews.enumerated() {
      var own = SquaredDistances()
      var corners: [Corner] = []
      for (index, corner) in view.corners.enumerated() {
        let isRejected = problem.views[place].weights[index] == 0
        let residual = residuals[place][index]
        if !isRejected { own.add(residual) }
        corners.append(Corner(corner: corner, residual: residual, isRejected: isRejected))
      }
      all.sum += own.sum
      all.count += own.count
      views.append(
        View(
          index: numbers[place], cameraFromBoard: problem.poses[place], rmsPixels: own.root,
          corners: corners))
    }
    rmsPixels = all.root
    let spread = try CovarianceSpread(
      problem, residuals: residuals,
      singular: problem.parameters == [.focal]
        ? CameraCalibrator.unobservable("boards that never lean away from the image plane") : nil)
    formalCovariance = spread.formal.values
    jackknifeCovariance = spread.jackknife.values
    if let sigma = sigma(of: .focal), !(sigma <= CameraCalibrator.largestFocalSigma * focal) {
      let percent = (sigma / focal * 1000).rounded() / 10
      throw CameraCalibrator.unobservable("a focal length with ±\(percent) %")
    }
  }
}
