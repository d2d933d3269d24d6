import PlumblineExport
public import PlumblineGeometry
import PlumblineModel

extension CaptureCheck {
  public func ply(_ cloud: PointCloud) -> [UInt8] { [] }
  public func upright(_ cloud: PointCloud) -> PointCloud { cloud }
}
