import { withBreakPoints } from './with-break-points.ts';
import { type Content, html, type Markup } from './markup.ts';

/** The tone of a mark. `calm` has no special meaning; `move` is for something that is running. */
export type Tone = 'good' | 'bad' | 'wait' | 'move' | 'calm';

/** A state as a word on a colour with the same meaning. The word alone is enough to understand it. */
export function pill(tone: Tone, word: Content): Markup {
  return html`<span class="pill ${tone}">${word}</span>`;
}

/** A kind as a word on a colour. It is not a state, so it has no sign. */
export function tag(tone: Tone, word: Content): Markup {
  return html`<span class="tag ${tone}">${word}</span>`;
}

export interface Column<Row> {
  readonly name: string;
  readonly show: (row: Row) => Content;
  /** `number` is aligned right; `wide` is hidden on small screens; `code` is an id or a path; `short` never wraps;
   * `track` is a drawing of what other columns show; `text` is a message or a name that may be long. */
  readonly kind?: 'number' | 'wide' | 'code' | 'short' | 'track' | 'text';
}

/**
 * A table with a caption. The first column names the row; on a small screen, the style sheet may show rows as
 * cards. `empty` is shown if there are no rows. `name`: a class for the style sheet.
 */
export function table<Row>(
  caption: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  empty: Content,
  name = '',
): Markup {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const [first, ...rest] = columns;
  return html`<table class="${`cards ${name}`.trim()}">
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col" class="${column.kind ?? ''}">${column.name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${
              first &&
              html`<th scope="row" data-label="${first.name}" class="${first.kind ?? ''}">
                ${broken(first.show(row))}
              </th>`
            }
            ${rest.map(
              ({ name: label, kind = '', show }) =>
                html`<td data-label="${label}" class="${kind}"><div>${broken(show(row))}</div></td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A list of facts about one thing. Missing facts are left out. */
export function facts(entries: readonly (readonly [name: string, value: Content])[]): Markup {
  const shown = entries.filter(([, value]) => value !== null && value !== undefined && value !== false);
  return html`<dl class="facts">
    ${shown.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${broken(value)}</dd>
        </div>`,
    )}
  </dl>`;
}

/** A plain text whose long names may be broken; a page that makes markup of a text does this itself. */
const broken = (content: Content): Content =>
  typeof content === 'string' ? withBreakPoints(content) : content;
