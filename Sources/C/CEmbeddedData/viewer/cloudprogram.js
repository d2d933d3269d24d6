// A vertex and a fragment shader, and the values they take by name.
export class CloudProgram {
  constructor(gl, vertexSource, fragmentSource) {
    this.gl = gl;
    this.program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertexSource],
      [gl.FRAGMENT_SHADER, fragmentSource]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(this.program, shader);
    }
    gl.linkProgram(this.program);
    this.uniforms = new Map();
    if (gl.isContextLost()) return;
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS)) {
      throw new Error('point cloud: ' + gl.getProgramInfoLog(this.program));
    }
    const count = gl.getProgramParameter(this.program, gl.ACTIVE_UNIFORMS);
    for (let index = 0; index < count; index++) {
      const { name, type } = gl.getActiveUniform(this.program, index);
      this.uniforms.set(name, { type, location: gl.getUniformLocation(this.program, name) });
    }
  }

  // Values that this program does not take are ignored.
  use(values) {
    const { gl } = this;
    gl.useProgram(this.program);
    for (const [name, { type, location }] of this.uniforms) {
      const value = values[name];
      if (type === gl.FLOAT) gl.uniform1f(location, value);
      else if (type === gl.FLOAT_VEC2) gl.uniform2f(location, ...value);
      else if (type === gl.FLOAT_VEC3) gl.uniform3f(location, ...value);
      else if (type === gl.FLOAT_MAT4) gl.uniformMatrix4fv(location, false, value);
      else if (type === gl.INT_VEC2) gl.uniform2i(location, ...value);
      else gl.uniform1i(location, Number(value));
    }
  }
}
