import type { Engine } from '../run/engine.ts';
import type { RunRecord } from '../run/run-record.ts';
import { admit, runIdOf } from '../lanes/admit.ts';

export interface ApiRequest {
  readonly method: string;
  /** Path after `/api/`, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** More runs than anybody reads at once. */
const mostRuns = 200;

/**
 * The operators' API: `GET lanes`, `GET runs`, `GET runs/{id}`, `POST lanes/{id}/hold|release`,
 * `POST runs/{id}/retry|cancel`. A lane's id holds slashes and is percent-encoded.
 */
export async function answerApi(request: ApiRequest, engine: Engine): Promise<ApiAnswer> {
  const parts = request.path.split('/').map((part) => decode(part));
  const [kind, id, act] = parts;
  if (parts.length > 3 || parts.includes(undefined)) return unknown();
  const route = `${request.method} ${kind ?? ''}${id === undefined ? '' : `/*${act === undefined ? '' : `/${act}`}`}`;
  const given = id ?? '';
  switch (route) {
    case 'GET lanes':
      return { status: 200, body: { lanes: await listLanes(engine) } };
    case 'GET runs':
      return { status: 200, body: { runs: await listRuns(request.query, engine) } };
    case 'GET runs/*':
      return showRun(given, engine);
    case 'POST lanes/*/hold':
      return holdLane(given, reasonOf(request.body), engine);
    case 'POST lanes/*/release':
      return releaseLane(given, engine);
    case 'POST runs/*/cancel':
      return cancelRun(given, engine);
    case 'POST runs/*/retry':
      return retryRun(given, engine);
    default:
      return unknown();
  }
}

const unknown = (): ApiAnswer => ({ status: 404, body: { error: 'no such thing', status: 404 } });
const conflict = (error: string): ApiAnswer => ({ status: 409, body: { error, status: 409 } });

/** Until operators have names, an act is everybody's who has the token. */
const operator = 'an operator';

async function listLanes({ store }: Engine) {
  const lanes = await Promise.all((await store.laneIds()).map((id) => store.lane(id)));
  return Promise.all(
    lanes
      .filter((lane) => lane !== undefined)
      .map(async (lane) => {
        const active = lane.active === undefined ? undefined : await store.run(lane.active);
        return {
          ...lane,
          active: active === undefined ? null : describeRun(active),
          hold: lane.hold ?? null,
          live: lane.live ?? null,
        };
      }),
  );
}

async function listRuns(query: URLSearchParams, { store }: Engine) {
  const limit = Math.min(Math.max(Number(query.get('limit') ?? 50) || 50, 1), mostRuns);
  const lane = query.get('lane');
  const runs = await Promise.all(
    (await store.runIds(lane === null ? limit : 10_000)).map((id) => store.run(id)),
  );
  return runs
    .filter((run) => run !== undefined)
    .filter((run) => lane === null || run.lane === lane || run.plan.lane.name === lane)
    .slice(0, limit)
    .map(describeRun);
}

async function showRun(id: string, { store }: Engine): Promise<ApiAnswer> {
  const run = await store.run(id);
  if (run === undefined) return unknown();
  return { status: 200, body: { ...describeRun(run), history: await store.history({ run: id }) } };
}

async function holdLane(id: string, why: string | undefined, { store, clock }: Engine): Promise<ApiAnswer> {
  if (why === undefined) return { status: 400, body: { error: 'a hold needs a `reason`', status: 400 } };
  const done = await store.hold(id, { by: operator, why, since: clock.now() });
  return done ? { status: 200, body: { held: id, why } } : unknown();
}

async function releaseLane(id: string, { store, queues }: Engine): Promise<ApiAnswer> {
  const { said, started } = await store.release(id, operator);
  if (said === 'unknown') return unknown();
  if (said === 'not-held') return conflict('the lane is not on hold');
  if (started !== '') await queues.hurryTurn(started);
  return { status: 200, body: { released: id, goesOn: started === '' ? null : started } };
}

async function cancelRun(id: string, { store, queues }: Engine): Promise<ApiAnswer> {
  const said = await store.cancel(id, operator);
  if (said === 'unknown') return unknown();
  if (said === 'over') return conflict('the run is over');
  const run = await store.run(id);
  if (said === 'asked') await queues.hurryTurn(id);
  else if (run !== undefined) await queues.addReport(id, run.report.seq);
  return { status: 202, body: { run: id, said } };
}

async function retryRun(id: string, engine: Engine): Promise<ApiAnswer> {
  const run = await engine.store.run(id);
  if (run === undefined) return unknown();
  if (run.state !== 'finished') return conflict('the run is not over');
  const runId = runIdOf(run.lane, `retry of ${id}`);
  const accepted = await admit(
    { runId, plan: run.plan, order: 'any', head: { field: '', value: '' } },
    engine,
  );
  if (accepted.said !== 'accepted') return conflict('the run was tried again before; retry that one');
  return { status: 202, body: { run: runId, retryOf: id } };
}

function describeRun(run: RunRecord) {
  const { plan, step, ...rest } = run;
  return {
    id: rest.id,
    lane: rest.lane,
    seq: rest.seq,
    state: rest.state,
    outcome: rest.outcome ?? null,
    message: rest.message ?? null,
    version: rest.version ?? null,
    repository: plan.repository.fullName,
    ref: plan.ref,
    commit: plan.commit,
    from: plan.lane.from,
    to: plan.lane.to,
    step: rest.state === 'active' ? step.name : null,
    executionId: step.name === 'watch' ? step.executionId : null,
    intent: rest.intent ?? null,
    status: rest.report.text,
    createdAt: timeOf(rest.createdAt),
    startedAt: timeOf(rest.startedAt),
    endedAt: timeOf(rest.endedAt),
  };
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

function reasonOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('reason' in body)) return undefined;
  const { reason } = body;
  return typeof reason === 'string' && reason.trim() !== '' ? reason.trim().slice(0, 500) : undefined;
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
