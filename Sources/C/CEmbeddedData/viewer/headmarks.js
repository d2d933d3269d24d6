import { CloudMarks } from './cloudmarks.js';

// What lies over the head: marks and crosshair. The axes of a camera say nothing about a head.
export class HeadMarks extends CloudMarks {
  drawAxes() {}
}
