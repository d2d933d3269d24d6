// A surface painted by its own colors or by the ± of its vertices.
export const scanVertexShader = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 ownColor;
layout(location = 3) in float sigma;
uniform mat4 clipFromCamera;
out vec3 point;
out vec3 outward;
out vec3 tint;
out float share;

void main() {
  point = position;
  outward = normal;
  tint = ownColor;
  share = sigma;
  gl_Position = clipFromCamera * vec4(position, 1.0);
}`;

// `share`: sigma in meters, below 0 where it is not known.
export const scanFragmentShader = `#version 300 es
precision highp float;
in vec3 point;
in vec3 outward;
in vec3 tint;
in float share;
uniform sampler2D table;
uniform int paint;
uniform vec3 eye;
uniform float leastLight;
uniform float fullSigma;
out vec4 color;

void main() {
  vec3 base = vec3(0.80, 0.78, 0.76);
  if (paint == 0) base = tint;
  if (paint == 1) {
    int entry = int(clamp(share / fullSigma, 0.0, 1.0) * 255.0 + 0.5);
    base = share >= 0.0 ? texelFetch(table, ivec2(entry, 0), 0).rgb : vec3(0.56, 0.58, 0.61);
  }
  float facing = abs(dot(normalize(outward), normalize(eye - point)));
  // The back of a surface is where nothing was measured from: one looks through it, into a room from outside.
  if (!gl_FrontFacing) {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    if ((pixel.x & 3) != 0 || (pixel.y & 3) != 0) discard;
    base = vec3(0.45, 0.47, 0.50);
  }
  color = vec4(base * mix(leastLight, 1.0, facing), 1.0);
}`;

// Lines and points of one color: the camera's path.
export const lineVertexShader = `#version 300 es
layout(location = 0) in vec3 position;
uniform mat4 clipFromCamera;
uniform float size;

void main() {
  gl_Position = clipFromCamera * vec4(position, 1.0);
  gl_PointSize = size;
}`;

export const lineFragmentShader = `#version 300 es
precision highp float;
uniform vec3 ink;
uniform float strength;
out vec4 color;

void main() {
  color = vec4(ink * strength, strength);
}`;
