import { byID } from './element.js';
import { MapQuantity } from './mapquantity.js';
import { ImageView } from './imageview.js';
import { Selection } from './selection.js';

// Keys that work wherever the focus is, except where text is typed or chosen; those of the point cloud are its
// own while it has the focus.
export class Shortcuts {
  constructor(viewer) {
    this.viewer = viewer;
    document.addEventListener('keydown', (event) => this.key(event));
    byID('help-open').addEventListener('click', () => byID('help').showModal());
    for (const name of ['help', 'link-dialog']) {
      byID(name).addEventListener('click', (event) => {
        if (event.target === byID(name)) byID(name).close();
      });
    }
  }

  get actions() {
    const { viewer } = this;
    const { player } = viewer;
    return {
      b: () => this.next(ImageView.modes, viewer.imageView.mode, (mode) => viewer.imagePane.setMode(mode)),
      t: () => this.next(Selection.tools, viewer.selection.tool, (tool) => viewer.imagePane.setTool(tool)),
      e: () => byID('show-edges').click(),
      f: () => { if (!byID('effects-open').hidden) byID('effects-open').click(); },
      p: () => { if (!byID('faces-open').hidden) byID('faces-open').click(); },
      m: () => this.next(MapQuantity.available(viewer.scene), viewer.imageView.quantity?.name ?? 'depth',
        (name) => viewer.imagePane.setQuantity(name)),
      q: () => byID('map-equalized').click(),
      a: () => viewer.range.reset(),
      v: () => this.next(['plane', 'both', 'space'], viewer.panes, (panes) => viewer.setPanes(panes)),
      l: () => viewer.copyLink(),
      g: () => { if (viewer.navigation.hasGallery) viewer.navigation.go('gallery'); },
      h: () => { if (viewer.isLive) byID('freeze').click(); },
      k: () => player?.toggle(),
      ',': () => player?.step(-1),
      '.': () => player?.step(1),
      '?': () => byID('help').showModal(),
      escape: () => {
        if (viewer.selection.start) viewer.imagePane.clearSelection();
        else if (viewer.probe.points.length) viewer.probe.clear();
      },
    };
  }

  next(values, value, choose) {
    choose(values[(values.indexOf(value) + 1) % values.length]);
  }

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector('dialog[open]')) return;
    const isEdited = event.target.matches?.('select, textarea, input:not([type=radio], [type=checkbox], [type=range])');
    if (isEdited || !this.viewer.scene) return;
    const name = event.key.toLowerCase();
    const { actions } = this;
    if (!Object.hasOwn(actions, name)) return;
    actions[name]();
    event.preventDefault();
  }
}
