import { createHash } from 'node:crypto';
import { type Delivery, repositoryName } from '../../environment/worker/worker-environment.ts';
import { type Counts, mustHold } from '../trial.ts';
import { effectsOf } from './effects.ts';
import type { Inbox } from './inbox.ts';
import { promotionsIn } from './promotions-in.ts';
import { familyOf, wasDisplaced } from './was-displaced.ts';
import type { TrialEnvironment } from './trial-environment.ts';

/** The pushes into families of lanes, and their results so far. */
export interface PushRecord {
  /** The last version of each family. */
  readonly newest: Map<string, string>;
  /** Without a 2xx answer so far. */
  readonly undelivered: Set<Delivery>;
  readonly offers: Set<Promise<void>>;
  /** Every push by the commit that its tag is on. */
  readonly pushes: Map<string, { readonly version: string; readonly delivery: Delivery }>;
  /** How often a person had an unknown end retried, by version and environment. */
  readonly retried: Map<string, number>;
}

/** Compares what happened with what was to happen; throws where a push was lost or something happened twice. */
export async function verifyPushes(
  env: TrialEnvironment,
  { newest, pushes, retried }: PushRecord,
  inbox: Inbox,
): Promise<Counts> {
  const promotions = await promotionsIn(env);
  const commits = new Set(promotions.map(({ task }) => task.commit));
  const lost = [...pushes].filter(([commit]) => !commits.has(commit));
  const fates = lost.slice(0, 10).map(async ([, { version, delivery }]) => {
    const digest = createHash('sha256').update(delivery.body).digest('hex');
    return `${version}: ${await inbox.result(digest)}`;
  });
  mustHold(
    lost.length === 0,
    `${lost.length} pushes without a promotion: ${(await Promise.all(fates)).join('; ')}`,
  );
  let displaced = 0;
  for (const id of await env.store.laneIds()) {
    const lane = await env.store.lane(id);
    const name = lane?.name ?? '';
    const version = newest.get(familyOf(name)) ?? '';
    const hasEnded = lane?.verified?.version === version;
    const isDisplaced = !hasEnded && (await wasDisplaced(env, { lane: name, version }, promotions));
    if (isDisplaced) displaced += 1;
    mustHold(
      hasEnded || isDisplaced,
      `${id} ends on ${lane?.verified?.version ?? 'nothing'}, not ${version}`,
    );
  }
  const { promotions: promoted, executions, ends } = effectsOf(env.services);
  for (const [text, count] of tally(promoted)) mustHold(count === 1, `${count} times: ${text}`);
  for (const [text, count] of tally(executions)) {
    const [, version = '', environment = ''] = /"(v[a-z]+\d+-\d+)".* in "([a-z0-9-]+)"$/.exec(text) ?? [];
    const allowed = 1 + (retried.get(`${version} ${environment}`) ?? 0);
    mustHold(count <= allowed, `${count} times: ${text}`);
  }
  const delivered = tally(ends);
  for (const [key, count] of tally(promotions.map(({ task }) => `${task.commit} millrace/${task.lane.name}`)))
    mustHold(
      delivered.get(key) === count,
      `GitHub heard ${delivered.get(key) ?? 0} ends of ${count}: ${key}: ${statusesOf(env, key)}`,
    );
  return {
    pushes: pushes.size,
    promotions: promotions.length,
    promoted: promoted.length,
    executions: executions.length,
    ends: ends.length,
    'newest versions that one of another lane displaced': displaced,
    'retried by a person': [...retried.values()].reduce((sum, count) => sum + count, 0),
    ...Object.fromEntries(tally(promotions.map(({ outcome }) => outcome ?? 'none'))),
  };
}

function statusesOf({ services }: TrialEnvironment, key: string): string {
  const { statuses } = services.github.repository(repositoryName);
  return statuses
    .filter(({ sha, context }) => `${sha} ${context}` === key)
    .map(({ state, description }) => `${state} "${description ?? ''}"`)
    .join(', ');
}

function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
