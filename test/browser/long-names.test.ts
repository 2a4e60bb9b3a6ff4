import { expect, test } from 'vitest';
import { defaultSeed, startPlatform } from '../../platform/index.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { keysUnder } from '../../worker/store/scripts/keys.ts';
import { createLaneStore } from '../../worker/app/lane-store.ts';
import type { PromotionLane } from '../../worker/records/promotion-task.ts';
import { testRedis } from '../environment/redis.ts';
import { projectId, repositoryId, repositoryName } from '../environment/worker/worker-environment.ts';
import { tokens, withOperators } from '../worker/web/dashboard/operators.ts';
import { quietDashboard } from '../worker/web/dashboard/quiet-dashboard.ts';
import { appearanceOf } from './appearance-of.ts';
import { brokenWords } from './broken-words.ts';
import { picture, testBrowser } from './dashboard-environment.ts';

const redis = testRedis();
const browser = testBrowser();

const widths = [390, 1_100, 1_400];
const pipeline = 'finance/month-end-closing/load_customer_orders_from_regional_warehouses';
const child = 'finance/month-end-closing/shared/reconcile_general_ledger_balances';
const version = 'release-2026.11.29-hotfix.3+build.20261129153045';
const cause =
  'Object FINANCE_PRODUCTION.MONTH_END_STAGING.CUSTOMER_ORDERS_BY_REGION_AND_CURRENCY does not exist or the role TRANSFORMER_READ_WRITE is not authorized';

const head = 'type: orchestration\nversion: "1.0"\npipeline:\n  components:\n';
const files = {
  [`${pipeline}.orch.yaml`]: `${head}    Start: { type: start, transitions: { unconditional: [Each regional warehouse of the group] } }
    Each regional warehouse of the group:
      type: fixed-iterator
      iterationTarget: Load_Customer_Orders_From_Regional_Warehouse
      parameters: { variablesToIterate: [regional_warehouse_name], iterationValues: [[emea_central_frankfurt], [apac_south_singapore]] }
      transitions: { success: [Reconcile the general ledger balances] }
    Load_Customer_Orders_From_Regional_Warehouse: { type: sql-executor }
    Reconcile the general ledger balances:
      type: run-orchestration
      parameters: { orchestrationJob: ${child} }
      transitions: { failure: [Notify on-call engineers of finance operations] }
    Notify on-call engineers of finance operations: { type: sns-message }
  variables:
    regional_warehouse_name: { metadata: { type: TEXT, scope: COPIED, visibility: PUBLIC }, defaultValue: "" }
`,
  [`${child}.orch.yaml`]: `${head}    Start: { type: start, transitions: { unconditional: [Compare_Ledger_Balances_With_Subledgers] } }
    Compare_Ledger_Balances_With_Subledgers: { type: sql-executor }
`,
};
const sent =
  'arn:aws:sns:eu-central-1:123456789012:finance-operations-oncall refused the message: AuthorizationErrorException\nrequest id: 9b2d6a3e';
const seed = {
  ...defaultSeed,
  settings: { ...defaultSeed.settings, componentTime: 0 },
  executions: [
    {
      pipeline: child,
      component: 'Compare_Ledger_Balances_With_Subledgers',
      outcome: 'failure' as const,
      message: cause,
    },
    {
      pipeline,
      component: 'Notify on-call engineers of finance operations',
      outcome: 'failure' as const,
      message: sent,
    },
  ],
};

async function expectReadable(page: Parameters<typeof brokenWords>[0], what: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const name = `${what} ${width}`;
    expect.soft((await appearanceOf(page)).over, `${name} is wider than the window`).toBeLessThanOrEqual(0);
    expect.soft(await page.evaluate<string[]>(sideways), `${name} scrolls sideways`).toEqual([]);
    expect.soft(await brokenWords(page), name).toEqual([]);
    expect.soft(await page.locator('main').innerText(), name).toContain('\nrequest id: 9b2d6a3e');
    await picture(page, name.replaceAll(' ', '-'));
  }
  // Before the server ends: the live updates of the page would fail.
  await page.context().close();
}

/** What a reader would have to move sideways, and what sticks out of its box. */
const sideways = `[...document.querySelectorAll('main *')]
  .filter((one) => getComputedStyle(one).display !== 'inline' && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.outerHTML.slice(0, 100))`;

test('an execution with long names breaks them between their words only, and fits the window', async () => {
  await using platform = await startPlatform({ seed });
  const headers = { authorization: `Bearer ${platform.tokens.superAdmin}` };
  const project = `${platform.baseUrl}/v1/projects/${platform.projectId}`;
  const form = new FormData();
  for (const [path, text] of Object.entries(files)) form.append(path, new Blob([text]), 'file');
  await fetch(`${project}/artifacts`, {
    method: 'POST',
    headers: { ...headers, versionName: version, environmentName: 'prod', commitHash: 'abc' },
    body: form,
  });
  const started = await fetch(`${project}/pipeline-executions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      pipelineName: pipeline,
      environmentName: 'prod',
      executionTag: 'nightly-month-end-closing-2026-11-29',
    }),
  });
  const { pipelineExecutionId } = (await started.json()) as { pipelineExecutionId: string };
  await platform.clock.advance('1m');
  const page = await browser.open();
  await page.goto(`${platform.baseUrl}/_platform/executions/${pipelineExecutionId}`);
  await expectReadable(page, 'execution');
});

test('a promotion with long names breaks them between their words only, and fits the window', async () => {
  await using worker = await quietDashboard(redis.connect(), withOperators());
  const id = await failedPromotion(worker.prefix);
  const page = await browser.open();
  await page.goto(worker.url);
  await page.fill('#token', tokens.root);
  await page.click('button.go');
  await page.waitForSelector('#live-state:text-is("Connected")');
  await page.goto(`${worker.url}/promotions/${id}`);
  await expectReadable(page, 'promotion');
});

/** A promotion whose verification failed, as a worker leaves it. */
async function failedPromotion(prefix: string): Promise<string> {
  const connection = redis.connect();
  await connection.setnx(keysUnder(prefix).state, 'new');
  const clock = { ...systemClock, time: Date.now() - 3_600_000, now: () => clock.time };
  const store = createLaneStore(connection, keysUnder(prefix), clock);
  const lane: PromotionLane = {
    name: 'finance-month-end-closing-to-production',
    id: `${repositoryId}/${projectId}/finance-month-end-closing-to-production`,
    project: projectId,
    credential: 'platform',
    from: 'integration-finance',
    to: 'production-finance',
    policy: 'latest',
    verify: [
      { pipeline, variables: {}, timeout: 60_000 },
      { pipeline: child, variables: {}, timeout: 60_000 },
    ],
    onFailure: 'rollback',
    gates: { approvals: 1, soak: 0, authorsMayApprove: true, checks: [], windows: [], freeze: [] },
    next: [],
  };
  const promotionId = '0f9c52e4-month-end-closing';
  await store.accept({
    promotionId,
    order: 'any',
    head: { field: '', value: '' },
    task: {
      repository: { id: repositoryId, fullName: repositoryName },
      ref: `refs/tags/${version}`,
      commit: '0123456789abcdef0123456789abcdef01234567',
      delivery: '3f0f9c52-7d1e-4b6a-9a53-1c2d3e4f5a6b',
      pusher: { login: 'release-automation-of-finance[bot]', id: 1 },
      version: { kind: 'named', name: version },
      lane,
    },
  });
  const promotion = await store.promotion(promotionId);
  if (promotion === undefined) throw new Error('The promotion was not accepted.');
  const begun = await store.beginAdvance(promotion);
  if ('status' in begun) throw new Error(begun.status);
  const { key } = begun;
  const record = (what: string, data: Record<string, string>, step?: object) => {
    clock.time += 61_000;
    return store.record(key, {
      kind: 'state',
      what,
      data,
      fields: step === undefined ? {} : { step: JSON.stringify(step), version },
    });
  };
  const executionId = '9b2d6a3e-4c1f-4f60-8a57-0c5d7e6f1a2b';
  const at = { version, environment: lane.to };
  await record('resolved', { version, artifactCommit: '0123456789abcdef0123456789abcdef01234567' });
  await record('waits-for-approval', { reason: 'Waiting for 1 approval (ada, grace may approve)' });
  await record('approved', { by: 'ada', via: 'dashboard', version });
  await record('intend-promote', at);
  await record('promoted', at);
  await record('intend-start', { pipeline, tag: `millrace/${promotionId}/1` });
  await record(
    'started',
    { executionId, pipeline },
    { name: 'watch', verify: 0, since: clock.time, executionId },
  );
  const reason = `${pipeline} ended FAILED: Component "Compare_Ledger_Balances_With_Subledgers" of pipeline "${child}.orch.yaml" failed: ${cause}. Then: Component "Notify on-call engineers of finance operations" of pipeline "${pipeline}.orch.yaml" failed: ${sent}. 6 components ran.`;
  await record('verification-failed', { reason, executionId });
  await record('intend-roll-back', { from: version, to: 'release-2026.11.28-hotfix.2+build.20261128153045' });
  await record('rolled-back', { by: 'millrace', to: 'release-2026.11.28-hotfix.2+build.20261128153045' });
  const message = `${version} failed in ${lane.to}: ${reason}; rolled back to release-2026.11.28-hotfix.2+build.20261128153045`;
  await store.finish(key, {
    outcome: 'failed',
    message,
    report: { state: 'failure', text: message },
    state: 'finished',
  });
  return promotionId;
}
