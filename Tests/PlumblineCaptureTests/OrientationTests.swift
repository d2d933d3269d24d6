import PlumblineCapture
import PlumblineModel
import Testing

@Suite("Orientation and mirroring")
struct OrientationTests {
  @Test("AVFoundation's cameras are mounted for landscape")
  func avfoundation() {
    let back = SensorOrientation(interface: .avfoundation, isAtFront: false)
    let front = SensorOrientation(interface: .avfoundation, isAtFront: true)
    #expect(
      DeviceOrientation.allCases.map { back.uprightFromStored(held: $0) } == [
        .right, .left, .up, .down,
      ])
    // Apple's sample shows the front camera as a mirror.
    #expect(
      DeviceOrientation.allCases.map { front.mirrorImageFromStored(held: $0) } == [
        .leftMirrored, .rightMirrored, .downMirrored, .upMirrored,
      ])
    #expect(!back.isMirrored && !front.isMirrored)
  }

  @Test("ARKit's front camera is flipped along the sensor's y, left to right in portrait")
  func arkit() {
    let front = SensorOrientation(interface: .arkit, isAtFront: true)
    let back = SensorOrientation(interface: .arkit, isAtFront: false)
    #expect(front.isMirrored && !back.isMirrored)
    for held in DeviceOrientation.allCases {
      let other = SensorOrientation(interface: .avfoundation, isAtFront: true)
      #expect(
        front.uprightFromStored(held: held)
          == ImageOrientation.downMirrored.followed(by: other.uprightFromStored(held: held)))
      #expect(
        back.uprightFromStored(held: held)
          == SensorOrientation(interface: .avfoundation, isAtFront: false)
          .uprightFromStored(held: held))
    }
    #expect(front.uprightFromStored(held: .portrait) == .leftMirrored)
  }

  @Test(
    "Mirroring in the connection is undone, and what is mirrored says so",
    arguments: [CaptureSource.Interface.avfoundation, .arkit], [false, true])
  func connection(interface: CaptureSource.Interface, isAtFront: Bool) {
    let plain = SensorOrientation(interface: interface, isAtFront: isAtFront)
    var mirrored = plain
    mirrored.isMirroredByConnection = true
    for held in DeviceOrientation.allCases {
      #expect(
        mirrored.uprightFromStored(held: held)
          == ImageOrientation.upMirrored.followed(by: plain.uprightFromStored(held: held)))
      #expect(mirrored.uprightFromStored(held: held).isMirrored == mirrored.isMirrored)
      #expect(plain.uprightFromStored(held: held).isMirrored == plain.isMirrored)
    }
  }

  // Principal points of arXiv 2201.10865, table 3: iPad Pro 12.9" 4th generation.
  @Test("ARKit's principal point follows from AVFoundation's, to the hundredths that are published")
  func principalPoint() {
    let arkit = ARKitFrontCrop.iPad.arkitPoint(fromAVFoundation: [1535.93, 1157.79])
    #expect(abs(arkit.x - 1616.43) < 0.006)
    // The published sum of rows is 2373.49, the rule's 2373.5.
    #expect(abs(arkit.y - 1215.70) < 0.016)
    let back = ARKitFrontCrop.iPad.avfoundationPoint(fromARKit: arkit)
    #expect(abs(back.x - 1535.93) < 1e-9 && abs(back.y - 1157.79) < 1e-9)
  }

  @Test("The sums of rows are those that were published")
  func sums() {
    for (crop, sum) in [(ARKitFrontCrop.iPhone, 3023.49), (.iPad, 2373.49)] {
      let point = crop.arkitPoint(fromAVFoundation: [1000, 700])
      #expect(abs(point.y + 700 - sum) < 0.011)
      let columns = Double(crop.arkitSize.width - crop.avfoundationSize.width)
      #expect(point.x == 1000 + columns / 2 + 0.5)
    }
    // Offsets: 80 columns, 58 rows from one side and 62 from the other.
    let iPad = ARKitFrontCrop.iPad
    #expect((iPad.arkitSize.width - iPad.avfoundationSize.width) / 2 == 80)
    #expect(iPad.arkitSize.height - iPad.avfoundationSize.height - iPad.firstRow == 62)
    #expect(abs(iPad.zoom - 0.950739) < 5e-7)
  }
}
