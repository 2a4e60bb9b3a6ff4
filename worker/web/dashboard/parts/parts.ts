import { withBreakPoints } from '../../../../lib/html/with-break-points.ts';
import { type Content, html, type Markup } from '../../../../lib/html/markup.ts';

/** A time in UTC. The script shows it as “3 min ago”. */
export function moment(time: string | number | null | undefined): Content {
  if (time === null || time === undefined) return '–';
  const iso = new Date(time).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

/** A time since when something lasts. The script shows it as “for 3 min”. */
export function lasting(time: string | number): Markup {
  const iso = new Date(time).toISOString();
  return html`<time datetime="${iso}" data-lasting>since ${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

/** A time with seconds, which the script does not change: in a history, the order matters. `time`: without the date. */
export function exactly(time: number, parts: 'date and time' | 'time' = 'date and time'): Markup {
  const iso = new Date(time).toISOString();
  const date = parts === 'time' ? '' : `${iso.slice(0, 10)} `;
  return html`<time datetime="${iso}" data-exact>${date}${iso.slice(11, 19)} UTC</time>`;
}

/** A text of the worker, with its times marked up as times. */
export function sentence(text: string): Content {
  return text
    .split(/(\d{4}-\d\d-\d\dT\d\d:\d\dZ)/)
    .map((part, i) =>
      i % 2 === 0 || !isTime(part)
        ? withBreakPoints(part)
        : html`<time datetime="${part}" data-until>${part.replace('T', ' ').replace('Z', ' UTC')}</time>`,
    );
}

/** Characters of a text that are shown before it is expanded. */
const shownLength = 240;

/** A text of the worker. A long text is clipped until the reader expands it. */
export function longText(text: string): Content {
  if (text.length <= shownLength) return html`<p class="reason">${sentence(text)}</p>`;
  const end = text.lastIndexOf(' ', shownLength);
  const shown = end < shownLength / 2 ? shownLength : end;
  return html`<details class="long">
    <summary>${sentence(text.slice(0, shown))}<span class="more">…</span></summary>
    ${sentence(text.slice(shown))}
  </details>`;
}

const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text));

/** A commit's id, shortened. */
export function commitMark(commit: string): Markup {
  return html`<code title="${commit}">${commit.slice(0, 12)}</code>`;
}

/** The name of a branch or a tag, without the prefix of its ref. */
export function refName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags)\//, '');
}

/** Describes what a delivery is about: a repository, and its ref or pull request. */
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

/** The subject in a table cell. Its words are not broken while there is room. */
export function subjectMark(subject: Parameters<typeof describeSubject>[0]): Content {
  const words = describeSubject(subject);
  return words === '' ? null : html`<span class="subject">${withBreakPoints(words)}</span>`;
}

/** The address of the page of a lane, a promotion, a dead letter or a pause. */
export function placeOf(kind: 'lanes' | 'promotions' | 'dead-letters' | 'pauses', id: string): string {
  return `/${kind}/${encodeURIComponent(id)}`;
}

/** The kind of an action's subject. `worker`: the whole worker, which has no id. */
export type SubjectKind = Parameters<typeof placeOf>[0] | 'worker';

/** The page that shows the subject of an action. */
export function placeBack(kind: SubjectKind, id: string): string {
  if (kind === 'dead-letters') return '/dead-letters';
  return kind === 'lanes' || kind === 'promotions' ? placeOf(kind, id) : '/';
}
