import type { Policy, Queues, Records, Timing } from '../../../promotion/context/ports.ts';
import type { Pause, Pauses, PauseScope } from '../../../store/gates/pauses.ts';
import type { WorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { mayTouch, type Operator } from '../../../operators/operator.ts';
import { type ApiAnswer, conflict, forbidden, ok, unknown, wrong } from './answers.ts';
import { type ApiCall, isGiven, textOf } from './api-call.ts';
import { timeOf } from './time-of.ts';

/** A pause in the form that the API shows. null: all repositories, or all environments. */
export type ShownPause = ReturnType<typeof describePause>;

/** The pauses of the operator's repositories, oldest first. */
export async function listPauses({
  operator,
  ports,
}: ApiCall<Records<Pauses> & Pick<Policy, 'config'>>): Promise<ApiAnswer> {
  return ok({ pauses: await pausesFor(operator, ports) });
}

export async function pausesFor(
  operator: Operator,
  { store, config }: Records<Pauses> & Pick<Policy, 'config'>,
): Promise<readonly ShownPause[]> {
  const pauses = await store.pauses();
  return pauses.filter((pause) => maySee(pause, operator)).map((pause) => describePause(pause, config));
}

/**
 * Pauses all lanes, or only the lanes of a `repository` (id or name) or to an `environment`, with a `reason`.
 * Nothing that changes the platform begins until an operator ends the pause.
 */
export async function pauseLanes(
  call: ApiCall<Records<Pauses> & Pick<Policy, 'config'> & Pick<Timing, 'clock'>>,
): Promise<ApiAnswer> {
  const { operator, via, ports } = call;
  const reason = textOf(call, 'reason');
  if (reason === undefined) return wrong('a pause needs a `reason`');
  const scope = scopeOf(call);
  if ('body' in scope) return scope;
  if (!mayPause(scope, operator)) return mayNot(operator);
  const since = ports.clock.now();
  const pause = await ports.store.pause({ by: operator.name, via, reason, since, ...scope });
  if (pause === undefined) return conflict('there is already the maximum number of pauses; end one first');
  return ok({ paused: describePause(pause, ports.config) });
}

/** Ends a pause. Promotions that wait continue at once, unless a hold or another pause stops them. */
export async function resumePaused(
  call: ApiCall<Records<Pauses> & Pick<Policy, 'config'> & Queues>,
): Promise<ApiAnswer> {
  const { id, operator, via, ports } = call;
  const { store, queues } = ports;
  const pause = (await store.pauses()).find((candidate) => candidate.id === id);
  if (pause === undefined || !maySee(pause, operator)) return unknown();
  if (!mayPause(pause, operator)) return mayNot(operator);
  const reason = textOf(call, 'reason') ?? '';
  const promotions = await store.resumePaused(pause, { by: operator.name, via, reason });
  if (promotions === undefined) return unknown();
  // After a crash in between, the reconciler finds their requests.
  for (const promotion of promotions) await queues.expediteAdvance(promotion);
  return ok({ resumed: id, pauses: await pausesFor(operator, ports) });
}

/** A pause with the name of its repository; times in ISO 8601. */
export function describePause(
  { id, by, via, reason, since, repository, environment }: Pause,
  { repositories }: WorkerConfig,
) {
  const name = repositories.find((policy) => policy.id === repository)?.name;
  return {
    id,
    by,
    via,
    reason,
    since: timeOf(since),
    repository: repository === undefined ? null : { id: repository, name: name ?? null },
    environment: environment ?? null,
  };
}

/** A pause of everything needs access to everything. */
function mayPause({ repository }: PauseScope, operator: Operator): boolean {
  return repository === undefined ? operator.repositories === 'all' : mayTouch(operator, repository);
}

const maySee = ({ repository }: PauseScope, operator: Operator): boolean =>
  repository === undefined || mayTouch(operator, repository);

const mayNot = ({ name }: Operator): ApiAnswer =>
  forbidden(`${name} lacks access to some of the repositories that the pause covers`);

/** Only what worker.yaml names: a pause of something that is not there would pause nothing. */
function scopeOf(call: ApiCall<Pick<Policy, 'config'>>): PauseScope | ApiAnswer {
  const { repositories } = call.ports.config;
  const [repository, environment] = [textOf(call, 'repository'), textOf(call, 'environment')];
  if (isGiven(call, 'repository') && repository === undefined)
    return wrong('`repository` must be the name or the id of a repository, as text');
  if (isGiven(call, 'environment') && environment === undefined)
    return wrong('`environment` must be the name of an environment');
  const meant = repositories.filter(
    ({ id, name }) => repository === undefined || String(id) === repository || name === repository,
  );
  const [first] = meant;
  if (first === undefined) return wrong(`worker.yaml lists no repository ${repository ?? ''}`);
  if (environment !== undefined && !meant.some(({ environments }) => environments.includes(environment)))
    return wrong(`worker.yaml lists no environment ${environment}`);
  return {
    ...(repository === undefined ? {} : { repository: first.id }),
    ...(environment === undefined ? {} : { environment }),
  };
}
