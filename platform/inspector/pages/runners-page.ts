import { listRunners, type Runner } from '../../world/runners.ts';
import { html } from '../../../lib/html/markup.ts';
import { definePage } from '../parts/page.ts';
import { code, status, table } from '../parts/parts.ts';

const line = `curl -s -X POST "$MILLRACE_BASE_URL/_platform/runners/<id>/pause" -H 'x-millrace-platform: 1'`;

/** The runners of the seed, with buttons that start, pause and stop them. */
export const runnersPage = definePage<{ readonly runners: readonly Runner[] }>({
  path: '/runners',
  read: ({ store, seed }) => ({ runners: listRunners(store, seed) }),
  title: () => 'Runners',
  show: ({ runners }) => html`
    <p class="lead">
      Executions wait for a paused runner, and a stopped one refuses them. What runs already continues.
    </p>
    ${table(
      'Runners',
      runners,
      [
        { name: 'Name', show: ({ name }) => name },
        { name: 'Id', kind: 'wide', show: ({ id }) => id },
        { name: 'Version', show: ({ version }) => version },
        { name: 'State', show: ({ state }) => status(state) },
        {
          name: 'Actions',
          show: ({ id, name }) =>
            html`<div class="buttons" data-keep>
              ${(
                [
                  ['start', 'Start'],
                  ['pause', 'Pause'],
                  ['stop', 'Stop'],
                ] as const
              ).map(
                ([action, label]) =>
                  html`<form method="post" action="/_platform/runners/${id}/${action}">
                    <button type="submit" aria-label="${label} ${name}">${label}</button>
                  </form>`,
              )}
            </div>`,
        },
      ],
      html`The seed lists no runners (<code>agents</code>), so every id exists and always runs.`,
    )}
    <p>
      The same from a shell, with <code>start</code>, <code>restart</code>, <code>pause</code>,
      <code>stop</code> or <code>refresh-credentials</code>:
    </p>
    ${code('a curl line for runners', line)}
  `,
});
