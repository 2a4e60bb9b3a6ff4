import type { ShownLane } from '../../api/describe-lane.ts';
import type { ShownRun } from '../../api/describe-run.ts';
import { personOf } from '../../../operators/person-of.ts';
import { type Content, html, type Markup } from '../../../../lib/core/markup.ts';
import { placeOf } from '../parts.ts';
import type { Visit } from '../visit.ts';
import { type Act, acts, mayAct } from './acts.ts';

type Looker = Pick<Visit, 'operator' | 'engine'>;

/** Links to the acts on a run that make sense now and that this operator may do. */
export function runActs(run: ShownRun, looker: Looker): Content {
  return links('runs', run.id, ({ name }) => fitsRun(name, run, looker), looker);
}

/** Links to the acts on a lane, and to those on the run that has it; `few`: without what one does looking at one lane. */
export function laneActs(lane: ShownLane, looker: Looker, few = false): Content {
  const run = lane.active ?? lane.last;
  // Another one than the newest where pushes came after it.
  const unsettled = lane.indeterminate.filter(({ id }) => id !== run?.id);
  return [
    run === null ? null : runActs(run, looker),
    unsettled.map(({ id }) => links('runs', id, ({ name }) => name === 'settle', looker)),
    links('lanes', lane.id, ({ name }) => fitsLane(name, lane) && !(few && name === 'roll-back'), looker),
  ];
}

/** The link to the replay of a dead letter. */
export function letterActs(id: string, looker: Looker): Content {
  return links('dead-letters', id, () => true, looker);
}

function links(
  kind: Act['kind'],
  id: string,
  fits: (act: Act) => boolean,
  { operator }: Looker,
): readonly Markup[] {
  return acts
    .filter((act) => act.kind === kind && mayAct(operator, act) && fits(act))
    .map(({ name, label }) => html`<a class="act ${name}" href="${placeOf(kind, id)}/${name}">${label}</a> `);
}

function fitsRun(name: string, run: ShownRun, { operator, engine }: Looker): boolean {
  const open = run.state === 'queued' || run.state === 'active';
  switch (name) {
    case 'approve': {
      const { operators } = engine.config;
      const person = personOf(operators, operator.name);
      return (
        open &&
        run.version !== null &&
        ['resolve', 'promote', null].includes(run.step) &&
        run.intent === null &&
        (run.approvals?.mayApprove ?? []).some((one) => personOf(operators, one) === person) &&
        (run.approvals?.given.length ?? 0) < (run.approvals?.needed ?? 0)
      );
    }
    case 'override-freeze':
      return run.waitsFor === 'freeze';
    case 'settle':
      return run.outcome === 'indeterminate' && !run.passedBy;
    case 'retry':
      return run.state === 'finished' && run.outcome !== 'passed';
    case 'cancel':
      return open;
    default:
      return false;
  }
}

function fitsLane(name: string, { holds, live, active }: ShownLane): boolean {
  switch (name) {
    case 'hold':
      return !holds.some(({ cause }) => cause === 'manual');
    case 'release':
      return holds.length > 0;
    case 'roll-back':
      return live.version !== null && active === null;
    default:
      return false;
  }
}
