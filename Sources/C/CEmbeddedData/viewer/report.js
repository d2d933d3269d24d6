import { Details } from './details.js';
import { byID, plainText } from './element.js';
import { Findings } from './findings.js';
import { DepthScene } from './scene.js';
import { Stage } from './stage.js';
import { Theme } from './theme.js';
import { Verdict } from './verdict.js';

// Reads what the page carries, shows it, and offers it to tests as `window.plumblineReport`.
class Report {
  constructor() {
    this.document = Report.parsed(byID('plumbline-document').textContent);
    this.scene = null;
    this.stage = null;
  }

  static parsed(text) {
    try {
      const value = JSON.parse(text);
      return value && typeof value === 'object' ? value : {};
    } catch {
      return { reason: 'The document of this report cannot be read.' };
    }
  }

  async start() {
    Theme.attach(() => this.stage?.cloud.request());
    byID('help').addEventListener('click', (event) => {
      if (event.target === byID('help')) byID('help').close();
    });
    this.scene = this.readScene();
    const isMetric = this.scene
      ? this.scene.metric : this.document.depth?.accuracy === 'absolute';
    new Verdict(this.document, isMetric).show();
    const findings = new Findings(this.document.findings);
    findings.show();
    new Details(this.document).show();
    byID('stage').hidden = !this.scene;
    if (!this.scene) return;
    this.stage = new Stage(this.scene);
    await this.stage.start();
  }

  readScene() {
    try {
      return DepthScene.fromPage();
    } catch (error) {
      byID('scene-missing').hidden = false;
      byID('scene-missing').textContent = plainText(`The image cannot be shown: ${error.message}`);
      return null;
    }
  }
}

{
  const report = new Report();
  const ready = report.start();
  const probed = (x, y) => report.scene.probe(x, y);
  window.plumblineReport = {
    ready,
    get hasScene() { return Boolean(report.scene); },
    get hasCloud() { return Boolean(report.stage?.cloud.isAvailable); },
    get isMoving() { return Boolean(report.stage?.pilot.isFlying); },
    get camera() { return report.stage.cloud.orbit.state; },
    get points() { return report.stage.probe.points; },
    get measured() { return report.stage.probe.measured; },
    get colorMode() { return report.stage.cloud.mode; },
    get cursor() { return report.stage.overlay.cursor; },
    // What is read at a pixel of the map, in its own unit.
    probe: probed,
    // The distance of two pixels with its standard uncertainty; null without a calibration.
    measure: (x1, y1, x2, y2) => report.scene.calibrated
      ? report.scene.distance(probed(x1, y1), probed(x2, y2)) : null,
    // Where a pixel of the map lies, in CSS pixels of the overlay and of the cloud.
    overlayPoint: (x, y) => report.stage.overlay.canvasPoint(x, y),
    cloudPoint: (x, y) => report.stage.cloud.canvasPoint(probed(x, y).position),
  };
}
