import { html, type Markup } from './markup.ts';
import type { Tone } from './parts.ts';

/** A bar on a time line. All numbers are fractions of the width, from 0 to 1. */
export interface TrackBar {
  readonly start: number;
  readonly width: number;
  readonly tone: Tone;
  /** The usual width, drawn below the bar. */
  readonly usual?: number;
  /** The bar is drawn shorter than it is. */
  readonly isCut?: boolean;
  /** Moments inside the bar, counted from its start. */
  readonly marks?: readonly number[];
}

const units = 1_000;
/** So that a moment can be seen. */
const minWidth = 0.004;

const inUnits = (part: number): string => (Math.min(Math.max(part, 0), 1) * units).toFixed(1);

/** A bar as SVG. The text of its row has the same facts. */
export function barTrack({ start, width, tone, usual, isCut = false, marks = [] }: TrackBar): Markup {
  const shown = Math.max(width, minWidth);
  const at = Math.max(0, Math.min(start, 1 - shown));
  return html`<svg viewBox="0 0 ${units} 18" preserveAspectRatio="none">
    ${
      usual === undefined
        ? null
        : html`<rect
            class="usual"
            x="${inUnits(at)}"
            y="11"
            width="${inUnits(Math.min(usual, 1 - at))}"
            height="5"
          />`
    }
    <rect class="bar ${tone}" x="${inUnits(at)}" y="2" width="${inUnits(shown)}" height="8" />
    ${isCut ? html`<rect class="cut" x="${inUnits(at + shown / 2)}" y="0" width="6" height="12" />` : null}
    ${marks.map(
      (mark) => html`<rect class="mark" x="${inUnits(at + shown * mark)}" y="0" width="3" height="12" />`,
    )}
  </svg>`;
}
