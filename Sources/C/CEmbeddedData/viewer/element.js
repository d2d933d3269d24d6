// Characters that could make text read as something else: controls and writing-direction marks.
export const unsafeCharacters =
  /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

// Text of any origin, safe to show. Everything from the document passes through here, and enters
// the page as a text node, never as markup.
export function plainText(value) {
  return String(value).replace(unsafeCharacters, '\ufffd').slice(0, 2000);
}

// An entry of a table by a key of any origin: `constructor` and its like are no entries.
export function entry(table, key) {
  return Object.hasOwn(table, key) ? table[key] : null;
}

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children) {
    if (child === null || child === undefined) continue;
    node.append(child instanceof Node ? child : plainText(child));
  }
  return node;
}

// A drawing from the sprite in report.html.
export function icon(name) {
  const namespace = 'http://www.w3.org/2000/svg';
  const drawing = document.createElementNS(namespace, 'svg');
  drawing.setAttribute('class', 'icon');
  drawing.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(namespace, 'use');
  use.setAttribute('href', '#icon-' + name);
  drawing.append(use);
  return drawing;
}

export function byID(id) {
  return document.getElementById(id);
}

export function styleColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
