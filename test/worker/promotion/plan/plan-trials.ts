import { seededRandom } from '../../../../platform/random/seeded-random.ts';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { repositoryName, workerFile } from '../../../environment/worker/worker-environment.ts';
import type { WireCall } from '../../../environment/worker/wire.ts';
import type { TestRedis } from '../../../environment/redis.ts';
import { approvers, type LaneOptions, type OneLane, oneLane } from '../gates/one-lane.ts';
import {
  type Change,
  type ChangedPlan,
  createVariables,
  liveOf,
  lists,
  nothing,
  platformChange,
  showsOf,
} from './platform-changes.ts';

/** What happens to what a person approved, after the approval. */
const kinds = [
  'another version live',
  'live version disabled',
  'wanted version disabled',
  'moved tag',
  'override',
  'new variable',
  'changed worker.yaml',
  'nothing',
] as const;

type Kind = (typeof kinds)[number];

/** What must follow: no effect, an effect that is found and held, or an effect as planned. `or`: the moment was within a read. */
type Expected = 'no effect' | 'held' | 'passed' | 'no effect or held' | 'held or passed';

export interface Trial {
  readonly kind: Kind;
  readonly request: number;
  readonly expected: Expected;
  readonly found: 'no effect' | 'held' | 'passed' | 'wrong';
  readonly text: string;
}

/** An approved promotion sends this many requests, and the change comes before one of them, or before none. */
const maxRequests = 14;

/** A lane whose project has variables with overrides, and whose target has a version. */
export async function trialLane(redis: TestRedis, options: LaneOptions = {}): Promise<OneLane> {
  const lane = await oneLane(redis, { gates: { approvals: 1 }, ...options });
  await createVariables(lane.env);
  return lane;
}

/** Publishes a version, promotes it until it waits for approval, and approves it with the plan that is shown. */
export async function approved(lane: OneLane, version: string): Promise<string> {
  const commit = await headOf(lane);
  await lane.env.publish(version, commit);
  const id = await lane.push(version, { commit }, { published: true });
  const { plan, task } = await lane.advance(id);
  await lane.ask('ada', 'POST', `promotions/${id}/approve`, {
    commit: task.commit,
    version,
    plan: plan?.digest,
  });
  return id;
}

export const headOf = async ({ env }: OneLane): Promise<string> =>
  (await env.github.repository(repositoryName).git.git('rev-parse', 'refs/heads/main')).trim();

/** Runs trials one after another in one lane. The seed decides what changes, and before which request. */
export async function runTrials(lane: OneLane, { seed, count }: { seed: number; count: number }) {
  const random = seededRandom(seed);
  const trials: Trial[] = [];
  for (let n = 1; n <= count; n += 1) {
    const kind = kinds[Math.floor(random() * kinds.length)] ?? 'nothing';
    const request = 1 + Math.floor(random() * maxRequests);
    trials.push(await runTrial(lane, { n, kind, request }));
  }
  return trials;
}

interface Planned {
  readonly n: number;
  readonly kind: Kind;
  readonly request: number;
}

async function runTrial(lane: OneLane, { n, kind, request }: Planned): Promise<Trial> {
  const { env, ports } = lane;
  const version = `v1.${n}.0`;
  const other = `v0.${n}.1`;
  await env.publish(other, await headOf(lane));
  const id = await approved(lane, version);
  const change = changeOf(kind, { env, lane, n, version, other, live: liveOf(await env.versions('test')) });
  const from = env.wire.calls.length;
  const started: WireCall[] = [];
  let expected: Expected = 'passed';
  env.wire.interfere(async (call) => {
    if (started.length + 1 === request) {
      expected = expectedOf(kind, { call, started, ended: env.wire.calls.slice(from) });
      await change.apply();
    }
    started.push(call);
    return change.answer?.(call);
  });
  const promotion = await lane.advance(id);
  env.wire.interfere(undefined);
  const { holds = [] } = (await ports.store.lane(lane.lane)) ?? {};
  // The platform may refuse a promotion that was sent.
  const hasEffect = (await env.versions('test')).some((listed) => listed.replace('!', '') === version);
  const isHeld = promotion.outcome === 'error' && holds.some(({ cause }) => cause === 'plan-changed');
  const afterEffect = isHeld ? 'held' : promotion.outcome === 'passed' ? 'passed' : 'wrong';
  const found = hasEffect ? afterEffect : 'no effect';
  const text = `${String(promotion.outcome)}: ${promotion.report.text}`;
  await change.undo();
  if (promotion.state !== 'finished') {
    await lane.ask('root', 'POST', `promotions/${id}/cancel`, {});
    await lane.advance(id);
  }
  await lane.release('root', 'the next trial');
  return { kind, request, expected, found, text };
}

interface Moment {
  /** The request that the change precedes. */
  readonly call: WireCall;
  readonly started: readonly WireCall[];
  readonly ended: readonly WireCall[];
}

/** What must follow from a change at this moment, by the reads that show it. */
function expectedOf(kind: Kind, { started, ended, call }: Moment): Expected {
  if (kind === 'nothing') return 'passed';
  const isPost = ({ method }: WireCall): boolean => method === 'POST';
  if (kind === 'changed worker.yaml') return started.some(isPost) || isPost(call) ? 'passed' : 'no effect';
  const shows = kind === 'moved tag' ? lists('dev') : showsOf[kind];
  const post = started.findIndex(isPost);
  if (post < 0) {
    // The platform promotes no version that is disabled in the source.
    if (!started.some(shows) || kind === 'wanted version disabled') return 'no effect';
    return ended.some(shows) ? 'held' : 'no effect or held';
  }
  const [later, answered] = [started.slice(post), ended.slice(ended.findIndex(isPost))];
  if (!later.some(shows)) return 'held';
  return answered.some(shows) ? 'passed' : 'held or passed';
}

/** A change after which the platform answers otherwise. */
interface TrialChange extends Change {
  answer?(
    call: WireCall,
  ): Promise<{ status: number; headers: Record<string, string>; body: string } | undefined>;
}

function changeOf(kind: Kind, changed: ChangedPlan & { readonly lane: OneLane }): TrialChange {
  const { env, lane, version } = changed;
  switch (kind) {
    case 'moved tag': {
      let isMoved = false;
      return {
        async apply() {
          isMoved = true;
        },
        undo: nothing,
        async answer(call) {
          if (!isMoved || !lists('dev')(call)) return undefined;
          const answer = await fetch(new URL(call.path, env.platform.baseUrl), {
            headers: { authorization: `Bearer ${env.platform.tokens.admin}` },
          });
          const body = (await answer.json()) as { results: { versionName: string; commitHash: string }[] };
          const moved = body.results.map((result) =>
            result.versionName === version ? { ...result, commitHash: 'f'.repeat(40) } : result,
          );
          return {
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ ...body, results: moved }),
          };
        },
      };
    }
    case 'changed worker.yaml': {
      const [repository] = lane.ports.config.repositories;
      const { gates } = repository ?? {};
      return {
        async apply() {
          const stricter = readWorkerConfig(
            workerFile(`${approvers}    gates: { test: { approvals: 2 } }\n`),
            'worker.yaml',
          );
          Object.assign(repository ?? {}, { gates: stricter.repositories[0]?.gates });
        },
        async undo() {
          Object.assign(repository ?? {}, { gates });
        },
      };
    }
    case 'nothing':
      return { apply: nothing, undo: nothing };
    case 'another version live':
    case 'live version disabled':
    case 'wanted version disabled':
    case 'override':
    case 'new variable':
      return platformChange(kind, changed);
  }
}
