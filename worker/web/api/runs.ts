import { admit, runIdOf } from '../../promotion/admit.ts';
import { nameOf, repositoryOf } from '../../store/lane-id.ts';
import { mayTouch } from '../../operators/operator.ts';
import { type ApiAnswer, conflict, ok, unknown } from './answers.ts';
import { type ApiCall, limitOf } from './api-call.ts';
import { describeHistory } from './describe-history.ts';
import { describeRun, type ShownRun } from './describe-run.ts';

/** More runs than anybody reads at once. */
const mostRuns = 200;

/** The newest runs first; of one lane where `lane` (id or name) is given. */
export async function listRuns(call: ApiCall): Promise<ApiAnswer> {
  const runs = await runsOf(call, call.query.get('lane'), limitOf(call, mostRuns));
  return ok({ runs });
}

/** The newest runs of the operator's repositories; of one lane (id or name) where one is given. */
export async function runsOf(
  { operator, engine }: Pick<ApiCall, 'operator' | 'engine'>,
  lane: string | null,
  limit: number,
): Promise<readonly ShownRun[]> {
  const { store } = engine;
  const ids =
    lane === null && operator.repositories === 'all'
      ? await store.runIds(limit)
      : await store.runIdsOf(await lanesFor(operator, lane, engine), limit);
  const runs = await Promise.all(ids.map((id) => store.run(id)));
  const theirs = runs
    .filter((run) => run !== undefined)
    .filter((run) => mayTouch(operator, run.plan.repository.id));
  const names = [...new Set(theirs.map((run) => run.lane))];
  const lanes = new Map(await Promise.all(names.map(async (id) => [id, await store.lane(id)] as const)));
  return theirs.map((run) => describeRun(run, lanes.get(run.lane), engine));
}

/** The operator's lanes; those of an id or a name where one is given. */
async function lanesFor(
  operator: ApiCall['operator'],
  lane: string | null,
  { store }: ApiCall['engine'],
): Promise<readonly string[]> {
  const ids = (await store.laneIds()).filter((id) => mayTouch(operator, repositoryOf(id)));
  return lane === null ? ids : ids.filter((id) => id === lane || nameOf(id) === lane);
}

/** One run with its history. */
export async function showRun({ id, engine }: ApiCall): Promise<ApiAnswer> {
  const run = await engine.store.run(id);
  if (run === undefined) return unknown();
  const history = describeHistory(await engine.store.history({ run: id }));
  const lane = await engine.store.lane(run.lane);
  return ok({ ...describeRun(run, lane, engine), history });
}

/** Asks a run to end; its execution on the platform is terminated. */
export async function cancelRun({ id, operator, via, engine }: ApiCall): Promise<ApiAnswer> {
  const { store, queues } = engine;
  const said = await store.cancel(id, operator.name, { via });
  if (said === 'unknown') return unknown();
  if (said === 'over') return conflict('the run is over');
  const run = await store.run(id);
  if (said === 'asked') await queues.hurryTurn(id);
  else if (run !== undefined) await queues.addReport(id, run.report.seq);
  return ok({ run: id, said }, 202);
}

/** Makes a new run of the same commit: it goes through all gates anew, with none of the approvals. */
export async function retryRun({ id, operator, via, engine }: ApiCall): Promise<ApiAnswer> {
  const run = await engine.store.run(id);
  if (run === undefined) return unknown();
  if (run.state !== 'finished') return conflict('the run is not over');
  const runId = runIdOf(run.lane, `retry of ${id}`);
  const plan = { ...run.plan, retry: { of: id, by: operator.name } };
  const audit = { by: operator.name, via, act: 'retry', data: JSON.stringify({ of: id }) } as const;
  const accepted = await admit({ runId, plan, order: 'any', head: { field: '', value: '' }, audit }, engine);
  if (accepted.said === 'lost') return conflict('the records were lost a moment ago: look again');
  if (accepted.said !== 'accepted') return conflict(`the run was tried again before: retry ${runId}`);
  return ok({ run: runId, retryOf: id }, 202);
}
