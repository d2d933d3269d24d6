// Plumbline for C: depth captures of phones, corrected, with their ±.
//
// Rules that hold everywhere:
//
// - Every function may be called from any thread. Several threads may use one handle at once, and wait for each
//   other where one part follows from another; only `…_free` must come last. There is no global state.
// - What a function returns as a handle or as text is the caller's, who frees it with the function named
//   beside it. `NULL` may be freed.
// - A function that can fail takes `plumbline_error **error` last, which may be `NULL`. It returns `NULL` or
//   `false` and stores an error, which the caller frees. On success it leaves `*error` alone.
// - Text is UTF-8 and ends with a zero byte. JSON documents have a `schema`, such as `plumbline.check/1`;
//   `Documentation/cli.md` describes them: they are what the command prints for `--json`.
// - Settings are one JSON object, or `NULL` for the defaults. Their names and values are those of the long
//   options of the command of the same name, without the dashes in front: `{"depth-unit": "mm", "frame": 3}`. A
//   flag is `true`; an option that may be repeated takes a list of its values. An unknown name is an error.
// - Frame of every camera: x right, y down, z forward. Pixels: the center of the first one is (0, 0).
//   Lengths are meters where the verdict says that they are.
#ifndef PLUMBLINE_H
#define PLUMBLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this interface; it grows when a function is added, and none is ever changed or removed.
#define PLUMBLINE_INTERFACE 2

/// The version of the library, such as "0.1.0". Static memory; do not free.
const char *plumbline_version(void);

/// The version of the interface that the loaded library has; compare it with `PLUMBLINE_INTERFACE`.
int32_t plumbline_interface(void);

/// Frees a text that a function returned.
void plumbline_text_free(char *text);

// MARK: Errors

/// Why something failed. It is a value of its own: it outlives what it is about.
typedef struct plumbline_error plumbline_error;

/// Who can act on a failure; the numbers are the exit codes of the command.
typedef enum plumbline_category {
  PLUMBLINE_NOT_MEASURABLE = 1,   ///< the photographer: the file is sound, but nothing can be measured in it
  PLUMBLINE_USAGE = 64,           ///< the caller: settings that contradict each other or the input
  PLUMBLINE_UNUSABLE_INPUT = 65,  ///< the owner of the file: damaged, unsupported, over a limit, lacks something
  PLUMBLINE_MISSING_INPUT = 66,   ///< the file is not there, or may not be read
  PLUMBLINE_PROGRAM_FAULT = 70,   ///< the maintainer of this library
  PLUMBLINE_CANNOT_CREATE = 73,   ///< the output's name is taken, or nothing can be made there
  PLUMBLINE_INPUT_OUTPUT = 74,    ///< the disk failed
  PLUMBLINE_CANCELLED = 130       ///< the progress function ended it
} plumbline_category;

plumbline_category plumbline_error_category(const plumbline_error *error);
/// One sentence. It lives as long as the error; so do the next five.
const char *plumbline_error_message(const plumbline_error *error);
/// The file or folder; `NULL` where the error is about none.
const char *plumbline_error_file(const plumbline_error *error);
/// The place in the file, outermost structure first, such as `meta/iloc (byte 231)`; `NULL` for none.
const char *plumbline_error_place(const plumbline_error *error);
/// What was expected there; `NULL` where the error does not say.
const char *plumbline_error_expected(const plumbline_error *error);
/// What was found there; `NULL` where the error does not say.
const char *plumbline_error_found(const plumbline_error *error);
/// The document `plumbline.error/1`.
const char *plumbline_error_json(const plumbline_error *error);
void plumbline_error_free(plumbline_error *error);

// MARK: Arrays

typedef enum plumbline_element {
  PLUMBLINE_FLOAT32 = 1,
  PLUMBLINE_UINT8 = 2,
  PLUMBLINE_FLOAT64 = 3
} plumbline_element;

/// Memory of the library to read from. It lives as long as the handle that it was asked of.
typedef struct plumbline_array {
  const void *values;         ///< the first element; never `NULL` after success
  plumbline_element element;  ///< the type of one
  int32_t dimensions;         ///< 1, 2 or 3
  int64_t shape[3];           ///< rows, columns, channels; 0 beyond `dimensions`
  int64_t stride[3];          ///< bytes from one element to the next along each; 0 beyond `dimensions`
} plumbline_array;

/// The camera of the depth map, at the size of that map.
typedef struct plumbline_calibration {
  int64_t width, height;        ///< pixels
  double fx, fy, cx, cy;        ///< pixels
  double sigma_focal;           ///< one standard deviation of fx and fy, pixels; NaN where unknown
  double sigma_center;          ///< the same of cx and cy
  bool is_rectified;            ///< whether straight lines are straight: no lens distortion is left
} plumbline_calibration;

// MARK: Captures

/// One capture: a photo, or one frame of a recording.
///
/// Opening reads what the file is and checks its structure. Each part (depth, color, verdict, …) is computed
/// when it is first asked for, and kept until the capture is freed. So damage within a part is found, and
/// reported, when that part is asked for.
typedef struct plumbline_capture plumbline_capture;

/// Opens a file, or the frame of a recording that the setting `frame` names (its first without).
///
/// Settings, as of `check`: `frame` (a name, or a number from 0), `depth-unit`, `metric`, `known-distance` (one
/// or a list of two, such as `"380,420=0.41"`), `calibration` (a path), `threads` (2 without); besides `device`
/// (the model, where the capture names none or another), `catalog` (the path of your own measurements of devices;
/// none without) and `memory` (the most bytes of the file that are read; 268435456 without).
///
/// Cost: the file is read into memory. Of HEIC the boxes are checked and no image is decoded; of other files the
/// depth is read too.
plumbline_capture *plumbline_capture_open(
    const char *path, const char *settings, plumbline_error **error);

/// The same for the bytes of a file, which are copied; `name` is what documents and errors call it.
plumbline_capture *plumbline_capture_read(
    const void *bytes, size_t count, const char *name, const char *settings, plumbline_error **error);

void plumbline_capture_free(plumbline_capture *capture);

/// Whether it can be measured and how well, with every finding: `plumbline.check/1`.
/// Free it with `plumbline_text_free`.
char *plumbline_capture_verdict(plumbline_capture *capture, plumbline_error **error);

/// What the file contains, as read: `plumbline.inspect/1`. Free it with `plumbline_text_free`.
char *plumbline_capture_contents(plumbline_capture *capture, plumbline_error **error);

/// The names of the arrays that this capture has, as a JSON list. Free it with `plumbline_text_free`.
///
/// Cost: mattes are decoded and the capture is assessed, since that decides which arrays there are; color is not
/// decoded, and may turn out to be damaged.
char *plumbline_capture_array_names(plumbline_capture *capture, plumbline_error **error);

/// An array of a capture.
///
/// | name | element, shape | what |
/// |---|---|---|
/// | `depth` | float32, (H, W) | depths along z after correction; NaN is missing; meters where the verdict says so |
/// | `depth.sigma` | float32, (H, W) | one standard deviation of each, same unit; NaN where missing or unknown |
/// | `depth.stored` | float32, (H, W) | values as the file states them: depth, disparity or range, as its contents say; of the stored map, which may be larger than `depth` where the file crops it |
/// | `depth.invented` | uint8, (H, W) | 1 where a filter filled a hole |
/// | `confidence` | uint8, (H, W) | as the device states it, 0 is lowest |
/// | `color` | uint8, (h, w, 3) | sRGB, in the frame of the depth map (not turned for display) |
/// | `matte.NAME` | uint8, (h, w) | 0 outside to 255 inside, in the same frame; NAME as in `plumbline_capture_contents` |
/// | `rays` | float32, (H, W, 2) | x/z and y/z of each pixel's ray, lens distortion removed |
/// | `points` | float32, (N, 3) | measured pixels in the camera's frame, row after row |
/// | `points.color` | uint8, (N, 3) | theirs: the nearest pixel of `color` |
/// | `points.sigma` | float32, (N,) | one standard deviation of each z in meters; along the ray it is this times length / z |
/// | `points.pixel` | float32, (N, 2) | column and row in the depth map |
///
/// The address stays the same for each call with the same name. Arrays are contiguous now; read the strides all
/// the same. Cost: `depth` decodes the map alone; `depth.sigma` and `points` also assess the capture, once.
///
/// - Returns: `false` with an error of category 65 where the capture has no such array.
bool plumbline_capture_array(
    plumbline_capture *capture, const char *name, plumbline_array *array, plumbline_error **error);

/// Whether the depths after correction are meters (1), or relative numbers (0); -1 with an error where the capture
/// has no depth. It costs no more than the array `depth`; whether the meters can be trusted says the verdict.
int32_t plumbline_capture_is_metric(plumbline_capture *capture, plumbline_error **error);

/// The camera of the depth map; `false` with an error where the capture has none.
bool plumbline_capture_calibration(
    plumbline_capture *capture, plumbline_calibration *calibration, plumbline_error **error);

/// The camera with its lens distortion, frames and conventions: the document of `calibration.json`.
/// Free it with `plumbline_text_free`.
char *plumbline_capture_calibration_json(plumbline_capture *capture, plumbline_error **error);

/// The camera in the world, 4×4 in rows, meters; `false` without an error where the capture has no pose.
bool plumbline_capture_pose(plumbline_capture *capture, double world_from_camera[16]);

/// The time of capture in seconds on the recording's clock; `false` where it has none.
bool plumbline_capture_time(plumbline_capture *capture, double *seconds);

/// A new capture with what `correct` corrects. Without settings that is what the findings ask for; else the
/// settings of `correct`: `focal-from-catalog`, `arkit-zoom`, `unmirror`, `unmirror-depth`, `rectify` (`"color"`,
/// `"depth"` or `"color,depth"`), `size` (`"640x480"`), `calibration`, `device`, `catalog`. A capture that was
/// opened with `known-distance` is refused.
///
/// The new capture outlives the old one. Cost: color is decoded, and the capture is assessed twice.
plumbline_capture *plumbline_capture_correct(
    plumbline_capture *capture, const char *settings, plumbline_error **error);

/// A new capture with filtered depth, which must be in meters. Settings as of `filter`: `preset` (`"metrology"`
/// without), `confidence`, `depth-range` (`"0.3:2"`), `fill`, `decimate`, `upsample`. The new capture outlives the
/// old one.
plumbline_capture *plumbline_capture_filter(
    plumbline_capture *capture, const char *settings, plumbline_error **error);

/// Lengths, angles, planes, boxes and volumes, each with its ±: `plumbline.measure/1`. Free it with
/// `plumbline_text_free`.
///
/// Settings as of `measure`, each a text or a list of texts, at most 1000 together: `point`, `distance`, `angle`,
/// `plane`, `box`, `height`, `volume`, such as `{"distance": "812,1304:1630,1290"}`. A number that cannot be measured
/// is in the document without a value and with the reason; that is no error.
char *plumbline_capture_measure(
    plumbline_capture *capture, const char *settings, plumbline_error **error);

// MARK: Recordings

/// A recording: a folder, an archive or a stream of frames. Frames are read when asked for.
typedef struct plumbline_recording plumbline_recording;

/// Opens what a path leads to: a recording, or a capture where it is a single one or where the setting `frame`
/// names a frame. Of `*capture` and `*recording` one is set, which the caller frees, and the other becomes `NULL`.
/// Settings as of `plumbline_capture_open`.
///
/// Cost: as of `plumbline_capture_open` or `plumbline_recording_open`; the file is read once, where asking
/// `plumbline_is_recording` first reads it twice. Since interface 2.
///
/// - Returns: `false` with an error where neither could be opened; both are then left alone.
bool plumbline_open(
    const char *path, const char *settings, plumbline_capture **capture,
    plumbline_recording **recording, plumbline_error **error);

/// Whether a path leads to a recording (1), to a single capture (0), or to neither (-1, with an error).
int32_t plumbline_is_recording(const char *path, plumbline_error **error);

/// Opens a recording. Settings as of `plumbline_capture_open` without `frame`; they hold for each of its frames.
plumbline_recording *plumbline_recording_open(
    const char *path, const char *settings, plumbline_error **error);
void plumbline_recording_free(plumbline_recording *recording);
/// How many frames it has; 1 or more.
int64_t plumbline_recording_count(const plumbline_recording *recording);
/// What it is, of which app, its frames, times and findings: `plumbline.info/1`. Free it with
/// `plumbline_text_free`. Cost: every depth map is read.
char *plumbline_recording_info(plumbline_recording *recording, plumbline_error **error);
/// The frame at an index from 0. It may outlive the recording.
plumbline_capture *plumbline_recording_frame(
    plumbline_recording *recording, int64_t index, plumbline_error **error);

// MARK: Work on files

/// Called now and then while work is done, from any thread but never from two at once, and never again after it
/// returned `false`. It must not wait for another call of the same work.
///
/// - `stage`: what is being done, in a word; `done` of `total`, where `total` 0 means unknown.
/// - Returns: `false` to end the work, which then fails with `PLUMBLINE_CANCELLED` and leaves no output.
typedef bool (*plumbline_progress)(
    void *context, const char *stage, int64_t done, int64_t total);

/// Does what the command of the same name does, and returns the document that it prints for `--json`.
///
/// | task | inputs | output | settings besides those of `plumbline_capture_open` and `force` |
/// |---|---|---|---|
/// | `cloud` | a capture or recording | .ply, .pcd, .xyz, .glb, .e57 | `upright`, `all`, `every`, `voxel` |
/// | `convert` | a recording | a file or folder | `format`, `from`, `frames`, `every`, `fps`, `poses`, `keep-unposed`, `rectify`, `correct`, `depth-scale`, `depth-only` |
/// | `correct` | a capture or recording | a folder; of a recording a recording | those of `plumbline_capture_correct`, `format` |
/// | `estimate` | a capture or recording | a folder | `network`, `card`, `fit`, `fit-to`, `board`, `shape`, `sharpen`, `fill` |
/// | `filter` | a capture or recording | a folder; of a recording a recording | those of `plumbline_capture_filter`, `format` |
/// | `fuse` | a recording | .glb, .obj, .ply, .usdz, .stl, .pcd, .xyz | `object`, `room`, `head`, `voxel`, `every`, `max-depth`, `depth-bend`, `recorded-poses`, `no-loops`, `ignore-poses`, `smallest-part`, `close-holes`, `triangles`, `simplify`, `vertex-colors`, `texture-size`, `write-poses`, `report`, `board`, `square` |
/// | `measure` | a capture, a cloud or a mesh | an image of where (.png), a floor plan (.svg, .dxf), or none | those of `plumbline_capture_measure`, `area`, `section`, `floor-plan`, `section-height`, `repeat` |
/// | `mesh` | a capture | as of `fuse` | `edge`, `vertex-colors`, `upright` |
/// | `stereo` | one image or two | a folder, or none | `calibration`, `side-by-side`, `rectified`, `focal`, `baseline`, `offset`, `disparity-range`, `depth-range`, `paths`, `megapixels`, `threads`; none of those of captures |
/// | `verify` | a recording | a folder for a report, or none | `board`, `square`, `calibration`, `threads`; none of those of captures |
///
/// `output` may be `NULL` for `measure`, `stereo` and `verify`, and for `correct` and `filter` of one capture.
/// Outputs appear whole, under their names, or not at all; those that exist are replaced only with
/// `{"force": true}`. `cloud` prints no document by itself: here it is `plumbline.cloud/1`, which
/// `Documentation/c.md` describes. A frame that cannot be used is left out and named in the document; that is no
/// error where others can be. Free the document with `plumbline_text_free`.
char *plumbline_run(
    const char *task, const char *const *inputs, size_t input_count, const char *output,
    const char *settings, plumbline_progress progress, void *context, plumbline_error **error);

#ifdef __cplusplus
}
#endif
#endif
