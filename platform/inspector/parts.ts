import { type Content, html, type Markup } from '../../lib/core/markup.ts';

/** A moment: short for the eye, whole for a tooltip and a screen reader. */
export function time(iso: string | null): Content {
  if (iso === null) return '–';
  const [date, clock = ''] = iso.split('T');
  return html`<time datetime="${iso}" title="${iso}"
    ><span class="date">${date} </span>${clock.slice(0, 8)}</time
  >`;
}

/** How long something took, in the largest unit that says it well. */
export function span(from: string | null, to: string | null): string {
  if (from === null || to === null) return '–';
  const ms = Date.parse(to) - Date.parse(from);
  if (ms < 1000) return `${String(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${String(Math.round(ms / 60_000))} min`;
}

export interface Column<Row> {
  readonly name: string;
  readonly show: (row: Row) => Content;
  /** `number` stands right; `wide` is left out on small screens; `code` is an id or a path. */
  readonly kind?: 'number' | 'wide' | 'code';
}

/** A table with a caption, in a frame that scrolls by itself; `empty` says what would be there. */
export function table<Row>(
  caption: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  empty: Content,
): Markup {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const [first, ...rest] = columns;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(({ name, kind = '' }) => html`<th scope="col" class="${kind}">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${first && html`<th scope="row" class="${first.kind ?? ''}">${first.show(row)}</th>`}
              ${rest.map(({ kind = '', show }) => html`<td class="${kind}">${show(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

type Tone = 'good' | 'bad' | 'wait' | 'calm';

/** A state as a word on a colour; the word alone says it too. */
export function pill(tone: Tone, text: string | number): Markup {
  return html`<span class="pill ${tone}">${text}</span>`;
}

const tones: Readonly<Record<string, Tone>> = {
  SUCCESS: 'good',
  STREAMING: 'good',
  ENABLED: 'good',
  FAILED: 'bad',
  RUNNING: 'wait',
  QUEUED: 'wait',
  CANCELLING: 'wait',
  STARTING: 'wait',
  STOPPING: 'wait',
};

export function status(text: string): Markup {
  return pill(tones[text.toUpperCase()] ?? 'calm', text.toLowerCase().replaceAll('_', ' '));
}

/** The facts of one thing. */
export function facts(entries: readonly (readonly [name: string, value: Content])[]): Markup {
  return html`<dl>
    ${entries.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** A piece of text as it is; one click marks all of it. */
export function code(label: string, text: string): Markup {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`;
}
