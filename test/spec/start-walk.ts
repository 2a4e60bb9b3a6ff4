import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPlatform } from '../../platform/index.ts';
import { manualClock } from '../environment/clock.ts';
import type { Example } from './example.ts';
import { agentId, commitHash } from './examples/identifiers.ts';
import { examples } from './examples/index.ts';

/** The examples that the local platform can be brought to, in an order in which it can answer them. */
export const walked: readonly Example[] = examples.filter(({ notOnPlatform }) => notOnPlatform === undefined);

/** The token that a walked platform knows for each role; for `unknown` one that it does not know. */
export const tokenOf = (as: Example['as']): string => `token-of-${as}`;

/** A local platform on which the examples can be walked. */
export interface Walk extends AsyncDisposable {
  readonly baseUrl: string;
  /** Literal identifiers, and what the platform made in their place. */
  readonly identifiers: Map<string, string>;
  /** The same with the platform's identifiers. */
  replaced<Value>(value: Value): Value;
}

/** What the reviews' literal answer speaks of: one pipeline that breaks a rule, one that cannot be read. */
const repositoryFiles = {
  '.platform/config/pipeline_quality_rules.yaml': `rules:
  - { id: minimum-components, enabled: true, enforcementLevel: error, config: { minComponents: 1 } }
  - { id: maximum-components, enabled: true, enforcementLevel: error, config: { maxComponents: 1 } }
`,
  'daily/load.orch.yaml': `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start: { type: "start", transitions: { unconditional: ["Done"] } }
    Done: { type: "end-success" }
`,
  'daily/broken.tran.yaml': 'pipeline: [',
  'sql/clean.sql': 'select 1;\n',
};

export async function startWalk(): Promise<Walk> {
  const gitRoot = mkdtempSync(path.join(tmpdir(), 'millrace-walk-'));
  const identifiers = new Map([[commitHash, commitTo(path.join(gitRoot, 'acme/sales-warehouse'))]]);
  const platform = await startPlatform({
    gitRoot,
    clock: manualClock(Date.UTC(2026, 10, 21)),
    checkAnswers: true,
    seed: {
      agents: { [agentId]: 'runner-one' },
      credentials: (['superAdmin', 'admin', 'member'] as const).map((role) => ({
        name: role,
        role,
        token: tokenOf(role),
      })),
      connectors: {
        custom: [{ id: '17', name: 'Weather service' }],
        flex: [{ id: '4', alternateId: 'ticket-system', name: 'Ticket system' }],
      },
    },
  });
  return {
    baseUrl: platform.baseUrl,
    identifiers,
    replaced(value) {
      let text = JSON.stringify(value);
      for (const [literal, actual] of identifiers) text = text.replaceAll(literal, actual);
      return JSON.parse(text) as typeof value;
    },
    async [Symbol.asyncDispose]() {
      await platform.close();
      rmSync(gitRoot, { recursive: true, force: true });
    },
  };
}

function commitTo(directory: string): string {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: directory,
      encoding: 'utf8',
    }).trim();
  for (const [file, content] of Object.entries(repositoryFiles)) {
    mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
    writeFileSync(path.join(directory, file), content);
  }
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'A project');
  return git('rev-parse', 'HEAD');
}
