// What the server has to show, by its requests; see Documentation/formats/stream.md.
export class Catalog {
  constructor(view) {
    this.title = view.title || 'Plumbline';
    this.isLive = Boolean(view.live);
    this.fitsFaces = Boolean(view.faces);
    this.items = Array.isArray(view.items) ? view.items : [];
    // What is odd about the folder itself, such as entries that cannot be read.
    this.findings = Array.isArray(view.findings) ? view.findings : [];
  }

  static async load() {
    return new Catalog(await Catalog.json('/api/view'));
  }

  static async json(path, options) {
    return (await Catalog.response(path, options)).json();
  }

  static async bytes(path, options) {
    return (await Catalog.response(path, options)).arrayBuffer();
  }

  static async response(path, options) {
    const response = await fetch(path, options);
    if (response.ok) return response;
    if (response.status === 401) {
      throw new Error('The server requires a token: open the link that it printed.');
    }
    const error = await response.json().catch(() => ({}));
    throw new Error(error.message || `The server responded with status ${response.status}.`);
  }

  static frame(item, frame, options) {
    return Catalog.bytes(`/api/items/${item}/frames/${frame}`, options);
  }

  static check(item, frame, options) {
    return Catalog.json(`/api/items/${item}/frames/${frame}/check`, options);
  }

  static thumbnail(item) {
    return `/api/items/${item}/thumbnail`;
  }
}
