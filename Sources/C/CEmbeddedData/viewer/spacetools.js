import { element } from './element.js';
import { Region } from './region.js';
import { Ruler } from './ruler.js';

// The controls of the 3D view. They change nothing themselves: `actions` do, and `show` says how
// things are.
export class SpaceTools {
  static modeNames = { photo: 'Color', depth: 'Depth', sigma: 'Sigma', confidence: 'Confidence' };
  static toolNames = { point: 'Point', distance: 'Distance', angle: 'Angle', plane: 'Plane' };
  static shapeNames = { points: 'Points', surface: 'Surface' };
  static regionNames = { circle: 'Circle', rectangle: 'Rectangle' };
  static sizes = [0.5, 6];

  constructor(container, actions, clipPanel) {
    this.actions = actions;
    container.className = 'space-tools';
    container.setAttribute('role', 'group');
    container.setAttribute('aria-label', 'Tools of the 3D view');
    container.replaceChildren(this.view(), this.look(), this.measure(), this.clip(clipPanel));
  }

  view() {
    const buttons = [['Fit', 'fit', 'F'], ['Reset', 'reset', 'R'], ['Image', 'snapshot', '']]
      .map(([text, action, key]) => this.button(text, action, key));
    this.cameras = this.check('Cameras', (isOn) => this.actions.cameras(isOn));
    this.holds = this.check('Hold the world still', (isOn) => this.actions.holds(isOn));
    return element('div', { class: 'space-block' },
      element('div', { class: 'space-line' }, ...buttons),
      this.camerasLine = element('div', { class: 'space-line', hidden: true },
        this.cameras.label, this.holds.label));
  }

  look() {
    this.modes = this.choice('Color of the points', SpaceTools.modeNames, 'space-mode',
      (mode) => this.actions.mode(mode));
    this.shapes = this.choice('Shape', SpaceTools.shapeNames, 'space-shape',
      (shape) => this.actions.shape(shape));
    const [least, most] = SpaceTools.sizes;
    this.size = element('input', { type: 'range', min: least, max: most, step: 0.1, 'aria-label': 'Point size' });
    this.size.addEventListener('input', () => this.actions.size(Number(this.size.value)));
    this.sizeLine = element('label', { class: 'space-check' }, 'Size', this.size);
    this.invented = this.check('Mark what was filled in', (isOn) => this.actions.invented(isOn));
    return element('div', { class: 'space-block' }, this.modes.group,
      element('div', { class: 'space-line' }, this.shapes.group, this.sizeLine), this.invented.label);
  }

  measure() {
    this.tools = this.choice('Measure', SpaceTools.toolNames, 'space-tool',
      (tool) => this.actions.tool(tool));
    this.regions = this.choice('Part of the plane', SpaceTools.regionNames, 'space-region',
      (shape) => this.actions.region({ shape }));
    const [least, most] = Region.percents;
    this.percent = element('input', {
      type: 'range', min: least, max: most, step: 0.5, 'aria-label': 'Radius, percent of the image',
    });
    this.percent.addEventListener('input', () => this.actions.region({ percent: Number(this.percent.value) }));
    this.percentLine = element('label', { class: 'space-check' }, 'Radius', this.percent);
    this.regionLine = element('div', { class: 'space-line', hidden: true }, this.regions.group, this.percentLine);
    this.hint = element('p', { class: 'space-hint' });
    this.results = element('dl', { class: 'space-results' });
    this.notes = element('p', { class: 'space-faint' });
    this.clear = this.button('Clear', 'clear', 'Esc');
    this.newPlane = this.button('Another plane', 'newPlane', '');
    return element('div', { class: 'space-block' }, this.tools.group, this.regionLine, this.hint,
      this.results, this.notes, element('div', { class: 'space-line' }, this.newPlane, this.clear));
  }

  clip(panel) {
    return element('details', { class: 'space-block space-clip' }, element('summary', {}, 'Clip box'), panel);
  }

  button(text, action, key) {
    const button = element('button', {
      type: 'button', class: 'space-button', title: key ? `${text} (${key})` : null, 'data-action': action,
    }, text);
    button.addEventListener('click', () => this.actions[action]());
    return button;
  }

  check(text, action) {
    const input = element('input', { type: 'checkbox' });
    input.addEventListener('change', () => action(input.checked));
    return { input, label: element('label', { class: 'space-check' }, input, text) };
  }

  choice(legend, names, group, action) {
    const inputs = new Map();
    const labels = Object.entries(names).map(([value, text]) => {
      const input = element('input', { type: 'radio', name: group, value });
      input.addEventListener('change', () => action(value));
      inputs.set(value, input);
      return element('label', {}, input, element('span', {}, text));
    });
    const node = element('fieldset', { class: 'space-segments' },
      element('legend', { class: 'space-unseen' }, legend), ...labels);
    return { group: node, inputs };
  }

  show({ cloud, ruler, cameras, photo, scene }) {
    this.modes.inputs.get(cloud.mode).checked = true;
    this.modes.inputs.get('photo').disabled = !photo;
    this.modes.inputs.get('confidence').disabled = !scene?.confidenceMap;
    this.shapes.inputs.get(cloud.shape).checked = true;
    this.sizeLine.hidden = cloud.shape !== 'points';
    this.size.value = cloud.splatSize;
    this.invented.input.checked = cloud.marksInvented;
    this.invented.label.hidden = !scene?.inventedMap;
    this.camerasLine.hidden = !cameras.areKnown;
    this.cameras.input.checked = cameras.isShown;
    this.holds.input.checked = cameras.holdsWorld;
    this.showMeasuring(ruler);
  }

  showMeasuring(ruler) {
    this.tools.inputs.get(ruler.tool).checked = true;
    this.regionLine.hidden = ruler.tool !== 'plane';
    this.regions.inputs.get(ruler.region.shape).checked = true;
    this.percent.value = ruler.region.percent;
    this.percentLine.hidden = ruler.region.shape !== 'circle';
    this.hint.textContent = ruler.hint;
    this.hint.hidden = !ruler.hint;
    const { results } = ruler;
    this.results.replaceChildren(...results.map(({ label, text }) =>
      element('div', {}, element('dt', {}, label), element('dd', {}, text))));
    this.results.hidden = !results.length;
    this.notes.textContent = ruler.notes.join(' ');
    this.notes.hidden = !results.length;
    this.clear.hidden = !ruler.points.length && !ruler.plane && !ruler.corners.length;
    this.newPlane.hidden = !ruler.plane;
  }
}
