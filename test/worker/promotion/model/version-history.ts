import fc from 'fast-check';
import { expect } from 'vitest';
import { takeIn } from '../../../../worker/intake/ingest/take-in.ts';
import { promotionIdOf } from '../../../../worker/promotion/admission/admit.ts';
import { advancePromotion } from '../../../../worker/promotion/advance-promotion.ts';
import { createLivePoller } from '../../../../worker/promotion/live/live-poller.ts';
import type { PromotionLane } from '../../../../worker/records/promotion-task.ts';
import { answerRoute } from '../../../../worker/web/api/answer-route.ts';
import { describeLane } from '../../../../worker/web/api/operations/describe-lane.ts';
import { routes } from '../../../../worker/web/api/routes.ts';
import { person } from '../gates/one-lane.ts';
import { commitOf, type ModelEnvironment, projectId, repositoryId } from './model-environment.ts';
import { VersionModel } from './version-model.ts';

/** One event of a history; `pick` chooses among the versions or promotions so far. */
export type Event =
  | {
      readonly kind: 'push';
      readonly name: 'newer' | 'candidate' | 'older';
      readonly built: 'from-it' | 'elsewhere';
      readonly fails: boolean;
      readonly cancelled: boolean;
    }
  | { readonly kind: 'move' | 'retry' | 'cancel' | 'disable' | 'enable' | 'by-hand'; readonly pick: number }
  | { readonly kind: 'request'; readonly pick: number; readonly fails: boolean }
  | { readonly kind: 'roll-back' | 'resume' };

const pick = fc.nat(1_000);
const push = fc.record({
  kind: fc.constant('push' as const),
  name: fc.constantFrom(
    'newer' as const,
    'newer' as const,
    'newer' as const,
    'candidate' as const,
    'older' as const,
  ),
  built: fc.constantFrom('from-it' as const, 'from-it' as const, 'from-it' as const, 'elsewhere' as const),
  fails: fc.boolean(),
  cancelled: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
});

/** Any history of a lane. */
export const histories = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: push },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constantFrom(
          ...(['move', 'retry', 'cancel', 'disable', 'disable', 'enable', 'by-hand'] as const),
        ),
        pick,
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('request' as const), pick, fails: fc.boolean() }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom('roll-back' as const, 'resume' as const, 'resume' as const),
      }),
    },
  ),
  { minLength: 6, maxLength: 20 },
);

/** Plays a history with the worker and with the model, and compares them after each event. */
export async function playHistory(
  env: ModelEnvironment,
  n: number,
  history: readonly Event[],
): Promise<void> {
  const played = createPlayer(env, n);
  for (const [i, event] of history.entries()) {
    await played.play(event, i);
    await played.drain();
    expect(await played.seen(), `after event ${i}, ${JSON.stringify(event)}`).toEqual(played.expected());
  }
}

const root = person('root', 'admin');

function createPlayer(env: ModelEnvironment, n: number) {
  const { ports, client, heads, verdicts } = env;
  const { store } = ports;
  const [source, target] = [`dev-${n}`, `test-${n}`];
  const model = new VersionModel();
  const lane = laneOf(n, source, target);
  const live = { project: projectId, environment: target };
  const poll = createLivePoller(ports, new AbortController().signal);
  let commits = n * 1_000;
  let [minor, patch] = [0, 0];

  const versions = (): readonly string[] => [...model.artifacts.keys()];
  const chosen = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)];

  async function post(path: string, id: string, body: object) {
    const route = routes.find((one) => one.method === 'POST' && one.path === path);
    if (route === undefined) throw new Error(`no route ${path}`);
    const call = {
      operator: root,
      via: 'api',
      ports,
      id,
      query: new URLSearchParams(),
      body,
    } as const;
    const answer = await answerRoute(route, call);
    const { promotion = '' } = answer.body as { promotion?: string };
    return { done: answer.status < 300, promotion, text: JSON.stringify(answer.body) };
  }

  async function ingest(version: string, i: number): Promise<void> {
    commits += 1;
    const head = commitOf(commits);
    const ref = `refs/tags/${version}`;
    heads.set(ref, head);
    const event = {
      repositoryId,
      repositoryName: 'example/warehouse',
      ref,
      before: commitOf(0),
      after: head,
      created: true,
      deleted: false,
      forced: false,
      sender: 'octocat',
      delivery: 'd',
      digest: `${n}-${i}`,
      receivedAt: ports.clock.now(),
    };
    const repository = await env.github.repository(repositoryId);
    const matched = [{ lane, version: { kind: 'named', name: version, commit: head } as const }];
    const seqs = await Promise.all(matched.map(async (one) => ports.store.laneSeq(one.lane.id)));
    await takeIn(
      { event, repository, head, matched, seqs },
      { ...env, ports, isStillCurrent: async () => true },
    );
    model.push(promotionIdOf(lane.id, `${event.digest} ${head}`), version, head);
  }

  async function publish(version: string, built: 'from-it' | 'elsewhere'): Promise<void> {
    // The commit that its push will have.
    const commit = built === 'from-it' ? commitOf(commits + 1) : commitOf(commits + 1, 'f');
    await env.publish(source, version, commit);
    model.artifacts.set(version, { commit, allowed: built === 'from-it' });
  }

  function setVerdict(version: string, fails: boolean): void {
    verdicts.set(`${target} ${version}`, fails ? 'FAILED' : 'SUCCESS');
    if (fails) model.failing.add(version);
    else model.failing.delete(version);
  }

  function newName(name: 'newer' | 'candidate' | 'older'): string {
    patch += 1;
    if (name === 'older') return `v0.0.${patch}`;
    minor += 1;
    return name === 'candidate' ? `v1.${minor}.0-rc.${patch}` : `v1.${minor}.0`;
  }

  const onPlatform = { projectId, environmentName: target };

  async function play(event: Event, i: number): Promise<void> {
    switch (event.kind) {
      case 'push': {
        const version = newName(event.name);
        setVerdict(version, event.fails);
        await publish(version, event.built);
        await ingest(version, i);
        model.cancelsNext = event.cancelled;
        if (event.cancelled) cancelAfterPromotion();
        else env.afterPromotion.delete(target);
        return;
      }
      case 'roll-back':
        if (model.last === undefined && model.promotions.size === 0) return;
        return playRollBack();
      case 'resume':
        await post('/lanes/:id/resume', lane.id, { holds: await holdIds(), reason: 'x' });
        return model.resume();
      case 'move':
      case 'retry':
      case 'cancel':
      case 'disable':
      case 'enable':
      case 'by-hand':
      case 'request':
        return playPick(event, i);
    }
  }

  async function playRollBack(): Promise<void> {
    const { done, text } = await post('/lanes/:id/roll-back', lane.id, { reason: 'x' });
    expect(done, text).toBe(model.rollBack());
  }

  async function playPick(event: Extract<Event, { readonly pick: number }>, i: number): Promise<void> {
    const version = chosen(versions(), event.pick);
    const promotion = chosen([...model.promotions.keys()], event.pick);
    if (version === undefined || promotion === undefined) return;
    switch (event.kind) {
      case 'move':
        return ingest(version, i);
      case 'retry': {
        const { done, promotion: id } = await post('/promotions/:id/retry', promotion, {});
        expect(model.retry(promotion, id)).toBe(done);
        return;
      }
      case 'request': {
        setVerdict(version, event.fails);
        const { done, promotion: id } = await post('/lanes/:id/promote', lane.id, { version, reason: 'x' });
        const result = model.request(version, id);
        expect(result !== 'refused').toBe(done);
        if (result === 'same') expect(id).toBe(model.last);
        return;
      }
      case 'cancel':
        await store.cancel(promotion, 'ada');
        return model.cancel(promotion);
      case 'by-hand': {
        const input = { projectId, sourceEnvironmentName: source, targetEnvironmentName: target };
        await client.artifacts.promote({ ...input, versionName: version });
        return model.promoteByHand(version);
      }
      case 'disable':
      case 'enable': {
        const enabled = event.kind === 'enable';
        if (!model.target.some(({ name }) => name === version)) return;
        await client.artifacts.setEnabled({ ...onPlatform, versionName: version, enabled });
        return model.setEnabled(version, enabled);
      }
    }
  }

  function cancelAfterPromotion(): void {
    env.afterPromotion.set(target, async () => {
      env.afterPromotion.delete(target);
      const active = (await store.lane(lane.id))?.active;
      if (active !== undefined) await store.cancel(active, 'ada');
    });
  }

  async function holdIds(): Promise<readonly string[]> {
    return ((await store.lane(lane.id))?.holds ?? []).map(({ id }) => id);
  }

  /** Advances promotions until all wait, and lets the worker ask the platform. */
  async function drain(): Promise<void> {
    let before = '';
    for (;;) {
      const active = (await store.lane(lane.id))?.active;
      if (active === undefined) break;
      await advancePromotion(active, ports, new AbortController().signal);
      const { state, step, report } = (await store.promotion(active)) ?? {};
      const now = JSON.stringify([active, state, step?.name, report?.text]);
      if (now === before) break;
      before = now;
    }
    model.drain();
    await ports.live.register([live]);
    await ports.live.changed(live);
    await poll();
  }

  async function seen() {
    const record = await store.lane(lane.id);
    const shown = record && (await describeLane(record, ports));
    const { results } = await client.artifacts.list({ ...onPlatform, includeDisabled: true, size: 100 });
    const ended = await Promise.all([...model.promotions.keys()].map((id) => store.promotion(id)));
    return {
      target: results
        .map(({ versionName, enabled }) => (enabled ? versionName : `!${versionName}`))
        .toReversed(),
      isHeld: (record?.holds.length ?? 0) > 0,
      live: shown?.live.version ?? undefined,
      verified: shown?.verified?.version,
      wanted: shown?.wanted?.version ?? undefined,
      isOutOfStep: shown?.outOfStep ?? undefined,
      proven: [...(await store.verifiedVersions(live, lane.id))].toSorted(),
      promotions: ended.map((one) => [one?.version, one?.state, one?.outcome]),
    };
  }

  function expected(): Awaited<ReturnType<typeof seen>> {
    return {
      target: model.target.map(({ name, enabled }) => (enabled ? name : `!${name}`)),
      isHeld: model.isHeld,
      // Without a lane, nothing is said.
      live: model.promotions.size === 0 ? undefined : model.live,
      verified: model.verified,
      wanted: model.wanted,
      isOutOfStep: model.promotions.size === 0 ? undefined : model.isOutOfStep,
      proven: [...model.proven].toSorted(),
      promotions: [...model.promotions.values()].map(({ version, state, outcome }) => [
        version,
        state,
        outcome,
      ]),
    };
  }

  return { play, drain, seen, expected };
}

function laneOf(n: number, from: string, to: string): PromotionLane {
  return {
    name: `lane-${n}`,
    id: `${repositoryId}/${projectId}/lane-${n}`,
    project: projectId,
    credential: 'platform',
    from,
    to,
    policy: 'latest',
    verify: [{ pipeline: 'daily/load', timeout: 60_000, variables: {} }],
    onFailure: 'rollback',
    gates: { approvals: 0, soak: 0, freeze: [] },
    next: [],
  };
}
