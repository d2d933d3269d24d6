// Points are splats as large as their pixel is wide at their depth, so that a surface closes when
// one comes near. Positions are in the camera frame; `clipFromCamera` also brings them upright.
export const vertexShader = `#version 300 es
precision highp float;
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 place;
uniform mat4 clipFromCamera;
uniform float splatScale;
uniform float smallestSplat;
uniform vec2 depthRange;
uniform vec2 sigmaRange;
uniform vec3 sigmaParts;
uniform int colorMode;
uniform bool hidesOutside;
uniform sampler2D photo;
uniform sampler2D table;
out vec3 color;

vec3 mapped(float value, vec2 range, int row) {
  float share = clamp((value - range.x) / max(range.y - range.x, 1e-12), 0.0, 1.0);
  return texelFetch(table, ivec2(int(share * 255.0 + 0.5), row), 0).rgb;
}

void main() {
  float depth = position.z;
  gl_Position = clipFromCamera * vec4(position, 1.0);
  gl_PointSize = clamp(splatScale * depth / gl_Position.w, smallestSplat, 48.0);
  if (hidesOutside && (depth < depthRange.x || depth > depthRange.y)) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }
  if (colorMode == 0) {
    color = textureLod(photo, place, 0.0).rgb;
  } else if (colorMode == 1) {
    color = mapped(depth, depthRange, 0);
  } else {
    color = mapped(length(sigmaParts * vec3(1.0, depth, depth * depth)), sigmaRange, 1);
  }
}`;

export const fragmentShader = `#version 300 es
precision mediump float;
in vec3 color;
out vec4 fragment;
void main() {
  fragment = vec4(color, 1.0);
}`;
