import { byID } from './element.js';
import { Pilot } from './pilot.js';

// What the pages of one surface do alike: views by keys and buttons, the choice of colors, and distances on it.
//
// A page has `view`, `ruler` and `marks`, shows what the colors mean by `showLegend`, and says in `noun` what it shows.
export class SurfacePage {
  attach() {
    const { view } = this;
    this.pilot = new Pilot(view, {
      pick: (point, reach, isByKey) => this.pick(point, isByKey),
      undoPick: () => {
        this.ruler.undo();
        this.changed();
      },
    });
    this.pilot.attach();
    byID('fit').addEventListener('click', () => this.pilot.fit());
    byID('reset').addEventListener('click', () => this.pilot.reset());
    byID('readout-clear').addEventListener('click', () => this.clear());
    byID('help-open').addEventListener('click', () => byID('help').showModal());
    byID('help').addEventListener('click', (event) => {
      if (event.target === byID('help')) byID('help').close();
    });
    for (const name of ['focus', 'blur']) view.canvas.addEventListener(name, () => this.marks.draw());
    for (const input of this.paintInputs) input.addEventListener('change', () => this.choose(input.value));
    document.addEventListener('keydown', (event) => this.key(event));
  }

  get paintInputs() {
    return [...document.querySelectorAll('input[name=paint]')];
  }

  // Takes the colors that the reader asked for.
  choose(paint) {
    this.paint(paint);
  }

  paint(paint) {
    this.view.paint = paint;
    for (const input of this.paintInputs) input.checked = input.value === paint;
    this.showLegend();
    this.view.request();
  }

  nextPaint() {
    const choices = this.paintInputs.filter(({ disabled }) => !disabled).map(({ value }) => value);
    this.choose(choices[(choices.indexOf(this.view.paint) + 1) % choices.length]);
  }

  pick(point, isByKey) {
    if (this.ruler.pick(point)) byID('announcement').textContent = this.ruler.announcement;
    else if (isByKey) byID('announcement').textContent = `The ${this.noun} does not lie at the center of the view.`;
    this.changed();
  }

  clear() {
    this.ruler.clear();
    byID('announcement').textContent = this.ruler.announcement;
    this.changed();
  }

  changed() {
    this.ruler.show();
    this.view.request();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byID('help').open) return;
    const actions = {
      f: () => this.pilot.fit(), r: () => this.pilot.reset(), c: () => this.nextPaint(),
      escape: () => this.clear(), '?': () => byID('help').showModal(),
    };
    const name = event.key.toLowerCase();
    if (/^[1-6]$/.test(name)) this.pilot.view(Number(name) - 1);
    else if (Object.hasOwn(actions, name)) actions[name]();
    else return;
    event.preventDefault();
  }
}
