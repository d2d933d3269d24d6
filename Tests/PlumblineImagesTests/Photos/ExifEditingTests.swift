import PlumblineImages
import PlumblineModel
import PlumblineTestSupport
import Testing

/// Changes of an Exif block that leave everything else where it is.
@Suite("Exif editing")
struct ExifEditingTests {
  @Test("An orientation that is there is overwritten, and no other byte", arguments: [true, false])
  func inPlace(isBig: Bool) throws {
    let block = SamplePhotos.exif(orientation: 6, isBig: isBig)
    var editing = try ExifEditing(block)
    editing.setOrientation(.left)
    #expect(editing.block.count == block.count)
    #expect(zip(editing.block, block).count { $0 != $1 } == 1)
    #expect(try ExifMetadata(tiff: editing.block[...]).orientation == 8)
  }

  @Test(
    "One that is not there is added behind the end; all that was stays", arguments: [true, false])
  func added(isBig: Bool) throws {
    let block = SamplePhotos.exif(orientation: nil, isBig: isBig)
    var editing = try ExifEditing(block)
    editing.setOrientation(.right)
    let metadata = try ExifMetadata(tiff: editing.block[...])
    #expect(metadata.orientation == 6)
    #expect(metadata.make == "Me")
    #expect(metadata.pixelXDimension == 4032)
    // Nothing but the position of the first directory.
    #expect(editing.block[8..<block.count] == block[8...])
    editing.removeThumbnail()
    #expect(!editing.block.contains([0xFF, 0xD8, 1, 2, 3]))
  }

  @Test("Sizes are overwritten, the thumbnail goes and the maker's note stays in its place")
  func pixels() throws {
    for isBig in [true, false] {
      let block = SamplePhotos.exif(orientation: 1, isBig: isBig)
      var editing = try ExifEditing(block)
      editing.setPixelSize(RasterSize(width: 70_000, height: 80_000))
      let metadata = try ExifMetadata(tiff: editing.block[...])
      #expect(metadata.pixelXDimension == 70_000)
      #expect(metadata.pixelYDimension == 80_000)
      editing.removeThumbnail()
      // It was the last thing in the block.
      #expect(editing.block.count == block.count - 9)
      let note = Array("Apple iOS\0note".utf8)
      let place = try #require(block.indices.first { block[$0...].starts(with: note) })
      #expect(editing.block[place...].starts(with: note))
      let once = editing.block
      editing.removeThumbnail()
      #expect(editing.block == once)
    }
  }

  @Test("A block of damage is refused or changed, and never read beyond its end")
  func hostile() {
    let block = SamplePhotos.exif(orientation: 1)
    for seed in 0..<3_000 as Range<UInt64> {
      let length = Int(seed % UInt64(block.count + 1))
      for bytes in [Array(block[..<length]), ByteDamage.flipped(block, seed: seed)] {
        guard var editing = try? ExifEditing(bytes) else { continue }
        editing.setOrientation(.down)
        editing.setPixelSize(RasterSize(width: 9, height: 8))
        editing.removeThumbnail()
        // Directories that lie inside one another may change one another, but not the header.
        #expect(editing.block.starts(with: bytes.prefix(4)))
      }
    }
  }
}
