import { byID, element } from './element.js';
import { Quantity } from './quantity.js';

// The sliders of the 52 expressions, by the part of the face that moves.
export class Expressions {
  static groups = [
    ['Brows', 'brow'], ['Eyes', 'eye'], ['Jaw', 'jaw'], ['Mouth', 'mouth'], ['Cheeks', 'cheek'], ['Nose', 'nose'],
    ['Tongue', 'tongue'],
  ];

  // `missing`: names of shapes that the model lacks.
  constructor(mesh, missing, changed) {
    Object.assign(this, { mesh, missing, changed, rows: [] });
    const groups = Expressions.groups.map(([title, prefix]) => this.group(title, prefix)).filter(Boolean);
    byID('expression-groups').replaceChildren(...groups);
    byID('as-photo').addEventListener('click', () => this.set(mesh.photoWeights));
    byID('at-rest').addEventListener('click', () => this.set(mesh.weights.map(() => 0)));
    this.show();
  }

  // `eyeBlinkLeft` among the eyes is “Blink left”.
  static label(name, prefix) {
    const words = name.slice(prefix.length).replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
    return words.charAt(0).toUpperCase() + words.slice(1);
  }

  group(title, prefix) {
    const members = this.mesh.targets.map(({ name }, index) => ({ name, index }))
      .filter(({ name }) => name.startsWith(prefix) && /^[A-Z]/.test(name.slice(prefix.length)));
    // What the model lacks has no slider to move, but its name shows that it was not forgotten.
    const absent = this.missing.filter((name) => typeof name === 'string' && name.startsWith(prefix)
      && !this.mesh.targets.some((target) => target.name === name));
    if (!members.length && !absent.length) return null;
    const rows = [...members.map(({ name, index }) => this.row(name, index, prefix, title)),
      ...absent.map((name) => this.absentRow(name, prefix))];
    // As far as a hand can open them: a phone has no room for all.
    const isOpen = ['Brows', 'Jaw'].includes(title) && innerWidth > 860;
    return element('details', { class: 'expressions', open: isOpen },
      element('summary', {}, element('h3', {}, title), element('span', { class: 'note' }, String(members.length))),
      ...rows);
  }

  absentRow(name, prefix) {
    return element('div', { class: 'expression missing', title: name },
      element('span', {}, Expressions.label(name, prefix)),
      element('span', { class: 'note' }, 'The model has no such shape.'));
  }

  row(name, index, prefix, title) {
    const label = Expressions.label(name, prefix);
    const weight = this.mesh.photoWeights[index];
    const isMissing = this.missing.includes(name);
    const id = `expression-${index}`;
    const input = element('input', {
      id, type: 'range', min: String(Math.min(0, Math.floor(100 * weight) / 100)),
      max: String(Math.max(1, Math.ceil(100 * weight) / 100)), step: 'any', disabled: isMissing,
      'aria-label': `${title}: ${label}, ${name}`, 'data-name': name,
      'aria-describedby': isMissing ? `${id}-why` : null,
    });
    const output = element('output', { for: id });
    input.addEventListener('input', () => {
      this.mesh.weights[index] = Number(input.value);
      this.moved();
    });
    input.addEventListener('keydown', (event) => this.step(event, input));
    this.rows.push({ index, input, output });
    return element('div', { class: isMissing ? 'expression missing' : 'expression', title: name },
      element('label', { for: id }, label), input, output,
      isMissing ? element('span', { id: `${id}-why`, class: 'note' }, 'The model has no such shape.') : null);
  }

  // A range of any value has no steps for the keyboard of its own.
  step(event, input) {
    const steps = { ArrowLeft: -0.05, ArrowDown: -0.05, ArrowRight: 0.05, ArrowUp: 0.05, PageDown: -0.2, PageUp: 0.2 };
    if (!Object.hasOwn(steps, event.key)) return;
    event.preventDefault();
    input.value = String(Number(input.value) + steps[event.key]);
    input.dispatchEvent(new Event('input'));
  }

  set(weights) {
    this.mesh.weights.splice(0, weights.length, ...weights);
    this.moved();
  }

  moved() {
    this.mesh.pose();
    this.show();
    this.changed();
  }

  show() {
    for (const { index, input, output } of this.rows) {
      const weight = this.mesh.weights[index];
      input.value = String(weight);
      output.textContent = input.disabled ? '—' : Quantity.fixed(weight, 2);
      input.setAttribute('aria-valuetext', Quantity.fixed(weight, 2));
    }
    byID('as-photo').setAttribute('aria-pressed', String(this.mesh.isAsInPhoto));
    byID('at-rest').setAttribute('aria-pressed', String(this.mesh.isAtRest));
  }
}
