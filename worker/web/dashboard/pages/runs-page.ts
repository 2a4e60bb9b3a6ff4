import { html, type Markup } from '../../../../lib/core/markup.ts';
import type { ShownRun } from '../../api/describe-run.ts';
import { runsOf } from '../../api/runs.ts';
import { runActs } from '../acts/offered-acts.ts';
import { commitMark, moment, pill, placeOf, refName, sentence, table } from '../parts.ts';
import { runState } from '../states.ts';
import type { Visit } from '../visit.ts';
import type { Page } from './page.ts';

const mostRuns = 100;

/** The newest runs of all lanes. */
export const runsPage: Page = {
  path: 'runs',
  about: 'own',
  async show(visit) {
    const runs = await runsOf(visit, null, mostRuns);
    return {
      title: 'Runs',
      main: html`<h1>Runs</h1>
        ${runsTable('The newest first', runs, visit)}`,
    };
  },
};

export function runsTable(caption: string, runs: readonly ShownRun[], visit: Visit): Markup {
  return table(
    caption,
    runs,
    [
      {
        name: 'Run',
        show: (run) =>
          html`<a class="version" href="${placeOf('runs', run.id)}"
            >${run.version ?? run.commit.slice(0, 12)}</a
          >`,
      },
      {
        name: 'Lane',
        show: (run) =>
          html`<a href="${placeOf('lanes', run.lane)}">${run.laneName}</a>
            <span class="hint">to ${run.to}</span>`,
      },
      {
        name: 'State',
        show: (run) => {
          const { tone, word } = runState(run);
          return html`${pill(tone, word)}
            <p class="why">${sentence(run.message ?? run.status)}</p>`;
        },
      },
      {
        name: 'Pushed',
        show: (run) => html`${refName(run.ref)} ${commitMark(run.commit)} ${run.pusher ?? ''}`,
      },
      { name: 'Began', kind: 'short', show: (run) => moment(run.createdAt) },
      { name: 'Acts', kind: 'short', show: (run) => runActs(run, visit) },
    ],
    html`No run yet. A push of a branch or tag that a lane waits for makes one.`,
  );
}
