import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { exampleFiles } from '../demo/example-files.ts';
import { awaitStatus } from '../demo/await-status.ts';
import type { Demo } from '../demo/demo.ts';
import { provision } from '../demo/provision.ts';
import { repository } from '../demo/demo-servers.ts';
import { deliver, pushDelivery } from '../demo/webhook.ts';
import { release, reviewPullRequest } from '../demo/workflow.ts';

const root = join(import.meta.dirname, '../..');

/** Tokens of the operators who approve. Two, because a push without a known author needs one approval more. */
export const operatorTokens = { ada: 'token-of-ada', grace: 'token-of-grace' } as const;

/** Lines of worker.yaml: prod needs an approval, and who can give it. */
const rules = `    approvers: [ada, grace]
    gates: { prod: { approvals: 1 } }
operators:
${Object.entries(operatorTokens)
  .map(([name, token]) => {
    const hash = createHash('sha256').update(token).digest('hex');
    return `  - { name: ${name}, role: approver, repositories: all, token-hash: "sha256:${hash}" }`;
  })
  .join('\n')}
`;

/** What the pictures show. */
export interface Scenario {
  /** Markdown of the comment that the review action wrote. */
  readonly comment: string;
  /** Markdown of the comment with the review, the tests and the data. */
  readonly testedComment: string;
  readonly workerUrl: string;
  /** A promotion that passed its approval and its verification. */
  readonly promotionId: string;
}

/**
 * One pull request with three findings, and two releases. The first reaches prod after an approval; the second
 * is verified in test and needs an approval for prod.
 */
export async function runScenario(demo: Demo): Promise<Scenario> {
  const { servers } = demo;
  const projectId = await provision(servers.client);
  const files = await exampleFiles(projectId);
  const settings = files['millrace.yaml']?.replace(
    '  scope: changed\n',
    '$&  checks: { unknown-call: error }\n',
  );
  await servers.builder.commit(
    'main',
    { ...files, 'millrace.yaml': settings ?? '' },
    { message: 'The warehouse project' },
  );
  const comment = await reviewWithFindings(demo);
  const testedComment = await reviewWithTests(demo, files[changedPipeline] ?? '');

  const worker = await servers.startWorkerFor(projectId, rules);
  await releaseToTest(demo, worker.url, 'v1.0.0');
  const promotionId = await approve(demo, worker.url, 'v1.0.0');
  await servers.builder.commit(
    'main',
    { 'sql/regions.sql': 'select region, sum(amount) from sales group by region;\n' },
    { message: 'Regions by amount' },
  );
  await releaseToTest(demo, worker.url, 'v1.1.0');
  await waitingForApproval(worker.url, 'v1.1.0');
  return { ...comment, testedComment, workerUrl: worker.url, promotionId };
}

/** Opens a pull request that breaks a naming rule, a limit and a call. Gives the comment of its review. */
async function reviewWithFindings({ servers }: Demo): Promise<{ comment: string }> {
  const branches = { head: 'feature/returns', base: 'main' };
  await servers.builder.commit(
    branches.head,
    { 'daily/load returns.orch.yaml': brokenPipeline },
    { from: 'main', message: 'Load returns' },
  );
  const number = servers.github.openPull(repository, { ...branches, title: 'Load returns' });
  await reviewPullRequest(servers, number, branches);
  const [comment] = servers.github.repository(repository).comments;
  if (comment === undefined) throw new Error('The review action wrote no comment.');
  return { comment: comment.body };
}

const changedPipeline = 'daily/build-orders.tran.yaml';

/** Opens a pull request that also keeps the orders of earlier days. Gives the comment with its tests and its data. */
async function reviewWithTests({ servers }: Demo, text: string): Promise<string> {
  const branches = { head: 'feature/late-orders', base: 'main' };
  const changed = text.replace('"Equal to"', '"Less than or equal to"');
  if (changed === text) throw new Error(`${changedPipeline} has no filter to change.`);
  await servers.builder.commit(
    branches.head,
    { [changedPipeline]: changed },
    { from: 'main', message: 'Keep late orders' },
  );
  const number = servers.github.openPull(repository, { ...branches, title: 'Keep late orders' });
  await reviewPullRequest(servers, number, branches, { tests: 'true', engine: root });
  const comment = servers.github.repository(repository).comments.at(-1);
  if (comment?.body.includes('<b>Data</b>') !== true)
    throw new Error('The action wrote no comment with the data.');
  return comment.body;
}

const brokenPipeline = `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start:
      type: "start"
      transitions:
        unconditional:
        - "load_returns"
        - "Summarise"
      parameters:
        componentName: "Start"
    load_returns:
      type: "sql-executor"
      transitions:
        success:
        - "Summarise"
      parameters:
        componentName: "load_returns"
        scriptLocation: "Component"
        sqlScript: "insert into returns select * from staged_returns"
    Summarise:
      type: "run-orchestration"
      transitions:
        success:
        - "Done"
      parameters:
        componentName: "Summarise"
        orchestrationJob: "reports/weekley"
    Done:
      type: "end-success"
      parameters:
        componentName: "Done"
`;

/** Tags main, runs the release workflow, delivers the push and waits until the version is verified in test. */
async function releaseToTest(demo: Demo, workerUrl: string, tag: string): Promise<void> {
  const { servers } = demo;
  const main = (await servers.github.repository(repository).git.commit('refs/heads/main')) ?? '';
  const commit = await servers.builder.tag(tag, main, `Release ${tag}`);
  const { exitCode, log } = await release(servers, tag, commit);
  if (exitCode !== 0) throw new Error(`The release of ${tag} failed:\n${log}`);
  await deliver(workerUrl, await pushDelivery(servers, tag));
  const state = await awaitStatus(demo, { commit, context: 'millrace/to-test', seconds: 60 });
  if (state !== 'success') throw new Error(`The promotion of ${tag} to test ended as ${state}.`);
}

interface ShownPromotion {
  readonly id: string;
  readonly laneName: string;
  readonly version: string | null;
  readonly commit: string;
  /** The gate that the promotion waits for, if there is one. */
  readonly waitsFor: string | null;
}

/** Approves a version for prod; resolves to the promotion's id once it has passed. */
async function approve(demo: Demo, workerUrl: string, version: string): Promise<string> {
  const { id, commit } = await waitingForApproval(workerUrl, version);
  for (const token of Object.values(operatorTokens))
    await api(workerUrl, `promotions/${id}/approve`, { token, body: { commit, version } });
  const state = await awaitStatus(demo, { commit, context: 'millrace/to-prod', seconds: 60 });
  if (state !== 'success') throw new Error(`The promotion of ${version} to prod ended as ${state}.`);
  return id;
}

/** The promotion of a version to prod, once the worker says that it waits for an approval. */
async function waitingForApproval(workerUrl: string, version: string): Promise<ShownPromotion> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const { promotions } = await api<{ promotions: ShownPromotion[] }>(workerUrl, 'promotions');
    const shown = promotions.find(
      (promotion) => promotion.laneName === 'to-prod' && promotion.version === version,
    );
    if (shown !== undefined && shown.waitsFor !== null) return shown;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${version} does not wait for an approval in to-prod after 60 seconds.`);
}

async function api<T>(
  workerUrl: string,
  path: string,
  { token = operatorTokens.ada, body }: { token?: string; body?: object } = {},
): Promise<T> {
  const response = await fetch(`${workerUrl}/api/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`/api/${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
