import { html, type Content, type Markup } from '../../../../lib/html/markup.ts';
import { addressOf, byName, fitsScope, type LaneFilter, type LaneRow, stateFilters } from './lane-filter.ts';

/** The numbers of lanes in each state, with links to these lanes. Only lanes that match the other filters count. */
export function stateLinks(rows: readonly LaneRow[], filter: LaneFilter): Markup {
  const inScope = rows.filter((row) => fitsScope(row, filter));
  return html`<nav class="filters" aria-label="Filter lanes by state">
    <ul>
      ${stateFilters.map(({ name, label, group = '', fits }) => {
        const count = inScope.filter(fits).length;
        return html`<li>
          <a
            class="${count > 0 ? group : ''}"
            href="${addressOf({ ...filter, show: name, page: 1 })}"
            ${name === filter.show ? html`aria-current="true"` : null}
            ><b>${count}</b> ${label}</a
          >
        </li>`;
      })}
    </ul>
  </nav>`;
}

/**
 * The filters by text, repository and environment, and the choice of the view. The script does not replace this
 * form.
 */
export function filterForm(rows: readonly LaneRow[], filter: LaneFilter): Markup {
  const { repository, environment, show, view, q } = filter;
  const repositories = [...new Set(rows.map(({ lane }) => lane.repository))].toSorted(byName);
  const environments = [...new Set(rows.map(({ lane }) => lane.to))].toSorted();
  const isFiltered = [repository, environment, show, q].some((value) => value !== '');
  return html`<form class="search" method="get" action="/" role="search" data-keep>
      ${show === '' ? null : html`<input type="hidden" name="show" value="${show}" />`}
      ${view === 'board' ? null : html`<input type="hidden" name="view" value="${view}" />`}
      <input
        type="search"
        name="q"
        value="${q}"
        maxlength="200"
        aria-label="Search lanes"
        placeholder="Search: repository, lane, version, person"
      />
      ${choice('repository', 'All repositories', repositories, repository)}
      ${choice('environment', 'All environments', environments, environment)}
      <button type="submit">Filter</button>
      ${isFiltered ? html`<a class="act" href="${addressOf({ ...noFilter, view })}">Clear</a>` : null}
    </form>
    <p class="views">${viewLink('board', 'Board', filter)} ${viewLink('table', 'Table', filter)}</p>`;
}

const noFilter: LaneFilter = { repository: '', environment: '', show: '', q: '', view: 'board', page: 1 };

function choice(name: string, all: string, values: readonly string[], chosen: string): Markup {
  // An address may name what no lane has now.
  const choices = chosen === '' || values.includes(chosen) ? values : [chosen, ...values];
  return html`<select name="${name}" aria-label="${name === 'repository' ? 'Repository' : 'Environment'}">
    <option value="">${all}</option>
    ${choices.map((value) => html`<option ${value === chosen ? html`selected` : null}>${value}</option>`)}
  </select>`;
}

function viewLink(view: LaneFilter['view'], label: string, filter: LaneFilter): Markup {
  return html`<a
    class="act"
    href="${addressOf({ ...filter, view })}"
    ${view === filter.view ? html`aria-current="true"` : null}
    >${label}</a
  >`;
}

/** Links to the other pages of the list; empty if there is only one page. */
export function pager(
  filter: LaneFilter,
  { page, pages }: { readonly page: number; readonly pages: number },
): Content {
  if (pages <= 1) return null;
  const link = (to: number, label: string): Content =>
    to < 1 || to > pages
      ? null
      : html`<a class="act" href="${addressOf({ ...filter, page: to })}">${label}</a>`;
  return html`<nav class="pager" aria-label="Pages of lanes">
    ${link(page - 1, 'Previous')} <span>Page ${page} of ${pages}</span> ${link(page + 1, 'Next')}
  </nav>`;
}
