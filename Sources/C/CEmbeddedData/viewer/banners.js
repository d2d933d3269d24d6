import { byID, element, icon, plainText } from './element.js';

// What must be seen at once, one line each, above everything; screen readers interrupt for it.
export class Banners {
  static icons = { fault: 'cross', caution: 'caution', note: 'note' };

  constructor() {
    this.shown = new Map();
  }

  // The same text again says nothing; `key` names what it replaces.
  show(key, severity, text) {
    const message = plainText(text);
    if (this.shown.get(key)?.message === message) return;
    this.remove(key);
    const close = element('button', { class: 'quiet', type: 'button', 'aria-label': 'Close this message' },
      icon('close'));
    const node = element('div', { class: 'banner', role: severity === 'note' ? 'status' : 'alert', 'data-severity': severity },
      icon(Banners.icons[severity]), element('p', {}, message), close);
    close.addEventListener('click', () => { node.hidden = true; });
    byID('banners').append(node);
    this.shown.set(key, { node, message });
  }

  remove(key) {
    this.shown.get(key)?.node.remove();
    this.shown.delete(key);
  }
}
