import { type Content, html, type Markup } from '../../../lib/html/markup.ts';
import { type Column, pill, table as plainTable, type Tone } from '../../../lib/html/parts.ts';

/** A moment in UTC: short on the page, complete for a tooltip and a screen reader. */
export function time(iso: string | null): Content {
  if (iso === null) return '–';
  const [date, clock = ''] = iso.split('T');
  return html`<time datetime="${iso}" title="${iso}" data-exact
    ><span class="date">${date} </span>${clock.slice(0, 8)} UTC</time
  >`;
}

/** A duration in the largest unit that shows it well. */
export function span(from: string | null, to: string | null): string {
  if (from === null || to === null) return '–';
  const ms = Date.parse(to) - Date.parse(from);
  if (ms < 1000) return `${String(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${String(Math.round(ms / 60_000))} min`;
}

/**
 * A table in a frame that scrolls by itself, or as cards on a phone. `empty` says what would be there, and how to
 * get it.
 */
export function table<Row>(
  caption: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  empty: Content,
): Markup {
  const whole = plainTable(caption, rows, columns, empty);
  if (rows.length === 0) return whole;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">${whole}</div>`;
}

const tones: Readonly<Record<string, Tone>> = {
  SUCCESS: 'good',
  STREAMING: 'good',
  ENABLED: 'good',
  FAILED: 'bad',
  FORBIDDEN: 'bad',
  RUNNING: 'move',
  QUEUED: 'wait',
  CANCELLING: 'wait',
  STARTING: 'wait',
  STOPPING: 'wait',
};

export function toneOf(word: string): Tone {
  return tones[word.toUpperCase()] ?? 'calm';
}

export function status(text: string): Markup {
  return pill(toneOf(text), text.toLowerCase().replaceAll('_', ' '));
}

/** Text that is shown unchanged; one click selects all of it. */
export function code(label: string, text: string): Markup {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`;
}
