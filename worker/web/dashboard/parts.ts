import { workerName } from '../../../lib/config/operator-schema.ts';
import { type Content, html, type Markup } from '../../../lib/core/markup.ts';
import type { Via } from '../../records/audit-entry.ts';

export type Tone = 'good' | 'bad' | 'wait' | 'move' | 'calm';

/** A state: a label, with a sign and a colour of the same meaning. */
export function pill(tone: Tone, word: Content): Markup {
  return html`<span class="pill ${tone}">${word}</span>`;
}

/** A time in UTC. The script turns it into “3 min ago”. */
export function moment(time: string | number | null | undefined): Content {
  if (time === null || time === undefined) return '–';
  const iso = new Date(time).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

/** A time to the second, which the script leaves as it is: in a history the order counts, not the age. */
export function exactly(time: number): Markup {
  const iso = new Date(time).toISOString();
  return html`<time datetime="${iso}" data-exact>${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

const viaLabels: Readonly<Record<Via, string>> = {
  dashboard: 'via dashboard',
  'command-line': 'via command line',
  api: 'via API',
  comment: 'via GitHub comment',
  worker: '',
};

/** The actor and the entrance; only the name if the entrance was not recorded. */
export function actorText(by: string, via: string | undefined): string {
  if (by === workerName) return 'the worker';
  const label = Object.hasOwn(viaLabels, via ?? '') ? viaLabels[via as Via] : '';
  return label === '' ? by : `${by} ${label}`;
}

/** A text of the worker, with its times marked as such. */
export function sentence(text: string): Content {
  return text
    .split(/(\d{4}-\d\d-\d\dT\d\d:\d\dZ)/)
    .map((part, i) =>
      i % 2 === 0 || !isTime(part)
        ? part
        : html`<time datetime="${part}" data-until>${part.replace('T', ' ').replace('Z', ' UTC')}</time>`,
    );
}

const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text));

export interface Column<Row> {
  readonly name: string;
  readonly show: (row: Row) => Content;
  readonly kind?: 'code' | 'short';
}

/** A table with a caption; on a small screen its rows become cards. `empty` is shown without rows. */
export function table<Row>(
  caption: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  empty: Content,
): Markup {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<table class="cards">
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map(({ name }) => html`<th scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${columns.map(
              ({ name, kind = '', show }) =>
                html`<td data-label="${name}" class="${kind}"><div>${show(row)}</div></td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** The facts of one thing; missing ones are left out. */
export function facts(entries: readonly (readonly [name: string, value: Content])[]): Markup {
  const there = entries.filter(([, value]) => value !== null && value !== undefined && value !== false);
  return html`<dl class="facts">
    ${there.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** A shortened commit id. */
export function commitMark(commit: string): Markup {
  return html`<code title="${commit}">${commit.slice(0, 12)}</code>`;
}

/** The name of a branch or a tag without the prefix of its ref. */
export function refName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags)\//, '');
}

/** Describes a subject: a repository, and its ref or pull request. */
export function describeSubject({
  repository,
  ref,
  pull,
}: {
  readonly repository?: string | null | undefined;
  readonly ref?: string | null | undefined;
  readonly pull?: number | null | undefined;
}): string {
  return [repository, ref && refName(ref), pull && `#${pull}`].filter(Boolean).join(' ');
}

/** The address of a lane or a promotion. */
export function placeOf(kind: 'lanes' | 'promotions' | 'dead-letters', id: string): string {
  return `/${kind}/${encodeURIComponent(id)}`;
}
