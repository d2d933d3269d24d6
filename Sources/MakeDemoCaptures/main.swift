import PlumblineModel
import PlumblineTestSupport
#if canImport(Glibc)
import Glibc
#endif
let w = 2316 / 2 / (Int(CommandLine.arguments[2]) ?? 1)
let cal = CameraCalibration(intrinsics: PinholeIntrinsics(focalLength: [2733.4, 2733.4], principalPoint: [1153.2, 1547.6], size: RasterSize(width: 2316, height: 3088)))
let cam = SimulatedCamera(calibration: cal).scaled(to: RasterSize(width: w, height: w * 4 / 3))
let scene = SimulatedScene.portrait(of: CommandLine.arguments[1] == "1" ? .first : .second)
var t = clock()
let depth = scene.depthMap(from: cam)
print("depth", Double(clock() - t) / 1e6)
t = clock()
let img = scene.colorImage(from: cam)
print("color", Double(clock() - t) / 1e6)
let f = fopen("/tmp/simx/c.ppm", "wb")!
fputs("P6 \(w) \(w * 4 / 3) 255\n", f)
for p in img.samples { fputc(Int32(p.red), f); fputc(Int32(p.green), f); fputc(Int32(p.blue), f) }
fclose(f)
let g = fopen("/tmp/simx/d.pgm", "wb")!
fputs("P5 \(w) \(w * 4 / 3) 255\n", g)
for z in depth.meters.samples { fputc(Int32(max(0, min(255, (1/z - 0.85) / (2.6 - 0.85) * 255))), g) }
fclose(g)
let v = depth.meters.samples
print(v.min()!, v.max()!)
