import type { LoggedRequest } from '../../world/exchange.ts';
import { html } from '../../../lib/html/markup.ts';
import { definePage } from '../parts/page.ts';
import { secretsOf } from '../parts/secrets.ts';
import { executionTable, type Ran, readExecutions } from './executions-page.ts';
import { requestTable } from './requests-page.ts';

interface Overview {
  readonly projects: number;
  readonly environments: number;
  readonly versions: number;
  readonly executions: number;
  readonly running: number;
  readonly effects: number;
  readonly requests: number;
  /** Newest first. */
  readonly newestRequests: readonly LoggedRequest[];
  readonly newestExecutions: readonly Ran[];
}

const few = 10;

/** The objects of the platform, and the latest events. */
export const overviewPage = definePage<Overview>({
  path: '/',
  read(world) {
    const count = (from: string) =>
      world.store.get<{ total: number }>(`SELECT count(*) AS total FROM ${from}`)?.total ?? 0;
    const { mask } = secretsOf(world);
    return {
      projects: count('project'),
      environments: count('environment'),
      versions: count('artifact'),
      executions: count('execution'),
      running: count('execution WHERE finished = 0'),
      effects: count('effect'),
      requests: Object.values(world.requests.counts()).reduce((sum, calls) => sum + calls, 0),
      newestRequests: world.requests
        .list()
        .slice(-few)
        .toReversed()
        .map((entry) => ({ ...entry, path: mask(entry.path) })),
      newestExecutions: readExecutions(world, few),
    };
  },
  title: () => 'Overview',
  show: ({ newestRequests, newestExecutions, ...overview }) => html`
    <ul class="tiles">
      ${(
        [
          ['/versions', overview.projects, 'projects'],
          ['/versions', overview.environments, 'environments'],
          ['/versions', overview.versions, 'versions'],
          ['/executions', overview.executions, 'executions'],
          ['/executions', overview.running, 'running now'],
          ['/requests', overview.requests, 'requests'],
          ['/ledger', overview.effects, 'effects'],
        ] as const
      ).map(
        ([path, number, what]) =>
          html`<li>
            <a href="/_platform${path}"><strong>${number.toLocaleString('en')}</strong> ${what}</a>
          </li>`,
      )}
    </ul>
    <h2>Newest requests</h2>
    ${requestTable('The newest requests', newestRequests)}
    <h2>Newest executions</h2>
    ${executionTable('The newest executions', newestExecutions)}
  `,
});
