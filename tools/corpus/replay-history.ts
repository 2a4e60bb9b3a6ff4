import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { messageOf } from '../../lib/core/errors/message-of.ts';
import { seeded } from '../../test/chaos/environment/seeded.ts';
import { commitsOf, repositoriesIn } from './history.ts';
import { openHistory, type ReplayedCommit } from './replay-commit.ts';

const usage = `Usage: node tools/corpus/replay-history.ts FOLDER [--limit COUNT] [--seed NUMBER] [--commit ID] [--names]
FOLDER is a git repository, or has a repository in each of its folders. For each commit, the set of \`millrace affected\` is compared with
one that is computed in another way. --limit: at most this many commits of each repository, drawn with --seed (default 1). --commit: only
commits whose ids begin with these digits. --names: show the folders, commits and pipelines of differences.
`;

const asked = readArguments(process.argv.slice(2));
if (asked === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  const { folder, limit, seed, only, names } = asked;
  let differing = 0;
  let replayed = 0;
  for (const [index, repository] of repositoriesIn(folder).entries()) {
    const results = await replay(repository, { limit, seed, only });
    const title = names ? path.relative(folder, repository) || '.' : `project ${index + 1}`;
    const used = results.filter(({ kind }) => kind !== 'untouched');
    if (used.length === 0) continue;
    replayed += results.length;
    const other = results.filter(({ difference }) => difference !== undefined);
    differing += other.length;
    process.stdout.write(`${title}: ${summaryOf(results)}\n`);
    for (const { id, difference } of other)
      process.stdout.write(
        names ? `  ${id.slice(0, 12)}: ${difference}\n` : '  a commit differs: --names shows it\n',
      );
  }
  process.stdout.write(`${replayed} commits replayed, ${differing} with a difference.\n`);
  if (differing > 0) process.exitCode = 1;
  if (replayed === 0) {
    process.stderr.write(`${folder} has no history of pipelines.\n`);
    process.exitCode = 2;
  }
}

function summaryOf(results: readonly ReplayedCommit[]): string {
  const count = (kind: ReplayedCommit['kind']) => results.filter((each) => each.kind === kind).length;
  const equal = results.filter(({ kind, difference }) => kind === 'meaning' && difference === undefined);
  const affected = equal.filter((each) => each.affected > 0).length;
  const pipelines = Math.max(...results.map((each) => each.pipelines));
  return [
    `${pipelines} pipelines, ${results.length} commits`,
    `${count('untouched')} without a change of a pipeline's file`,
    `${count('form')} that move boxes or change only the form`,
    `${count('meaning')} that change what pipelines do`,
    `${equal.length} of these equal (${affected} with affected pipelines)`,
    `${results.filter(({ difference }) => difference !== undefined).length} different`,
  ].join(', ');
}

interface Selection {
  readonly limit: number;
  readonly seed: number;
  /** What the ids begin with. */
  readonly only: string;
}

async function replay(
  repository: string,
  { limit, seed, only }: Selection,
): Promise<readonly ReplayedCommit[]> {
  const temporary = mkdtempSync(path.join(tmpdir(), 'millrace-history-'));
  const directory = path.join(temporary, 'project');
  try {
    const history = openHistory(repository, directory);
    const results: ReplayedCommit[] = [];
    const commits = commitsOf(repository).filter(({ id }) => id.startsWith(only));
    for (const commit of seeded(seed).sample(commits, limit)) {
      process.stderr.write(`${results.length} `);
      results.push(await history.replay(commit).catch((error: unknown) => failed(commit.id, error)));
    }
    return results;
  } finally {
    process.stderr.write('\n');
    rmSync(temporary, { recursive: true, force: true });
  }
}

function failed(id: string, error: unknown): ReplayedCommit {
  return { id, kind: 'meaning', pipelines: 0, affected: 0, difference: messageOf(error) };
}

/** Undefined if the arguments are wrong. */
function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        limit: { type: 'string', default: '1000000' },
        seed: { type: 'string', default: '1' },
        commit: { type: 'string', default: '' },
        names: { type: 'boolean', default: false },
      },
    });
    const [name, ...more] = positionals;
    const [limit, seed] = [Number(values.limit), Number(values.seed)];
    if (name === undefined || more.length > 0 || !(limit > 0) || !Number.isInteger(seed)) return undefined;
    const folder = path.resolve(name);
    const isFolder = existsSync(folder) && statSync(folder).isDirectory();
    return isFolder ? { folder, limit, seed, only: values.commit, names: values.names } : undefined;
  } catch {
    return undefined;
  }
}
