// A head as triangles, painted by what is known of its vertices. Positions are in the camera frame.
export const headVertexShader = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 coordinate;
layout(location = 3) in vec3 known;
uniform mat4 clipFromCamera;
out vec3 point;
out vec3 outward;
out vec2 texel;
out vec3 facts;

void main() {
  point = position;
  outward = normal;
  texel = coordinate;
  facts = known;
  gl_Position = clipFromCamera * vec4(position, 1.0);
}`;

// `facts`: residual and sigma as shares of their scales (a sigma below 0 is not known), and 1 where a vertex was
// measured, -0.3 where one was added to the face, -1 in an opening. A triangle counts as measured where all of its corners are.
export const headFragmentShader = `#version 300 es
precision highp float;
in vec3 point;
in vec3 outward;
in vec2 texel;
in vec3 facts;
uniform sampler2D photo;
uniform sampler2D table;
uniform int paint;
uniform vec3 eye;
uniform float leastLight;
out vec4 color;

vec3 tableColor(float share, int row) {
  return texelFetch(table, ivec2(int(clamp(share, 0.0, 1.0) * 255.0 + 0.5), row), 0).rgb;
}

void main() {
  vec3 unknown = vec3(0.56, 0.58, 0.61);
  bool isMeasured = facts.z > 0.999;
  vec3 base = vec3(0.80, 0.78, 0.76);
  if (paint == 0) base = texture(photo, texel).rgb;
  if (paint == 1) base = isMeasured ? tableColor(0.5 + 0.5 * facts.x, 0) : unknown;
  if (paint == 2) base = facts.y >= 0.0 ? tableColor(facts.y, 1) : unknown;
  if (paint == 3) base = isMeasured ? vec3(0.16, 0.66, 0.62) : unknown;
  // What nobody measured is muted: half of its color, and stripes.
  if (facts.z < -0.15 && facts.z > -0.5) {
    float stripe = mod(gl_FragCoord.x + gl_FragCoord.y, 12.0) < 2.0 ? 0.86 : 1.0;
    base = mix(vec3(dot(base, vec3(0.299, 0.587, 0.114))), base, 0.35) * 0.9 * stripe;
  }
  vec3 toEye = normalize(eye - point);
  float facing = abs(dot(normalize(outward), toEye));
  float light = mix(leastLight, 1.0, facing);
  // The inside is a cut through the model, not a face.
  if (!gl_FrontFacing) { base = vec3(0.30, 0.32, 0.35); light = mix(0.6, 1.0, facing); }
  if (facts.z < -0.5) { base = vec3(0.17, 0.18, 0.20); light = 1.0; }
  color = vec4(base * light, 1.0);
}`;
