import { ColorMap } from './colormaps.js';
import { byID, element } from './element.js';
import { Quantity } from './quantity.js';
import { ScanView } from './scanview.js';

// What is said of a scan beside its surface.
export class ScanStatus {
  static stages = {
    reading: 'Reading', fusing: 'Fusing', loops: 'Looking for places seen again',
    fusingAgain: 'Fusing again', surface: 'Making the surface', writing: 'Writing', finished: 'Finished',
  };

  static words = {
    color: 'The colors of the frames. Where one looks at the back of the surface, it is a grid.',
    sigma: '± of the surface along its normal, 1 σ. Gray: not known.',
    plain: 'The surface alone, lit from where you look.',
  };

  static show(state, pathMeters) {
    const isFile = state.frames === null && state.done === 0 && state.stage === 'finished';
    byID('stage-badge').textContent = isFile ? 'Surface of a file' : ScanStatus.stages[state.stage] ?? 'Working';
    byID('stage-badge').dataset.stage = state.stage;
    const rows = isFile ? [] : ScanStatus.rows(state, pathMeters);
    if (state.surface) {
      rows.push(['Surface', `${ScanStatus.count(state.surface.triangles)} triangles`
        + (state.surface.isTooLarge ? ', too large to be shown' : '')]);
    }
    byID('scan-status').replaceChildren(...rows.map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, value))));
    byID('scan-notes').replaceChildren(...(state.notes ?? []).map((note) => element('li', {}, note)));
    const isRunning = Number.isFinite(state.frames) && state.frames > 0 && state.stage !== 'finished';
    byID('scan-progress').hidden = !isRunning;
    if (isRunning) byID('scan-progress').value = state.done / state.frames;
  }

  static rows(state, pathMeters) {
    const rows = [['Frames', state.frames === null ? ScanStatus.count(state.done)
      : `${ScanStatus.count(state.done)} of ${ScanStatus.count(state.frames)}`]];
    if (state.stage === 'fusing' || state.stage === 'fusingAgain') {
      rows.push(['Speed', state.framesPerSecond === null ? '—' : `${Quantity.fixed(state.framesPerSecond, 1)} frames/s`
        + (state.secondsLeft === null ? '' : `, ${ScanStatus.time(state.secondsLeft)} left`)]);
      if (state.stage === 'fusing') rows.push(['Tracking', ScanStatus.tracking(state)]);
    }
    const lost = [[state.lost, 'left out'], [state.dropped, 'missed']].filter(([count]) => count > 0)
      .map(([count, word]) => `${ScanStatus.count(count)} ${word}`);
    if (lost.length) rows.push(['Not fused', lost.join(', ')]);
    rows.push(['Path', `${Quantity.fixed(pathMeters, 2)}\u00a0m`]);
    return rows;
  }

  static tracking({ isTracked, residualMeters, residualSigmas }) {
    if (!isTracked) return 'not tracked';
    if (residualMeters === null) return 'tracked';
    const sigmas = residualSigmas === null ? '' : ` (${Quantity.fixed(residualSigmas, 1)}\u00a0σ)`;
    return `tracked, residual ${Quantity.significant(1000 * residualMeters)}\u00a0mm${sigmas}`;
  }

  static time(seconds) {
    return seconds < 100 ? `${Math.ceil(seconds)}\u00a0s` : `${Math.ceil(seconds / 60)}\u00a0min`;
  }

  static count(number) {
    return String(number).replace(/\B(?=(\d{3})+$)/g, '\u202f');
  }

  // What the colors mean, with their unit.
  static showLegend(view) {
    const parts = [];
    if (view.paint === 'sigma') {
      const bar = element('span', { class: 'bar', 'aria-hidden': 'true' });
      bar.style.background = ColorMap.gradient(ScanView.table);
      parts.push(element('span', {}, '0'), bar,
        element('span', {}, `±\u00a0${Quantity.significant(1000 * view.sigmaScale, 3)}\u00a0mm and more`));
    }
    byID('scan-legend').replaceChildren(...parts);
    byID('scan-legend').hidden = !parts.length;
    byID('paint-words').textContent = ScanStatus.words[view.paint];
  }
}
