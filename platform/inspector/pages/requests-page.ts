import * as z from 'zod';
import { check } from '../../refusal/guard.ts';
import type { LoggedRequest } from '../../world/exchange.ts';
import { type Content, html, type Markup } from '../../../lib/html/markup.ts';
import { definePage, type Question } from '../parts/page.ts';
import { pill } from '../../../lib/html/parts.ts';
import { table, time } from '../parts/parts.ts';
import { secretsOf } from '../parts/secrets.ts';

/** An empty field of the form is absent. */
const name = z
  .string()
  .transform((text) => (text === '' ? undefined : text))
  .optional();

const results = {
  good: 'below 400',
  refused: '4xx',
  failed: '5xx',
  fault: 'a fault, or no answer',
} as const;
type Result = keyof typeof results;

const asked = z.strictObject({
  operation: name,
  project: name,
  /** Text that the method and path must contain. */
  text: name,
  result: name.pipe(z.enum(Object.keys(results) as [Result, ...Result[]]).optional()),
});
type Asked = z.output<typeof asked>;

interface Requests {
  readonly counts: Readonly<Record<string, number>>;
  /** Oldest first. */
  readonly requests: readonly LoggedRequest[];
}

const shown = 200;

/** The newest requests to the API, without those to `/_platform`. */
export const requestsPage = definePage<Requests>({
  path: '/requests',
  read(world, question) {
    const { requests } = world;
    const { mask } = secretsOf(world);
    const filter = check(question, asked, question.query);
    return {
      counts: requests.counts(),
      requests: requests
        .list()
        .map((entry) => ({ ...entry, path: mask(entry.path) }))
        .filter((entry) => isWanted(entry, filter)),
    };
  },
  title: () => 'Requests',
  show: ({ counts, requests }, _world, question) => html`
    <p class="lead">
      Every call to the API, newest first. The headers, the bodies and a command to repeat it are on its own
      page.
    </p>
    ${filters(counts, check(question, asked, question.query))}
    ${
      requests.length > shown
        ? html`<p class="note">The newest ${shown} of ${requests.length}; the JSON has all of them.</p>`
        : null
    }
    ${requestTable('Requests', requests.slice(-shown).toReversed(), isFiltered(question) ? 'No request matches the filter.' : undefined)}
  `,
});

/** A table of requests. Their paths must already be masked. */
export function requestTable(
  caption: string,
  requests: readonly LoggedRequest[],
  empty: Content = noRequests,
): Markup {
  return table(
    caption,
    requests,
    [
      { name: 'Time', show: ({ at }) => time(at) },
      {
        name: 'Operation',
        show: ({ requestId, operation }) =>
          html`<a href="/_platform/requests/${requestId}">${operation ?? 'unknown'}</a>`,
      },
      {
        name: 'Request',
        kind: 'wide',
        show: ({ method, path }) => html`<code>${method} ${path}</code>`,
      },
      { name: 'Status', kind: 'number', show: answered },
      { name: 'Outcome', show: ({ outcome }) => outcomeOf(outcome) },
    ],
    empty,
  );
}

const noRequests = html`No request yet. Send one:
  <code>curl -s -H "authorization: Bearer $MILLRACE_TOKEN" "$MILLRACE_BASE_URL/v1/projects"</code>`;

function isWanted(entry: LoggedRequest, { operation, project, text, result }: Asked): boolean {
  return (
    (operation === undefined || entry.operation === operation) &&
    (project === undefined || entry.project === project) &&
    (text === undefined || `${entry.method} ${entry.path}`.toLowerCase().includes(text.toLowerCase())) &&
    (result === undefined || resultsOf(entry).includes(result))
  );
}

function resultsOf({ status, outcome }: LoggedRequest): readonly Result[] {
  const answer =
    status === null ? [] : ([status < 400 ? 'good' : status < 500 ? 'refused' : 'failed'] as const);
  return outcome === 'answered' || outcome === 'open' ? answer : [...answer, 'fault'];
}

const isFiltered = ({ query }: Question): boolean => Object.values(query).some((value) => value !== '');

const current = html`aria-current="true"`;
const selected = html`selected`;

/** A chip for each operation, which keeps the other filters, and a form for the other filters. */
function filters(counts: Readonly<Record<string, number>>, chosen: Asked): Markup | null {
  const entries = Object.entries(counts).toSorted(([a], [b]) => a.localeCompare(b));
  if (entries.length === 0) return null;
  return html`<nav aria-label="Operations">
      <ul class="chips">
        <li>
          <a
            href="${addressOf({ ...chosen, operation: undefined })}"
            ${chosen.operation === undefined ? current : null}
            >all</a
          >
        </li>
        ${entries.map(
          ([operation, count]) =>
            html`<li>
              <a
                href="${addressOf({ ...chosen, operation })}"
                ${chosen.operation === operation ? current : null}
                >${operation} <span class="count">${count}</span></a
              >
            </li>`,
        )}
      </ul>
    </nav>
    <form class="filter" method="get" action="/_platform/requests" role="search" data-keep>
      ${(['operation', 'project'] as const).map((field) =>
        chosen[field] === undefined
          ? null
          : html`<input type="hidden" name="${field}" value="${chosen[field]}" />`,
      )}
      <label>Method or path <input type="search" name="text" value="${chosen.text ?? ''}" /></label>
      <label
        >Answer
        <select name="result">
          <option value="">all</option>
          ${Object.entries(results).map(
            ([value, title]) =>
              html`<option value="${value}" ${chosen.result === value ? selected : null}>${title}</option>`,
          )}
        </select></label
      >
      <button type="submit">Filter</button>
      <a href="/_platform/requests">Remove the filter</a>
    </form>`;
}

function addressOf(chosen: Asked): string {
  const parameters = Object.entries(chosen).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(parameters as [string, string][]).toString();
  return query === '' ? '/_platform/requests' : `/_platform/requests?${query}`;
}

export function answered({ status }: LoggedRequest): Markup {
  if (status === null) return pill('calm', 'none');
  return pill(status < 400 ? 'good' : status < 500 ? 'wait' : 'bad', status);
}

export function outcomeOf(outcome: LoggedRequest['outcome']): Markup | string {
  if (outcome === 'answered') return 'answered';
  return pill(outcome === 'open' ? 'calm' : 'bad', outcome);
}
