import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

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
  const folder = path.join(root, owner, name);
  const when = '2030-01-01T00:00:00Z';
  const env = {
    ...process.env,
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_AUTHOR_DATE: when,
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
    GIT_COMMITTER_DATE: when,
  };
  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'commit.gpgSign=false', '-c', 'core.autocrlf=false', ...words], {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };

  mkdirSync(folder, { recursive: true });
  git('init', '--quiet', '--initial-branch=base');
  for (const [file, text] of Object.entries(files)) write(file, text);
  git('add', '--all');
  git('commit', '--quiet', '--message=Pipelines');
  const commits: Record<string, string> = {};
  for (const [branch, rules] of Object.entries(branches)) {
    git('checkout', '--quiet', '-b', branch, 'base');
    if (rules !== undefined) write(rulesFile, rules);
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', `--message=${branch}`);
    commits[branch] = git('rev-parse', 'HEAD');
  }
  return {
    root,
    owner,
    name,
    commits,
    remove: () => Promise.resolve(rmSync(root, { recursive: true, force: true })),
  };
}
