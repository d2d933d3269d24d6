import PlumblineEstimation
import Testing

@Suite struct EstimationErrorTests {
  @Test func anErrorSaysWhatIsNeededAndWhatThereIs() {
    let error = EstimationError(.missing, expected: "a picture", found: "a depth map alone")
    #expect("\(error)" == "expected a picture, found a depth map alone")
  }
}
