import { byID } from './element.js';

// What is seen, as the fragment of a link: another browser that opens it sees the same.
export class ViewLink {
  static numbers(text, count) {
    const values = (text || '').split(',').map(Number);
    return values.length === count && values.every(Number.isFinite) ? values : null;
  }

  static pixel(text) {
    const values = ViewLink.numbers(text, 2);
    return values?.every((value) => Number.isInteger(value) && value >= 0) ? values : null;
  }

  // What a fragment states; each member is null where it states nothing valid.
  static read(fragment) {
    const values = new URLSearchParams(fragment.replace(/^#/, ''));
    const whole = (name) => (/^\d{1,9}$/.test(values.get(name) || '') ? Number(values.get(name)) : null);
    let space = null;
    try {
      space = JSON.parse(values.get('space'));
    } catch {
      // A link that was cut off still shows the image.
    }
    return {
      isGallery: values.has('gallery'), isLive: values.has('live'),
      item: whole('item'), frame: whole('frame'),
      mode: values.get('mode'), quantity: values.get('of'), blend: whole('blend'),
      panes: values.get('panes'), map: values.get('map'),
      isReversed: values.has('swap'), isEqualized: values.has('equalize'), hidesOutside: values.has('clip'),
      range: ViewLink.numbers(values.get('range'), 2),
      tool: values.get('tool'), from: ViewLink.pixel(values.get('from')), to: ViewLink.pixel(values.get('to')),
      edges: values.has('edges'), mattes: values.getAll('matte'),
      space: space && typeof space === 'object' ? space : null,
    };
  }

  // What a link chose; what it does not name stays.
  static async apply(link, viewer) {
    const { range, imagePane, selection } = viewer;
    if (link.mode) imagePane.setMode(link.mode);
    if (link.quantity) imagePane.setQuantity(link.quantity);
    if (link.blend !== null) imagePane.setBlend(link.blend);
    if (viewer.constructor.paneNames.includes(link.panes)) viewer.setPanes(link.panes);
    if (link.map && document.querySelector(`input[name=map][value="${CSS.escape(link.map)}"]`)) {
      Object.assign(range, {
        mapName: link.map, isReversed: link.isReversed, isEqualized: link.isEqualized, hidesOutside: link.hidesOutside,
      });
    }
    if (link.range) range.setRange(...link.range);
    if (link.tool) await imagePane.setTool(link.tool);
    if (link.from && link.to) Object.assign(selection, { start: link.from, end: link.to });
    for (const name of link.mattes) viewer.imageView.setMatte(name, true);
    if (link.edges !== byID('show-edges').checked && link.mode) byID('show-edges').click();
    viewer.wantedSpace = link.space;
  }

  static write(viewer) {
    const values = new URLSearchParams();
    const { range, imageView, selection } = viewer;
    if (viewer.item) values.set('item', viewer.item.index);
    else values.set('live', '1');
    if (viewer.item?.isRecording) values.set('frame', viewer.frameIndex);
    values.set('panes', viewer.panes);
    values.set('mode', imageView.mode);
    if (imageView.quantity) values.set('of', imageView.quantity.name);
    values.set('blend', Math.round(100 * imageView.blend));
    values.set('map', range.mapName);
    if (range.isReversed) values.set('swap', '1');
    if (range.isEqualized) values.set('equalize', '1');
    if (range.hidesOutside) values.set('clip', '1');
    if (!range.isAutomatic) values.set('range', range.range.map((value) => Number(value.toPrecision(7))).join());
    if (selection.tool !== 'point') {
      values.set('tool', selection.tool);
      if (selection.start) {
        values.set('from', selection.start.join());
        values.set('to', selection.end.join());
      }
    }
    if (imageView.shows.edges) values.set('edges', '1');
    for (const name of imageView.mattes) values.append('matte', name);
    const state = viewer.space?.state ?? viewer.wantedSpace;
    if (state) values.set('space', JSON.stringify(state, ViewLink.shortened));
    return `${location.origin}${location.pathname}#${values}`;
  }

  // Six digits position a camera well enough.
  static shortened(_, value) {
    return typeof value === 'number' ? Number(value.toPrecision(6)) : value;
  }

  // Without a secure origin there is no clipboard: the link is shown to be copied by hand.
  static async copy(viewer) {
    const link = ViewLink.write(viewer);
    history.replaceState(history.state, '', link);
    try {
      await navigator.clipboard.writeText(link);
      viewer.say('The link to this view is copied.');
      viewer.flash('copy-link', 'Copied');
    } catch {
      byID('link-text').value = link;
      byID('link-dialog').showModal();
      byID('link-text').select();
    }
    return link;
  }
}
