"""Surfaces and paths that Open3D makes of a dump of MeasureScans.

    scan_accuracy.py fuse DUMP MESH.ply VOXEL_METERS        VoxelBlockGrid at the dump's poses
    scan_accuracy.py system DUMP POSES.txt VOXEL_METERS     Open3D's reconstruction system: fragments by RGB-D
                                                            odometry, ICP between them, pose graphs; 4x4 a frame

The dump: three int32 (count, width, height), four float64 (fx, fy, cx, cy); for each frame 16 float64 (world from
camera, row-major, NaN without a pose), float32 depth in meters, 0 where missing, RGB in 8 bits.
"""

import sys

import numpy


def frames(path):
    with open(path, "rb") as file:
        count, width, height = numpy.fromfile(file, numpy.int32, 3)
        camera = numpy.fromfile(file, numpy.float64, 4)
        result = []
        for _ in range(count):
            pose = numpy.fromfile(file, numpy.float64, 16).reshape(4, 4)
            depth = numpy.fromfile(file, numpy.float32, width * height).reshape(height, width)
            color = numpy.fromfile(file, numpy.uint8, 3 * width * height).reshape(height, width, 3)
            result.append((pose, numpy.nan_to_num(depth), color))
    return camera, result


def fuse(path, mesh_path, voxel):
    """As t_reconstruction_system/integrate.py does: weight 1 for each frame, vertices of three frames at least."""
    import open3d
    from open3d.core import Dtype, Tensor

    camera, recorded = frames(path)
    intrinsic = Tensor([[camera[0], 0, camera[2]], [0, camera[1], camera[3]], [0, 0, 1.0]], Dtype.Float64)
    grid = open3d.t.geometry.VoxelBlockGrid(
        ("tsdf", "weight"), (Dtype.Float32, Dtype.Float32), ((1,), (1,)), voxel, 8, 60000)
    farthest = max(float(depth.max()) for _, depth, _ in recorded) + 0.1
    for pose, depth, _ in recorded:
        if not numpy.isfinite(pose).all():
            continue
        image = open3d.t.geometry.Image(Tensor(depth))
        extrinsic = Tensor(numpy.linalg.inv(pose))
        blocks = grid.compute_unique_block_coordinates(image, intrinsic, extrinsic, 1.0, farthest)
        grid.integrate(blocks, image, intrinsic, extrinsic, 1.0, farthest)
    mesh = grid.extract_triangle_mesh(3.0).to_legacy()
    open3d.io.write_triangle_mesh(mesh_path, mesh)
    print(len(mesh.vertices), "vertices")


def images(camera, frame, shape):
    """An RGB-D image with intensity, and its camera."""
    import open3d

    _, depth, color = frame
    height, width = shape
    rgbd = open3d.geometry.RGBDImage.create_from_color_and_depth(
        open3d.geometry.Image(numpy.ascontiguousarray(color)), open3d.geometry.Image(depth), 1.0, 6.0,
        convert_rgb_to_intensity=True)
    intrinsic = open3d.camera.PinholeCameraIntrinsic(width, height, *camera)
    return rgbd, intrinsic


def optimize(graph, distance):
    import open3d

    registration = open3d.pipelines.registration
    registration.global_optimization(
        graph, registration.GlobalOptimizationLevenbergMarquardt(),
        registration.GlobalOptimizationConvergenceCriteria(),
        registration.GlobalOptimizationOption(
            max_correspondence_distance=distance, edge_prune_threshold=0.25, preference_loop_closure=2.0,
            reference_node=0))


def odometry(source, target, intrinsic, start):
    """Hybrid RGB-D odometry: whether it worked, target from source, information."""
    import open3d

    pipelines = open3d.pipelines.odometry
    return pipelines.compute_rgbd_odometry(
        source, target, intrinsic, start, pipelines.RGBDOdometryJacobianFromHybridTerm(),
        pipelines.OdometryOption())


def fragment(camera, part, shape, voxel):
    """Poses of the frames of a fragment in its first frame, and its points."""
    import open3d

    registration = open3d.pipelines.registration
    rgbds = [images(camera, frame, shape) for frame in part]
    intrinsic = rgbds[0][1]
    graph = registration.PoseGraph()
    pose = numpy.eye(4)
    graph.nodes.append(registration.PoseGraphNode(pose))
    for index in range(len(part) - 1):
        _, step, information = odometry(rgbds[index][0], rgbds[index + 1][0], intrinsic, numpy.eye(4))
        pose = pose @ numpy.linalg.inv(step)
        graph.nodes.append(registration.PoseGraphNode(pose))
        graph.edges.append(registration.PoseGraphEdge(index, index + 1, step, information, uncertain=False))
    optimize(graph, 1.4 * voxel)
    cloud = open3d.geometry.PointCloud()
    for node, (rgbd, _) in zip(graph.nodes, rgbds):
        cloud += open3d.geometry.PointCloud.create_from_rgbd_image(rgbd, intrinsic).transform(node.pose)
    cloud = cloud.voxel_down_sample(voxel)
    cloud.estimate_normals(open3d.geometry.KDTreeSearchParamHybrid(2 * voxel, 30))
    return [node.pose for node in graph.nodes], cloud


def icp(source, target, start, distance):
    import open3d

    registration = open3d.pipelines.registration
    result = registration.registration_icp(
        source, target, distance, start, registration.TransformationEstimationPointToPlane(),
        registration.ICPConvergenceCriteria(max_iteration=50))
    information = registration.get_information_matrix_from_point_clouds(
        source, target, distance, result.transformation)
    return result, information


def features(cloud, voxel):
    import open3d

    return open3d.pipelines.registration.compute_fpfh_feature(
        cloud, open3d.geometry.KDTreeSearchParamHybrid(5 * voxel, 100))


def system(path, poses_path, voxel, length=20):
    """Fragments of 20 frames; neighbors by ICP, others by features and RANSAC, then ICP; a robust pose graph."""
    import open3d

    registration = open3d.pipelines.registration
    camera, recorded = frames(path)
    shape = recorded[0][1].shape
    coarse = 5 * voxel
    # Fragments share their end frame with the next one's start, which gives the first guess between them.
    starts = list(range(0, len(recorded) - 1, length))
    fragments = [fragment(camera, recorded[start:start + length + 1], shape, coarse) for start in starts]
    described = [features(cloud, coarse) for _, cloud in fragments]
    graph = registration.PoseGraph()
    pose = numpy.eye(4)
    graph.nodes.append(registration.PoseGraphNode(pose))
    for index in range(len(fragments) - 1):
        # The next fragment's first frame is this one's last.
        start = numpy.linalg.inv(fragments[index][0][-1])
        result, information = icp(fragments[index][1], fragments[index + 1][1], start, 2 * coarse)
        pose = pose @ numpy.linalg.inv(result.transformation)
        graph.nodes.append(registration.PoseGraphNode(pose))
        graph.edges.append(
            registration.PoseGraphEdge(index, index + 1, result.transformation, information, uncertain=False))
    for first in range(len(fragments)):
        for second in range(first + 2, len(fragments)):
            source, target = fragments[first][1], fragments[second][1]
            found = registration.registration_ransac_based_on_feature_matching(
                source, target, described[first], described[second], True, 2 * coarse,
                registration.TransformationEstimationPointToPoint(False), 3,
                [registration.CorrespondenceCheckerBasedOnEdgeLength(0.9),
                 registration.CorrespondenceCheckerBasedOnDistance(2 * coarse)],
                registration.RANSACConvergenceCriteria(100000, 0.999))
            if found.fitness < 0.3:
                continue
            result, information = icp(source, target, found.transformation, 1.4 * coarse)
            if information[5, 5] / min(len(source.points), len(target.points)) < 0.3:
                continue
            graph.edges.append(
                registration.PoseGraphEdge(first, second, result.transformation, information, uncertain=True))
    loops = len(graph.edges) - (len(fragments) - 1)
    optimize(graph, 1.4 * coarse)
    poses = []
    for (own, _), node in zip(fragments, graph.nodes):
        poses += [node.pose @ pose for pose in own[:-1]]
    poses.append(graph.nodes[-1].pose @ fragments[-1][0][-1])
    numpy.savetxt(poses_path, numpy.array(poses).reshape(-1, 16))
    print(f"{len(fragments)} fragments, {loops} loops between them")


if __name__ == "__main__":
    {"fuse": fuse, "system": system}[sys.argv[1]](sys.argv[2], sys.argv[3], float(sys.argv[4]))
