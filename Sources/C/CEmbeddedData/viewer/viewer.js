import { ViewerPage } from './viewerpage.js';

// Starts the page, and offers it to tests as `window.plumblineViewer`.
const viewer = new ViewerPage();
const ready = viewer.navigation.start();

window.plumblineViewer = {
  ready,
  viewer,
  // What is read at a pixel of the map, in its own unit.
  probe: (x, y) => viewer.scene.probe(x, y),
  // Where a pixel of the map lies, in CSS pixels of the image.
  overlayPoint: (x, y) => viewer.imageView.canvasPoint(x, y),
  // The color of a pixel of the map, without the photo.
  depthColor: (x, y) => {
    const { columns } = viewer.scene;
    return [...viewer.imageView.colorPixels.data.slice(4 * (y * columns + x), 4 * (y * columns + x) + 4)];
  },
  // Ends when the cloud can be seen, if it is requested.
  get spaceReady() { return viewer.spaceReady?.then(() => true) ?? false; },
  get hasFrame() { return Boolean(viewer.frame); },
  get frameIndex() { return viewer.frameIndex; },
  get frameName() { return viewer.frame?.name ?? null; },
  get sequence() { return viewer.frame?.header.sequence ?? null; },
  get isPlaying() { return Boolean(viewer.player?.isPlaying); },
  get isLive() { return viewer.isLive; },
  get framesPerSecond() { return viewer.livePanel?.stream?.framesPerSecond ?? 0; },
  get status() { return viewer.livePanel?.status ?? null; },
  get points() { return viewer.probe.points; },
  get measured() { return viewer.probe.measured; },
  get cursor() { return viewer.imageView.cursor; },
  get range() { return [...viewer.range.range]; },
  get profile() {
    const { profile } = viewer.imagePane;
    return profile && { ...profile, sorted: undefined };
  },
  get edgeCount() {
    return viewer.imageView.layers.markedEdges().reduce((sum, mark) => sum + mark, 0);
  },
  get cached() { return [...(viewer.cache?.entries.keys() ?? [])]; },
  get cachedBytes() { return viewer.cache?.byteSize ?? 0; },
  get state() {
    const { imageView, range, selection } = viewer;
    return {
      item: viewer.item?.index ?? null, mode: imageView.mode, blend: imageView.blend, share: imageView.share,
      panes: viewer.panes, map: range.mapName, isAutomatic: range.isAutomatic, isEqualized: range.isEqualized,
      tool: selection.tool, mattes: [...imageView.mattes], shows: { ...imageView.shows },
      space: viewer.space?.state ?? null,
    };
  },
  // Milliseconds that the color mapping of the frame takes, the median of several runs.
  paintMilliseconds: (runs = 15) => {
    const times = [];
    for (let run = 0; run < runs; run++) {
      const began = performance.now();
      viewer.imageView.paintLayer();
      times.push(performance.now() - began);
    }
    return times.sort((a, b) => a - b)[runs >> 1];
  },
};
