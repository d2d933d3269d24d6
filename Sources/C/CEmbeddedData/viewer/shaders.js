// The depth map goes to the graphics processor as it is: a vertex is a pixel, unprojected there
// by the ray of its position in the map. Positions are in the camera frame; `clipFromCamera` also brings them
// upright.
const depthGrid = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D depthMap;
uniform sampler2D rayGrid;
uniform sampler2D sigmaMap;
uniform sampler2D confidenceMap;
uniform sampler2D inventedMap;
uniform sampler2D photo;
uniform sampler2D table;
uniform sampler2D rankMap;
uniform ivec2 gridSize;
uniform int stride;
uniform int thinning;
uniform vec2 rayScale;
uniform vec2 uvScale;
uniform vec2 uvShift;
uniform mat4 clipFromCamera;
uniform mat4 boxFromCamera;
uniform vec3 boxLow;
uniform vec3 boxHigh;
uniform bool clips;
uniform vec2 depthRange;
uniform vec2 sigmaRange;
uniform vec3 sigmaParts;
uniform bool hasSigmaMap;
uniform float confidenceScale;
uniform bool marksInvented;
uniform bool hidesOutside;
uniform bool equalizes;
uniform int colorMode;

const vec4 nowhere = vec4(2.0, 2.0, 2.0, 1.0);

// Comparisons with NaN are not reliable in shaders; the bits of positive finite numbers are.
bool isMeasured(float value) {
  uint bits = floatBitsToUint(value);
  return bits != 0u && bits < 0x7f800000u;
}

float depthAt(ivec2 cell) {
  return texelFetch(depthMap, cell / thinning, 0).r;
}

// (x/z, y/z), bilinear between the samples of the grid.
vec2 rayAt(ivec2 cell) {
  ivec2 size = textureSize(rayGrid, 0);
  vec2 at = vec2(cell) * rayScale;
  ivec2 low = clamp(ivec2(floor(at)), ivec2(0), max(size - 2, ivec2(0)));
  ivec2 high = min(low + 1, size - 1);
  vec2 share = at - vec2(low);
  return mix(
    mix(texelFetch(rayGrid, low, 0).rg, texelFetch(rayGrid, ivec2(high.x, low.y), 0).rg, share.x),
    mix(texelFetch(rayGrid, ivec2(low.x, high.y), 0).rg, texelFetch(rayGrid, high, 0).rg, share.x),
    share.y);
}

// The center of a pixel as a share of the image, which all maps cover.
vec2 uvOf(ivec2 cell) {
  return vec2(cell) * uvScale + uvShift;
}

float valueAt(sampler2D map, ivec2 cell) {
  ivec2 size = textureSize(map, 0);
  return texelFetch(map, min(ivec2(uvOf(cell) * vec2(size)), size - 1), 0).r;
}

float sigmaAt(ivec2 cell, float depth) {
  if (hasSigmaMap) return valueAt(sigmaMap, cell);
  return length(sigmaParts * vec3(1.0, depth, depth * depth));
}

vec3 mapped(float value, vec2 range, int row) {
  float share = clamp((value - range.x) / max(range.y - range.x, 1e-12), 0.0, 1.0);
  return texelFetch(table, ivec2(int(share * 255.0 + 0.5), row), 0).rgb;
}

// The bins of DepthRanks.
vec3 ranked(float depth) {
  int bin = clamp((int(floatBitsToUint(depth)) >> 12) - 227328, 0, 65535);
  float rank = texelFetch(rankMap, ivec2(bin & 255, bin >> 8), 0).r;
  return texelFetch(table, ivec2(int(rank * 255.0 + 0.5), 0), 0).rgb;
}

vec3 colorAt(ivec2 cell, float depth) {
  vec3 color = vec3(0.55);
  if (colorMode == 0) {
    color = textureLod(photo, uvOf(cell), 0.0).rgb;
  } else if (colorMode == 1) {
    color = equalizes ? ranked(depth) : mapped(depth, depthRange, 0);
  } else if (colorMode == 2) {
    float sigma = sigmaAt(cell, depth);
    if (isMeasured(sigma)) color = mapped(sigma, sigmaRange, 1);
  } else {
    color = mapped(confidenceScale * valueAt(confidenceMap, cell), vec2(0.0, 1.0), 1);
  }
  bool isInvented = marksInvented && valueAt(inventedMap, cell) > 0.0;
  return isInvented ? mix(color, vec3(0.93, 0.13, 0.71), 0.7) : color;
}

bool isHidden(vec3 position) {
  if (hidesOutside && (position.z < depthRange.x || position.z > depthRange.y)) return true;
  if (!clips) return false;
  vec3 inBox = (boxFromCamera * vec4(position, 1.0)).xyz;
  return any(lessThan(inBox, boxLow)) || any(greaterThan(inBox, boxHigh));
}
`;

// Points are splats as large as their pixel is wide at their depth, so that a surface closes when
// one comes near.
export const pointVertexShader = depthGrid + `
uniform float splatScale;
uniform float smallestSplat;
out vec3 color;
flat out uint identity;

void main() {
  int across = (gridSize.x + stride - 1) / stride;
  ivec2 cell = ivec2(gl_VertexID % across, gl_VertexID / across) * stride;
  float depth = depthAt(cell);
  gl_Position = nowhere;
  gl_PointSize = 1.0;
  if (!isMeasured(depth)) return;
  vec3 position = vec3(rayAt(cell) * depth, depth);
  if (isHidden(position)) return;
  gl_Position = clipFromCamera * vec4(position, 1.0);
  gl_PointSize = clamp(splatScale * depth / gl_Position.w, smallestSplat, 48.0);
  identity = uint(cell.y * gridSize.x + cell.x) + 1u;
  color = colorAt(cell, depth);
}`;

// Two triangles for each square of neighbors, six vertices each. A triangle whose depths jump is
// none: all of its vertices see that and go nowhere.
//
// A jump is more than 3 σ of the difference of two samples, and more than a surface makes that is
// turned 80° away from the camera: `steepest` is the step of a ray's tangent times tan 80°.
// - Source: edges within some angle of the line of sight bridge what was not seen (D. Holz, S. Behnke, "Fast Range
//   Image Segmentation and Smoothing", IAS-12, 2012; 12.5° in PCL's OrganizedFastMesh); 10° and 3 σ are ours.
export const surfaceVertexShader = depthGrid + `
uniform float steepest;
out vec3 color;
out vec3 point;
out vec3 normal;
flat out uint identity;

bool jumps(vec2 depths, vec2 sigmas, float count) {
  float noise = 3.0 * length(sigmas);
  return abs(depths.x - depths.y) > max(noise, count * steepest * min(depths.x, depths.y));
}

float knownSigmaAt(ivec2 cell, float depth) {
  float sigma = sigmaAt(cell, depth);
  return isMeasured(sigma) ? sigma : 0.0;
}

// From one side of a sample to the other along a step, three samples to each side unless the surface ends before: the
// noise of neighbors would hide what the light is to show.
vec3 slope(ivec2 cell, vec3 here, ivec2 step) {
  vec3 ends[2] = vec3[2](here, here);
  for (int side = 0; side < 2; side++) {
    for (int count = 1; count <= 3; count++) {
      ivec2 next = cell + (side == 0 ? -count : count) * step;
      if (any(lessThan(next, ivec2(0))) || any(greaterThanEqual(next, gridSize))) break;
      float depth = depthAt(next);
      if (!isMeasured(depth)) break;
      vec2 sigmas = vec2(knownSigmaAt(cell, here.z), knownSigmaAt(next, depth));
      if (jumps(vec2(here.z, depth), sigmas, float(count))) break;
      ends[side] = vec3(rayAt(next) * depth, depth);
    }
  }
  return ends[1] - ends[0];
}

void main() {
  int across = (gridSize.x + stride - 1) / stride - 1;
  int square = gl_VertexID / 6;
  int corner = gl_VertexID % 6;
  ivec2 origin = ivec2(square % across, square / across) * stride;
  bool isFirst = corner < 3;
  ivec2 a = origin + (isFirst ? ivec2(0, 0) : ivec2(1, 1)) * stride;
  ivec2 b = origin + (isFirst ? ivec2(0, 1) : ivec2(1, 0)) * stride;
  ivec2 c = origin + (isFirst ? ivec2(1, 0) : ivec2(0, 1)) * stride;
  vec3 depths = vec3(depthAt(a), depthAt(b), depthAt(c));
  gl_Position = nowhere;
  if (!isMeasured(depths.x) || !isMeasured(depths.y) || !isMeasured(depths.z)) return;
  vec3 sigmas = vec3(
    knownSigmaAt(a, depths.x), knownSigmaAt(b, depths.y), knownSigmaAt(c, depths.z));
  if (jumps(depths.xy, sigmas.xy, 1.0) || jumps(depths.yz, sigmas.yz, 1.0)
    || jumps(depths.xz, sigmas.xz, 1.0)) return;
  int which = corner % 3;
  ivec2 cell = which == 0 ? a : which == 1 ? b : c;
  float depth = depths[which];
  point = vec3(rayAt(cell) * depth, depth);
  normal = cross(slope(cell, point, ivec2(stride, 0)), slope(cell, point, ivec2(0, stride)));
  identity = uint(cell.y * gridSize.x + cell.x) + 1u;
  gl_Position = clipFromCamera * vec4(point, 1.0);
  color = colorAt(cell, depth);
}`;

export const pointFragmentShader = `#version 300 es
precision mediump float;
in vec3 color;
out vec4 fragment;
void main() {
  fragment = vec4(color, 1.0);
}`;

const surfaceFragment = `#version 300 es
precision highp float;
precision highp int;
uniform mat4 boxFromCamera;
uniform vec3 boxLow;
uniform vec3 boxHigh;
uniform bool clips;
uniform vec2 depthRange;
uniform bool hidesOutside;
in vec3 point;

bool isHidden(vec3 position) {
  if (hidesOutside && (position.z < depthRange.x || position.z > depthRange.y)) return true;
  if (!clips) return false;
  vec3 inBox = (boxFromCamera * vec4(position, 1.0)).xyz;
  return any(lessThan(inBox, boxLow)) || any(greaterThan(inBox, boxHigh));
}
`;

// Lit from the eye.
export const surfaceFragmentShader = surfaceFragment + `
uniform vec3 eye;
uniform float leastLight;
in vec3 color;
in vec3 normal;
out vec4 fragment;
void main() {
  if (isHidden(point)) discard;
  // At a border that ends at once the triangle's own.
  vec3 across = dot(normal, normal) > 0.0 ? normal : cross(dFdx(point), dFdy(point));
  float light = abs(dot(normalize(across), normalize(eye - point)));
  fragment = vec4(color * mix(leastLight, 1.0, light), 1.0);
}`;

// What is seen at a pixel of the canvas, as one more than the index of its sample.
export const pointIdentityShader = `#version 300 es
precision highp float;
precision highp int;
flat in uint identity;
out uint seen;
void main() {
  seen = identity;
}`;

export const surfaceIdentityShader = surfaceFragment + `
flat in uint identity;
out uint seen;
void main() {
  if (isHidden(point)) discard;
  seen = identity;
}`;
