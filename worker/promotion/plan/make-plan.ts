import { hash } from 'node:crypto';
import { ClientError } from '../../../client/index.ts';
import { planJson } from '../../../flows/plan/digest/plan-json.ts';
import {
  type CurrentVariable,
  listVariables,
  withOverrides,
} from '../../../flows/variables/current-variables.ts';
import { type ArtifactVersion, findArtifact } from '../../../flows/versions/find-artifact.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { defaultRequestsPerMinute } from '../../rate-limit/default-requests.ts';
import { RateLimited } from '../../rate-limit/rate-limited.ts';
import type { PlanFacts, PlanLimits } from '../../records/promotion-plan.ts';
import type { Advance } from '../advance/advance.ts';
import { planKeyOf } from './plan-key.ts';

/** How long a plan waits for requests that the rate limit delays, in milliseconds. */
const maxWaitMs = 20_000;

/** Number of concurrent requests for overrides. */
const concurrency = 4;

/** The API returns at most this many variables with one request. */
const pageSize = 100;

/** Two lists of versions, the variables, and a few overrides. */
const minRequests = 8;

/** `planJson` takes no shorter secret. */
const noKeyBytes = 16;

/** A new plan, and the list that explains it to people. */
export interface MadePlan {
  readonly facts: PlanFacts;
  readonly digest: string;
  readonly limits: PlanLimits;
  /** All versions in the target. */
  readonly target: readonly ArtifactVersion[];
}

/**
 * Reads what a promotion will change: the wanted version in the source, and the variables of both environments.
 * `target`: the versions of the target, just read. `live`: the version that counts as live there. Sends at most
 * `planRequests` requests, if each list of versions has one page. Throws RateLimited, and errors of the platform.
 */
export async function makePlan(
  advance: Advance,
  target: readonly ArtifactVersion[],
  live: ArtifactVersion | undefined,
): Promise<MadePlan> {
  const { promotion, lane, ports } = advance;
  const { rateLimiter } = ports.platformFor(lane.credential);
  const version = promotion.version ?? '';
  return rateLimiter.readingFor(`plan ${promotion.id}`, async () => {
    const patient = createPatience(advance);
    const source = await patient(() => findArtifact(lane.from, version, advance.context));
    const key = planKeyOf(ports.planSecrets(promotion.task.repository.id), promotion.plan?.key);
    const read = key === undefined ? unknown('secret') : await readVariables(advance, patient);
    const json = planJson(
      {
        version,
        from: lane.from,
        to: lane.to,
        wanted: source && { commit: source.commitHash ?? undefined, enabled: source.enabled },
        live: live && { version: live.versionName, commit: live.commitHash ?? undefined },
        // Evidence does not carry snapshots yet.
        snapshots: {},
        variables: read.variables,
      },
      // Without a key there are no values.
      key?.bytes ?? Buffer.alloc(noKeyBytes),
    );
    const limits = { ...read.limits, ...(key === undefined ? {} : { key: key.name }) };
    return { facts: JSON.parse(json) as PlanFacts, digest: hash('sha256', json), limits, target };
  });
}

/**
 * The maximum number of requests for one plan: the credential's requests in a minute, divided by the number of
 * promotions that one process advances at once.
 */
export function planRequests({ lane, ports }: Pick<Advance, 'lane' | 'ports'>): number {
  const { config, settings } = ports;
  const perMinute = config.credentials[lane.credential]?.requestsPerMinute ?? defaultRequestsPerMinute;
  return Math.max(minRequests, Math.floor(perMinute / settings.concurrency));
}

/** Runs a read, again after the waits that the rate limit asks for. */
type Patience = <T>(read: () => Promise<T>) => Promise<T>;

function createPatience({ ports: { clock }, call: { signal } }: Advance): Patience {
  const until = clock.now() + maxWaitMs;
  return async (read) => {
    for (;;) {
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof RateLimited) || clock.now() + error.ms > until) throw error;
        await clock.sleep(error.ms, signal);
      }
    }
  };
}

interface ReadVariables {
  readonly variables: readonly CurrentVariable[];
  readonly limits: PlanLimits;
}

const unknown = (variablesUnknown: NonNullable<PlanLimits['variablesUnknown']>): ReadVariables => ({
  variables: [],
  limits: { notCompared: 0, variablesUnknown },
});

/** As many variables as the share of the rate limit allows, the first by name. */
async function readVariables(advance: Advance, patient: Patience): Promise<ReadVariables> {
  try {
    const all = await patient(() => listVariables(advance.context));
    const used = all.toSorted((a, b) => compareTexts(a.name, b.name));
    const pages = Math.max(1, Math.ceil(all.length / pageSize));
    const reads = Math.max(0, planRequests(advance) - pages - 2);
    const variables: CurrentVariable[] = [];
    const waiting = used.slice(0, reads).values();
    async function readNext(): Promise<void> {
      // The shared iterator gives each variable to exactly one of the concurrent loops.
      for (const variable of waiting) {
        // One variable at a time: a request that the rate limit delays repeats no other one.
        const read = await patient(() => withOverrides([variable], advance.context));
        variables.push(...read.values());
      }
    }
    await Promise.all(Array.from({ length: concurrency }, readNext));
    return { variables, limits: { notCompared: Math.max(0, used.length - reads) } };
  } catch (error) {
    // A credential that may promote need not be allowed to read variables: the plan says so, and the promotion continues.
    if (error instanceof ClientError && error.code === 'forbidden') return unknown('access');
    throw error;
  }
}
