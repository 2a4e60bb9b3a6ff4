import { keptIn, notKeptText } from '../../../records/not-kept-text.ts';
import { withBreakPoints } from '../../../../lib/html/with-break-points.ts';
import { type Content, html, type Markup } from '../../../../lib/html/markup.ts';
import { table } from '../../../../lib/html/parts.ts';
import {
  type BulkAction,
  bulkActions,
  holdCauses,
  retriedOutcomes,
} from '../../api/operations/bulk-filter.ts';
import type { BulkPreview, BulkResult } from '../../api/operations/bulk.ts';
import { scopeFields, selectField } from '../acts/scope-fields.ts';
import { placeOf } from '../parts/parts.ts';
import type { Visit } from '../parts/visit.ts';

const labels: Readonly<Record<BulkAction, string>> = { resume: 'Resume', resolve: 'Resolve', retry: 'Retry' };

const means: Readonly<Record<BulkAction, string>> = {
  resume: 'Lifts the holds shown here. A lane whose holds have changed since is left out.',
  resolve:
    'Gives the same answer for all promotions shown here. The worker compares it with the platform for each.',
  retry:
    'Starts a new promotion for each one shown here (the newest of its lane). Each passes all gates again.',
};

/** The page of a bulk action: its filter, its preview, and the form that carries it out. */
export function bulkPage(action: BulkAction, visit: Visit, preview: BulkPreview | string): Markup {
  return html`<h1>${labels[action]} several</h1>
    <nav class="filters" aria-label="Bulk actions">
      <ul>
        ${bulkActions.map(
          (act) =>
            html`<li>
              <a href="/bulk/${act}" ${act === action ? html`aria-current="true"` : null}>${labels[act]}</a>
            </li>`,
        )}
      </ul>
    </nav>
    <form method="get" class="ask">
      ${filterFields(action, visit)}
      <p class="buttons"><button type="submit">Preview</button></p>
    </form>
    ${typeof preview === 'string' ? html`<p class="problem" role="alert">${preview}</p>` : previewed(action, visit, preview)}`;
}

function filterFields(action: BulkAction, visit: Visit): Content {
  const form = Object.fromEntries(visit.query);
  const { lane = '', since = '' } = form;
  const any = [['', 'Any']] as const;
  const choice = (values: readonly string[]) => values.map((value) => [value, value] as const);
  return [
    scopeFields(visit, form),
    html`<p class="field">
      <label for="lane">Lane</label>
      <input id="lane" name="lane" value="${lane}" maxlength="300" autocomplete="off" />
    </p>`,
    action === 'resume'
      ? selectField('cause', 'Cause of the hold', [...any, ...choice(holdCauses)], form)
      : null,
    action === 'retry'
      ? selectField('outcome', 'Outcome', [['', 'failed or error'], ...choice(retriedOutcomes)], form)
      : null,
    html`<p class="field">
      <label for="since">Since <span class="hint">for example 2031-01-01T12:00Z</span></label>
      <input id="since" name="since" value="${since}" maxlength="40" autocomplete="off" />
    </p>`,
  ];
}

function previewed(action: BulkAction, { csrf }: Visit, { fingerprint, items, more }: BulkPreview): Content {
  if (items.length === 0) return html`<p class="empty">Nothing matches these filters.</p>`;
  return html`${table(
      `${items.length}${more > 0 ? ` of ${items.length + more}` : ''} to ${action}`,
      items,
      [
        {
          name: action === 'resume' ? 'Lane' : 'Promotion',
          show: (item) =>
            'holds' in item
              ? html`<a href="${placeOf('lanes', item.id)}">${item.laneName}</a>`
              : html`<a class="version" href="${placeOf('promotions', item.id)}">${item.version}</a>
                  <span class="hint">in ${item.laneName}</span>`,
        },
        {
          name: 'Repository',
          show: (item) => html`<span class="subject">${withBreakPoints(item.repository)}</span>`,
        },
        { name: 'Environment', show: (item) => item.environment },
        {
          name: 'Why',
          show: (item) =>
            'holds' in item
              ? item.holds.map(({ cause, reason }) => html`<p class="reason">${cause}: ${reason}</p>`)
              : html`<p class="reason">${item.unknown ?? item.message}</p>`,
        },
      ],
      'Nothing matches these filters.',
    )}
    <p class="means">${means[action]}</p>
    <form method="post" class="ask">
      <input type="hidden" name="csrf" value="${csrf}" />
      <input type="hidden" name="fingerprint" value="${fingerprint}" />
      ${
        action === 'resolve'
          ? html`<fieldset>
              <legend>Did it happen?</legend>
              <label><input type="radio" name="happened" value="yes" /> Yes, all of them</label>
              <label><input type="radio" name="happened" value="no" /> No, none of them</label>
            </fieldset>`
          : null
      }
      ${
        action === 'retry'
          ? null
          : html`<p class="field">
              <label for="reason">Reason <span class="hint">optional</span></label>
              <textarea id="reason" name="reason" rows="3" maxlength="500"></textarea>
            </p>`
      }
      <p class="buttons">
        <button type="submit" class="careful">${labels[action]} these ${items.length}</button>
      </p>
    </form>`;
}

/** The page that shows what a bulk action did, and what it left out. */
export function bulkResultPage(action: BulkAction, result: BulkResult): Markup {
  const { done, left } = result;
  const kept = keptIn(result);
  const kind = action === 'resume' ? 'lanes' : 'promotions';
  return html`<h1>${labels[action]}: ${done.length} done</h1>
    ${
      kept === undefined || kept === 'yes'
        ? null
        : html`<p class="notice" role="status">${notKeptText[kept]}</p>`
    }
    <ul>
      ${done.map(({ id, promotion }) => html`<li><a href="${placeOf(kind, promotion ?? id)}">${promotion ?? id}</a></li>`)}
    </ul>
    ${
      left.length === 0
        ? null
        : html`<h2>Left out</h2>
            <ul>
              ${left.map(({ id, reason }) => html`<li><a href="${placeOf(kind, id)}">${id}</a>: ${reason}</li>`)}
            </ul>`
    }
    <p><a class="act" href="/bulk/${action}">Preview again</a></p>`;
}

/** The title of the pages of a bulk action. */
export const bulkTitle = (action: BulkAction): string => `${labels[action]} several`;
