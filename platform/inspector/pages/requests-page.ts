import * as z from 'zod';
import { check } from '../../refusal/guard.ts';
import type { LoggedRequest } from '../../world/exchange.ts';
import { html, type Markup } from '../../../lib/html/markup.ts';
import { definePage } from '../page.ts';
import { pill } from '../../../lib/html/parts.ts';
import { table, time } from '../parts.ts';
import { secretsOf } from '../secrets.ts';

const name = z.string().min(1).optional();
const asked = z.strictObject({ operation: name, project: name });

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
    const { operation, project } = check(question, asked, question.query);
    return {
      counts: requests.counts(),
      requests: requests
        .list()
        .filter(
          (entry) =>
            (operation === undefined || entry.operation === operation) &&
            (project === undefined || entry.project === project),
        )
        .map((entry) => ({ ...entry, path: mask(entry.path) })),
    };
  },
  title: () => 'Requests',
  show: ({ counts, requests }, _world, { query }) => html`
    <p class="lead">
      Every call to the API, newest first. The headers, the bodies and a command to repeat it are on its own
      page.
    </p>
    ${counted(counts, query['operation'])}
    ${
      requests.length > shown
        ? html`<p class="note">The newest ${shown} of ${requests.length}; the JSON has all of them.</p>`
        : null
    }
    ${requestTable('Requests', requests.slice(-shown).toReversed())}
  `,
});

/** The paths are already masked. */
export function requestTable(caption: string, requests: readonly LoggedRequest[]): Markup {
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
    html`No request yet. Send one:
      <code>curl -s -H "authorization: Bearer $MILLRACE_TOKEN" "$MILLRACE_BASE_URL/v1/projects"</code>`,
  );
}

const current = html`aria-current="true"`;

function counted(counts: Readonly<Record<string, number>>, chosen: unknown): Markup | null {
  const entries = Object.entries(counts).toSorted(([a], [b]) => a.localeCompare(b));
  if (entries.length === 0) return null;
  return html`<nav aria-label="Operations">
    <ul class="chips">
      <li><a href="/_platform/requests" ${chosen === undefined ? current : null}>all</a></li>
      ${entries.map(
        ([operation, count]) =>
          html`<li>
            <a
              href="/_platform/requests?operation=${encodeURIComponent(operation)}"
              ${chosen === operation ? current : null}
              >${operation} <span class="count">${count}</span></a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

export function answered({ status }: LoggedRequest): Markup {
  if (status === null) return pill('calm', 'none');
  return pill(status < 400 ? 'good' : status < 500 ? 'wait' : 'bad', status);
}

export function outcomeOf(outcome: LoggedRequest['outcome']): Markup | string {
  if (outcome === 'answered') return 'answered';
  return pill(outcome === 'open' ? 'calm' : 'bad', outcome);
}
