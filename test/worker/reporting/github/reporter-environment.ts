import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Outcome } from '../../../../lib/core/outcomes/outcome.ts';
import { type Logger, silentLogger } from '../../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { appAccess } from '../../../../lib/github/access/app-access.ts';
import { createGitHubPort } from '../../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../../lib/github/access/github-access.ts';
import { createWriteBudget, type WriteLimits } from '../../../../worker/rate-limit/write-budget.ts';
import { createLiveStore } from '../../../../worker/store/live/live-store.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import type { AdvanceKey } from '../../../../worker/store/advances/advances.ts';
import { createLaneStore } from '../../../../worker/app/lane-store.ts';
import { createFailureLog } from '../../../../worker/telemetry/failure-log.ts';
import { createReporter } from '../../../../worker/reporting/github/create-reporter.ts';
import { defaultSettings } from '../../../../worker/settings/settings.ts';
import { createShowAgain } from '../../../../worker/reporting/github/show-again.ts';
import { createReportStores } from '../../../../worker/reporting/github/stores/report-stores.ts';
import type { PromotionLane } from '../../../../worker/records/promotion-task.ts';
import type { ContentLimits } from '../../../../local-github/server/content-limit.ts';
import { writtenPaths } from '../../../../local-github/graphql/written-paths.ts';
import { buildRepository } from '../../../environment/github/bare-repository-builder.ts';
import { startGitHub } from '../../../environment/github/start-github.ts';
import type { TestRedis } from '../../../environment/redis.ts';
import { appKey, testApp } from '../../../lib/github/app.ts';
import { noLimits } from '../../../environment/worker/worker-environment.ts';
import { promotionTask } from '../../store/promotion-task.ts';

export interface ReporterEnvironmentOptions {
  readonly as?: 'app' | 'token';
  readonly permissions?: typeof testApp.permissions;
  readonly limits?: WriteLimits;
  readonly reportForMs?: number;
  /** What GitHub enforces; nothing by default. */
  readonly contentLimits?: ContentLimits;
  readonly version?: string;
  /** The gate at which every promotion waits. */
  readonly gate?: string;
  /** Projects in the repository. */
  readonly workingDirectories?: number;
  /** No time passes but by waits and by `time.skipped`. */
  readonly isFrozen?: boolean;
  /** Milliseconds that a sender sleeps before its next write is within the allowance. */
  readonly sleeps?: () => number;
}

const name = 'example/warehouse';

/** A promotion, a GitHub and what tells the one about the other; nothing else of the worker. */
export async function createReporterEnvironment(
  redis: TestRedis,
  {
    as = 'app',
    permissions = testApp.permissions,
    limits = noLimits,
    reportForMs = 86_400_000,
    contentLimits,
    version = 'v1.0.0',
    workingDirectories = 1,
    gate,
    isFrozen = false,
    sleeps = () => 0,
  }: ReporterEnvironmentOptions = {},
) {
  const gitRoot = await mkdtemp(join(tmpdir(), 'millrace-report-'));
  const git = await buildRepository(gitRoot, name);
  const commit = await git.commit('main', { 'a.txt': 'a' });
  // Time passes faster for those who only wait.
  const time = { skipped: 0 };
  const began = Date.now();
  const clock = isFrozen
    ? { now: () => began + time.skipped, sleep: async (ms: number) => void (time.skipped += ms) }
    : { ...systemClock, now: () => Date.now() + time.skipped };
  const github = await startGitHub({
    requireCompletedChecks: false,
    gitRoot,
    now: clock.now,
    ...(contentLimits === undefined ? {} : { contentLimits }),
    repositories: [{ fullName: name, id: 77 }],
    tokens: { worker: { permissions } },
    app: { ...testApp, permissions },
  });
  onTestFinished(async () => {
    await github.close();
    await rm(gitRoot, { recursive: true, force: true });
  });
  const prefix = `{s-${randomUUID().slice(0, 8)}}`;
  const keys = keysUnder(prefix);
  const connection = redis.connect();
  const warnings: string[] = [];
  const warningFields: unknown[] = [];
  const logger: Logger = {
    ...silentLogger,
    warn: (message, fields) => void (warnings.push(message), warningFields.push(fields)),
  };
  const addedJobs: { readonly id: string; readonly seq: number }[] = [];
  await connection.set(keys.state, 'new');
  const store = createLaneStore(connection, keys, clock);
  const liveStore = createLiveStore(connection, keys, clock);
  const stores = createReportStores(connection, keys, { clock, refusedMs: defaultSettings.refusedMs });
  const now = isFrozen ? clock.now : () => undefined;
  const budget = createWriteBudget(connection, { prefix, clock, limits, now });
  const portOf = () =>
    createGitHubPort({
      apiUrl: github.apiUrl,
      access:
        as === 'app'
          ? appAccess({ apiUrl: github.apiUrl, appId: testApp.id, privateKey: appKey })
          : tokenAccess(() => 'worker'),
      clock,
    });
  /** `frozen`: a sender that stops right before it sends its first status, until the promise resolves. */
  const makeReporter = (
    frozen?: {
      readonly until: Promise<void>;
      readonly reached: () => void;
      readonly before?: 'status' | 'deployment';
    },
    at = gate,
  ) => {
    const port = portOf();
    const stand = async (before: 'status' | 'deployment') => {
      if (frozen === undefined || (frozen.before ?? 'status') !== before) return;
      frozen.reached();
      await frozen.until;
    };
    const setStatus: typeof port.setStatus = async (...status) => {
      await stand('status');
      return port.setStatus(...status);
    };
    const setDeployment: typeof port.deployments.setStatus = async (...status) => {
      await stand('deployment');
      return port.deployments.setStatus(...status);
    };
    const writeTogether: typeof port.writeTogether = async (writes) => {
      if (writes.some(({ kind }) => kind === 'deployment-status')) await stand('deployment');
      return port.writeTogether(writes);
    };
    const deployments = { ...port.deployments, setStatus: setDeployment };
    return createReporter({
      github: { ...port, setStatus, deployments, writeTogether },
      store,
      ...stores,
      budget: {
        ...budget,
        async take(...asked) {
          time.skipped += sleeps();
          return budget.take(...asked);
        },
      },
      clock,
      random: () => 0,
      logger,
      failures: createFailureLog(logger, clock),
      url: () => 'https://worker.example.com',
      reportForMs,
      reportRetryMs: 5_000,
      onStatusUpdate: async () => {},
      addJob: async (id, seq) => void addedJobs.push({ id, seq }),
      gateOf: () => at,
      leaseMs: 40_000,
      environmentOf: (_, environment) => ({
        url: `https://${environment}.example.com`,
        isProduction: environment === 'production',
        isShared: workingDirectories > 1,
      }),
    });
  };
  const report = makeReporter();
  const task = promotionTask(version, { commit, ref: 'refs/tags/v1.0.0' });

  const github77 = github.repository(name);
  return {
    github,
    repository: github77,
    store,
    report,
    /** As a worker that was started again. */
    makeReporter,
    commit,
    warnings,
    warningFields,
    prefix,
    time,
    now: clock.now,
    addedJobs,
    task,
    async accept(
      promotionId = 'promotion-1',
      given: { readonly version?: string; readonly lane?: Partial<PromotionLane> } = {},
    ): Promise<void> {
      const head = { field: 'refs/tags/v1.0.0', value: `${commit} ${promotionId}` };
      const planned = {
        ...task,
        version: { kind: 'named', name: given.version ?? version } as const,
        lane: { ...task.lane, ...given.lane },
      };
      await store.accept({ promotionId, task: planned, order: 'differs', head });
    },
    /** Promotes a version to its end; GitHub has no report yet. */
    async promote(id: string, lane: Partial<PromotionLane> = {}): Promise<void> {
      await this.accept(id, { version: id, lane });
      const key = await this.beginAdvance(id);
      await this.intend(key, id);
      await this.finish(key, 'passed', `${id} is live in ${lane.to ?? 'test'}`);
    },
    /** Records that the promotion is about to change its environment. */
    async intend(key: AdvanceKey, what: string): Promise<void> {
      const intent = { effect: 'promote', at: 0, what };
      await store.record(key, {
        kind: 'effect',
        what: 'intend-promote',
        data: { what },
        fields: {
          intent: JSON.stringify(intent),
          step: JSON.stringify({ name: 'promote', since: 0, readBacks: 0 }),
        },
      });
    },
    /** What GitHub shows of each deployment, in the order in which they were created. */
    shownDeployments: () =>
      github77.deployments.map(
        ({ payload, statuses }) =>
          `${(payload as { version: string }).version} ${statuses.at(-1)?.state ?? 'no status'}`,
      ),
    /** Begins a turn of the promotion that has the lane. */
    async beginAdvance(promotionId = 'promotion-1'): Promise<AdvanceKey> {
      const promotion = await store.promotion(promotionId);
      if (promotion === undefined) throw new Error('no such run');
      const begun = await store.beginAdvance(promotion);
      if ('status' in begun) throw new Error(`the promotion is ${begun.status}`);
      return begun.key;
    },
    async say(key: AdvanceKey, text: string, step: 'resolve' | 'promote' = 'promote'): Promise<void> {
      const fields = { step: JSON.stringify({ name: step, since: 0, readBacks: 0 }) };
      await store.record(key, {
        kind: 'state',
        what: 'said',
        data: { text },
        fields,
        report: { state: 'pending', text },
      });
    },
    async finish(key: AdvanceKey, outcome: Outcome, text: string): Promise<void> {
      const state = outcome === 'passed' ? ('success' as const) : ('failure' as const);
      await store.finish(key, { outcome, message: text, report: { state, text }, state: 'finished' });
    },
    /** The platform answers that this version is live; `disabled`: the one before was disabled. */
    async live(versionName: string, before?: { readonly version: string; readonly status: string }) {
      const target = { project: 'p', environment: 'test' };
      await liveStore.changed(target);
      const number = await liveStore.claim(target, 1_000);
      if (number === undefined) throw new Error('the environment is not due');
      const answer = { version: versionName, commit, nextMs: 1_000, before, lanes: [task.lane.id] };
      expect(await liveStore.keep(target, number, answer)).toBe(true);
    },
    /** As after a re-run of its check run. */
    async showAgain(promotionId: string): Promise<void> {
      const promotion = await store.promotion(promotionId);
      const queues = { addReport: async () => {} };
      if (promotion !== undefined) await createShowAgain(stores.records, { store, queues })(promotion);
    },
    /** Reports until everything is sent; as often as the reporter wants, without its waits. */
    async sendAll(promotionId = 'promotion-1', tell = report): Promise<void> {
      for (let i = 0; i < 40; i += 1) {
        const wait = await tell(promotionId);
        if (wait === undefined) return;
        time.skipped += wait;
      }
      throw new Error('the reporter never comes to an end');
    },
    /** Writes by method and path of the REST API, also the writes of a request with several. */
    writes: (pattern: RegExp) =>
      github.requests.flatMap(writtenPaths).filter((written) => pattern.test(written)).length,
  };
}
