import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, createClient } from '../../../client/index.ts';
import type { OperationId } from '../../../lib/contract/operations.ts';
import { defaultSeed } from '../../../platform/index.ts';
import { buildRepository } from '../../environment/github/bare-repository-builder.ts';
import { checkOut } from '../../runner/check-out.ts';
import type { RunResult } from '../../runner/run-action.ts';
import type { Cell } from './fault-cells.ts';
import {
  createActionEnvironment,
  repository,
  type ActionRun,
  type ActionEvent,
} from '../action-environment.ts';
import { orchestration, warehouseFiles } from '../warehouse-files.ts';

/** An action in the matrix. */
export interface Subject {
  readonly action: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** The call that the faults strike: what the action is there for. */
  readonly operation: OperationId;
  /** Versions that are in `dev` beforehand, oldest first. */
  readonly before: readonly string[];
}

export interface CellEnd {
  readonly result: RunResult;
  /** How often the operation had its effect, by the platform's ledger. */
  readonly effects: number;
  /** All that left the process and its files, before masks. */
  readonly shown: string;
}

export interface FaultBench extends AsyncDisposable {
  readonly token: string;
  /** Runs an action in a cell, on a platform that knows nothing of the cell before. */
  run(subject: Subject, cell: Cell): Promise<CellEnd>;
}

const tag = 'refs/tags/v1.0.0';
const hurriedTimers = new URL('../hurried-timers.mjs', import.meta.url).href;
const hurried = {
  pauses: { NODE_OPTIONS: `--import=${hurriedTimers}?to=30000` },
  patience: { NODE_OPTIONS: `--import=${hurriedTimers}` },
};

/** One environment for many cells. */
export async function openFaultBench(): Promise<FaultBench> {
  const testEnvironment = await createActionEnvironment(warehouseFiles, {
    ...defaultSeed,
    settings: { componentTime: '5ms' },
  });
  const { builder, github, platform } = testEnvironment;
  await builder.tag('v1.0.0', 'main', 'first');
  const { git } = github.repository(repository);
  const commit = (await git.commit(tag)) ?? '';
  const token = platform.tokens.admin;
  const client = createClient({ baseUrl: platform.baseUrl, auth: { token } });

  const fork = await buildRepository(join(testEnvironment.folder, 'git'), 'stranger/warehouse');
  await git.git('push', '--quiet', fork.path, 'refs/heads/main:refs/heads/main');
  await fork.commit('patch', { 'sql/orders.sql': 'SELECT 3;\n' }, { from: 'main' });
  const number = github.openPull(repository, {
    head: 'patch',
    base: 'main',
    headRepository: 'stranger/warehouse',
  });
  const { mergeSha, ...pull } = await github.events.pullRequest(repository, number);
  const group = {
    head_ref: 'refs/heads/gh-readonly-queue/main/pr-1',
    head_sha: commit,
    base_ref: 'refs/heads/main',
    base_sha: commit,
  };
  await git.git('update-ref', group.head_ref, commit);
  const events: Record<string, ActionEvent> = {
    tag: { name: 'push', payload: await github.events.push(repository, tag), ref: tag, sha: commit },
    'pull request of a fork': {
      name: 'pull_request',
      payload: pull,
      ref: `refs/pull/${String(number)}/merge`,
      sha: mergeSha,
    },
    'merge group': {
      name: 'merge_group',
      payload: { action: 'checks_requested', merge_group: group },
      ref: group.head_ref,
      sha: commit,
    },
  };
  const workspaces = new Map<ActionEvent, string>();
  const workspaceOf = async (event: ActionEvent): Promise<string> => {
    const known = workspaces.get(event);
    if (known !== undefined) return known;
    const folder = await mkdtemp(join(testEnvironment.folder, 'cell-'));
    await checkOut({ remote: builder.path, folder, sha: event.sha, ref: event.ref });
    workspaces.set(event, folder);
    return folder;
  };

  return {
    token,
    async run({ action, inputs, operation, before }, cell) {
      platform.reset();
      platform.faults.clear();
      for (const version of before) await publish(client, platform.projectId, version, commit);
      const after = platform.ledger().at(-1)?.seq ?? 0;
      if (cell.faults !== undefined) platform.faults.set(cell.faults(operation, token));
      github.interfere(
        cell.gitHubRefuses === true
          ? () => ({ status: 403, body: { message: 'Resource not accessible by integration' } })
          : undefined,
      );
      const event = events[cell.event ?? 'tag'];
      if (event === undefined) throw new Error(`no event ${String(cell.event)}`);
      const workspace = await workspaceOf(event);
      const files: string[] = [];
      const step = async (more: Partial<ActionRun['more']> = {}): Promise<RunResult> =>
        await testEnvironment.event(event, {
          action,
          inputs,
          as: 'deployer',
          ...cell.run,
          more: {
            workspace,
            ...(cell.hurried === undefined ? {} : { env: hurried[cell.hurried] }),
            onFinished: ({ outputs }) => {
              for (const name of ['report-path', 'summary-path', 'manifest-path'])
                if (outputs[name]) files.push(readFileSync(outputs[name], 'utf8'));
            },
            ...more,
          },
        });
      let result: RunResult | undefined;
      for (let time = 1; time < (cell.times ?? 1); time += 1) await step();
      if (cell.cancel === true) {
        const cancel = new AbortController();
        const struck = waitFor(() => platform.faults.list().rules.some((rule) => rule.struck > 0));
        const running = step({ signal: cancel.signal });
        await Promise.race([struck, running]);
        cancel.abort();
        result = await running;
      } else result = await step();
      return {
        result,
        effects: platform.ledger({ operation, after }).length,
        shown: [result.raw, ...files].join('\n'),
      };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await testEnvironment[Symbol.asyncDispose]();
    },
  };
}

async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function publish(client: Client, projectId: string, versionName: string, commitHash: string) {
  const content = Buffer.from(orchestration('Load orders'));
  await client.artifacts.create({
    projectId,
    versionName,
    environmentName: 'dev',
    commitHash,
    files: [{ path: 'daily/load.orch.yaml', bytes: content.length, open: () => content }],
  });
}
