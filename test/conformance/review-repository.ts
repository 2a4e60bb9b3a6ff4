import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildRepository, type Changes } from '../environment/github/bare-repository-builder.ts';

/** A repository whose branches show what a review can answer: one branch for each case. */
export interface ReviewRepository {
  /** Folder that holds `<owner>/<name>`. */
  readonly root: string;
  readonly owner: string;
  readonly name: string;
  /** The commit of each branch; the same on every machine. */
  readonly commits: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

const rule = (id: string, level: string, config = '', enabled = 'true'): string =>
  [
    `  - id: ${id}`,
    `    enabled: ${enabled}`,
    `    enforcementLevel: ${level}`,
    ...(config === '' ? [] : [`    config: ${config}`]),
    '',
  ].join('\n');

const rulesFile = '.platform/config/pipeline_quality_rules.yaml';
const start = `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start: { type: "start", transitions: { unconditional: ["Load"] } }
    Load: { type: "sql-executor", transitions: { success: ["Done"] } }
    Done: { type: "end-success" }
`;
const startless = `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Load: { type: "sql-executor" }
`;

/** Branch → rules file (none where `undefined`). */
const branches: Readonly<Record<string, string | undefined>> = {
  main: `rules:\n${rule('maximum-components', 'error', '{ maxComponents: 2 }')}${rule('minimum-components', 'error', '{ minComponents: 1 }')}`,
  warned: `rules:\n${rule('maximum-components', 'warn', '{ maxComponents: 2 }')}`,
  'no-rules-file': undefined,
  'unreadable-rules-file': 'rules: [\n',
  'unknown-rule': `rules:\n${rule('no-such-rule', 'error')}`,
  'wrong-level': `rules:\n${rule('unused-components', 'fatal')}`,
  'empty-pattern': `rules:\n${rule('component-naming-convention', 'error', '{ regexMatchPattern: "" }')}`,
  'wrong-pattern': `rules:\n${rule('component-naming-convention', 'error', '{ regexMatchPattern: "([" }')}`,
  'needs-start': `rules:\n${rule('unused-components', 'error')}`,
  'wrong-configuration': `rules:\n${rule('maximum-components', 'error', '{ maxComponents: many }')}`,
  twice: `rules:\n${rule('unused-components', 'error')}${rule('unused-components', 'warn')}`,
};

const files: Readonly<Record<string, string>> = {
  'daily/load.orch.yaml': start,
  'daily/startless.orch.yaml': startless,
  'daily/broken.orch.yaml': 'pipeline: [\n',
  'notes.md': 'No pipeline.\n',
};

/** Makes the repository in a temporary folder. Identity and times are fixed, so that commits are the same everywhere. */
export async function createReviewRepository(): Promise<ReviewRepository> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace-conformance-')));
  const [owner, name] = ['demo', 'conformance'];
  const builder = await buildRepository(root, `${owner}/${name}`);
  const options = {
    author: { name: 'Ada', email: 'ada@example.com' },
    seconds: Date.UTC(2030, 0, 1) / 1000,
  };
  await builder.commit('base', files, { ...options, message: 'Pipelines\n' });
  const commits: Record<string, string> = {};
  for (const [branch, rules] of Object.entries(branches)) {
    const changes: Changes = rules === undefined ? {} : { [rulesFile]: rules };
    commits[branch] = await builder.commit(branch, changes, {
      ...options,
      from: 'base',
      message: `${branch}\n`,
    });
  }
  return {
    root,
    owner,
    name,
    commits,
    remove: () => Promise.resolve(rmSync(root, { recursive: true, force: true })),
  };
}
