import { Catalog } from './catalog.js';
import { byID, element, entry, plainText } from './element.js';

// Who is connected to the server, and the end of one of them: `/api/clients`, requested again while the dialog is open.
export class ClientsPanel {
  static pollSeconds = 2;
  static kinds = {
    viewer: 'watches the live stream', publisher: 'sends a camera', program: 'a program', browser: 'looks at pages',
  };

  constructor() {
    this.dialog = byID('clients');
    this.rows = new Map();
    this.dialog.addEventListener('close', () => clearTimeout(this.timer));
    this.dialog.addEventListener('click', (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  async open() {
    if (!this.dialog.open) this.dialog.showModal();
    await this.refresh();
  }

  async refresh() {
    clearTimeout(this.timer);
    try {
      this.show(await Catalog.json('/api/clients'));
    } catch (error) {
      this.say(error.message);
    }
    if (this.dialog.open) this.timer = setTimeout(() => this.refresh(), 1000 * ClientsPanel.pollSeconds);
  }

  say(text) {
    byID('clients-note').textContent = plainText(text);
  }

  // Rows stay where they are, so that none moves away under a finger or loses the focus.
  show({ clients, isComplete, fingerprint }) {
    const known = Array.isArray(clients) ? clients : [];
    const names = new Set(known.map(({ name }) => name));
    for (const [name, row] of this.rows) {
      if (names.has(name)) continue;
      row.node.remove();
      this.rows.delete(name);
    }
    for (const client of known) {
      if (!this.rows.has(client.name)) this.add(client);
      this.fill(this.rows.get(client.name), client);
    }
    this.say(isComplete
      ? `${known.length} ${known.length === 1 ? 'client is' : 'clients are'} connected or logged in.`
      : 'Only this machine itself is shown everybody; this is you.');
    byID('clients-fingerprint').hidden = !fingerprint;
    byID('clients-fingerprint').textContent = fingerprint
      ? `SHA-256 of the server’s certificate: ${plainText(fingerprint).match(/.{1,4}/g).join(' ')}` : '';
  }

  add({ name, address }) {
    const button = element('button', { class: 'plain', type: 'button', 'aria-label': `End ${plainText(address)}` }, 'End');
    button.addEventListener('click', () => this.end(name));
    const cells = { address: element('td'), kind: element('td'), since: element('td') };
    const node = element('tr', {}, cells.address, cells.kind, cells.since, element('td', {}, button));
    byID('clients-list').append(node);
    this.rows.set(name, { node, cells });
  }

  fill({ cells }, { address, kind, connections, sinceSeconds, isThis }) {
    const what = entry(ClientsPanel.kinds, kind) ?? plainText(kind);
    cells.address.textContent = plainText(address) + (isThis ? ' (you)' : '');
    cells.kind.textContent = connections > 1 ? `${what}, ${connections} connections` : what;
    cells.since.textContent = ClientsPanel.duration(sinceSeconds);
  }

  static duration(seconds) {
    if (!Number.isFinite(seconds)) return '—';
    if (seconds < 60) return `${Math.floor(seconds)}\u00a0s`;
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return `${minutes}\u00a0min`;
    return `${Math.floor(minutes / 60)}\u00a0h ${minutes % 60}\u00a0min`;
  }

  async end(name) {
    try {
      await Catalog.response(`/api/clients/${encodeURIComponent(name)}/end`, { method: 'POST' });
    } catch (error) {
      this.say(error.message);
      return;
    }
    await this.refresh();
  }
}
