import { byID } from './element.js';

// What is seen, as the fragment of a link: another browser that opens it sees the same.
export class ViewLink {
  static numbers(text, count) {
    const values = (text || '').split(',').map(Number);
    return values.length === count && values.every(Number.isFinite) ? values : null;
  }

  // What a fragment asks for; each member null where it says nothing, or nothing that can be.
  static read(fragment) {
    const values = new URLSearchParams(fragment.replace(/^#/, ''));
    const whole = (name) => (/^\d{1,9}$/.test(values.get(name) || '') ? Number(values.get(name)) : null);
    let space = null;
    try {
      space = JSON.parse(values.get('space'));
    } catch {
      // A link that was cut off still shows the picture.
    }
    return {
      isGallery: values.has('gallery'), isLive: values.has('live'),
      item: whole('item'), frame: whole('frame'),
      mode: values.get('mode'), blend: whole('blend'),
      panes: values.get('panes'), map: values.get('map'),
      isReversed: values.has('swap'), isEqualized: values.has('equalize'), hidesOutside: values.has('clip'),
      range: ViewLink.numbers(values.get('range'), 2),
      tool: values.get('tool'), from: ViewLink.numbers(values.get('from'), 2), to: ViewLink.numbers(values.get('to'), 2),
      edges: values.has('edges'), mattes: values.getAll('matte'),
      space: space && typeof space === 'object' ? space : null,
    };
  }

  static write(viewer) {
    const values = new URLSearchParams();
    const { range, picture, selection } = viewer;
    if (viewer.item) values.set('item', viewer.item.index);
    else values.set('live', '1');
    if (viewer.item?.isRecording) values.set('frame', viewer.frameIndex);
    values.set('panes', viewer.panes);
    values.set('mode', picture.mode);
    values.set('blend', Math.round(100 * picture.blend));
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
    if (picture.shows.edges) values.set('edges', '1');
    for (const name of picture.mattes) values.append('matte', name);
    const { state } = viewer.space;
    if (state) values.set('space', JSON.stringify(state, ViewLink.shortened));
    return `${location.origin}${location.pathname}#${values}`;
  }

  // Six digits place a camera well enough.
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
