import PlumblineInference
import Testing

@Suite struct EstimationErrorTests {
  @Test func anErrorSaysWhatIsNeededAndWhatThereIs() {
    let error = EstimationError(.missing, expected: "an image", found: "a depth map alone")
    #expect("\(error)" == "expected an image, found a depth map alone")
  }
}
