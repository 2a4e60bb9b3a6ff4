import { type Content, html } from '../../../../lib/core/markup.ts';
import { describeRun, type ShownRun } from '../../api/describe-run.ts';
import { runActs } from '../acts/offered-acts.ts';
import { commitMark, facts, moment, pill, placeOf, refName, sentence } from '../parts.ts';
import { runState } from '../states.ts';
import { progressBar } from './lane-now.ts';
import type { Page } from './page.ts';
import { timelineTable } from './timeline-table.ts';

/** One run: how it stands, and all that happened, with its intents and what the platform answered. */
export const runPage: Page = {
  path: 'runs/*',
  about: 'run',
  async show(visit) {
    const { id, engine } = visit;
    const record = await engine.store.run(id);
    if (record === undefined) return undefined;
    const run = describeRun(record, await engine.store.lane(record.lane), engine);
    const { tone, word } = runState(run);
    const name = run.version ?? run.commit.slice(0, 12);
    const main = html`<h1>${name} → ${run.to} ${pill(tone, word)}</h1>
      <p class="acts">${runActs(run, visit)}</p>
      <div class="now">
        <p class="why">${sentence(run.message ?? run.status)}</p>
        ${progressBar(run)} ${unknownFate(run)}
      </div>
      ${facts(factsOf(run))} ${timelineTable('Timeline', await engine.store.history({ run: id }))}`;
    return { title: `${name} → ${run.to}`, main };
  },
};

/** While an intent stands, nobody knows whether its effect has happened. */
function unknownFate({ intent }: ShownRun): Content {
  if (intent === null) return null;
  return html`<p class="problem">
    Written down before the call, and not yet known to have happened: <b>${intent.effect}</b> ${intent.what},
    ${moment(intent.at)}
  </p>`;
}

function factsOf(run: ShownRun): readonly (readonly [string, Content])[] {
  return [
    ['Lane', html`<a href="${placeOf('lanes', run.lane)}">${run.laneName}</a>`],
    ['Way', `${run.from} → ${run.to}`],
    ['Repository', run.repository],
    ['Ref', refName(run.ref)],
    ['Commit', commitMark(run.commit)],
    ['Pushed by', run.pusher],
    ['Approvals', approvals(run)],
    ['Freeze overridden', run.override && `${run.override.why} (${run.override.by})`],
    ['Execution', run.executionId && html`<code>${run.executionId}</code>`],
    [
      'Retry of',
      run.retryOf &&
        html`<a href="${placeOf('runs', run.retryOf.of)}">${run.retryOf.of}</a> by ${run.retryOf.by}`,
    ],
    ['Began', moment(run.createdAt)],
    ['Got its lane', run.startedAt && moment(run.startedAt)],
    ['Ended', run.endedAt && moment(run.endedAt)],
    ['Delivery', html`<code>${run.delivery}</code>`],
    ['Run', html`<code>${run.id}</code>`],
  ];
}

function approvals({ approvals: count }: ShownRun): Content {
  if (count === null) return null;
  const { needed, given, mayApprove } = count;
  return html`${given.length} of ${needed}${given.length > 0 ? `: ${given.join(', ')}` : null}
  ${mayApprove.length > 0 ? html`<span class="hint">${mayApprove.join(', ')} may approve</span>` : null}`;
}
