import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const maxOutput = 1024 * 1024 * 1024;

/** A commit with its first parent. */
export interface HistoryCommit {
  readonly id: string;
  readonly parent: string;
}

export function git(directory: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'core.autocrlf=false', '-c', 'core.quotePath=false', ...args], {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: maxOutput,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** A folder that is a git repository, or all git repositories among its folders, also bare ones, sorted. */
export function repositoriesIn(folder: string): readonly string[] {
  if (isRepository(folder)) return [folder];
  return readdirSync(folder)
    .toSorted()
    .map((name) => path.join(folder, name))
    .flatMap((directory) => [directory, path.join(directory, 'repo')].find(isRepository) ?? []);
}

function isRepository(directory: string): boolean {
  const has = (name: string) => statSync(path.join(directory, name), { throwIfNoEntry: false }) !== undefined;
  return has('.git') || (has('HEAD') && has('objects') && has('refs'));
}

/** All commits with a parent, the oldest first. */
export function commitsOf(directory: string): readonly HistoryCommit[] {
  const lines = git(directory, 'log', '--reverse', '--topo-order', '--format=%H %P').split('\n');
  return lines.flatMap((line) => {
    const [id = '', parent] = line.split(' ');
    return parent === undefined || parent === '' ? [] : [{ id, parent }];
  });
}

/** The files that a pipeline may be, or may use. */
const usedFile = /\.(?:ya?ml|sql|py|sh)$/i;

/** Reads the used files of commits, each blob once. */
export function fileReader(directory: string): (commit: string) => ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  return (commit) => {
    const entries = git(directory, 'ls-tree', '-r', '-z', '--full-tree', commit).split('\0');
    const files = new Map<string, string>();
    for (const entry of entries) {
      const [, mode, oid = '', file = ''] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
      if ((mode !== '100644' && mode !== '100755') || !usedFile.test(file)) continue;
      const text = texts.get(oid) ?? git(directory, 'cat-file', 'blob', oid);
      texts.set(oid, text);
      files.set(file, text);
    }
    return files;
  };
}

/**
 * Makes a repository of two commits, which have only the used files: a public repository may lack large files that its snapshot leaves out.
 * The second commit is checked out.
 */
export function writeCommits(
  directory: string,
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): HistoryCommit {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  git(directory, 'init', '--quiet');
  const [parent = '', id = ''] = [before, now].map((files) => {
    for (const name of readdirSync(directory))
      if (name !== '.git') rmSync(path.join(directory, name), { recursive: true });
    for (const [file, text] of files) {
      const target = path.join(directory, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
    const identity = ['-c', 'user.name=replay', '-c', 'user.email=replay@example.com'];
    git(directory, 'add', '--all', '--force');
    git(directory, ...identity, 'commit', '--quiet', '--allow-empty', '--no-gpg-sign', '-m', 'Replay');
    return git(directory, 'rev-parse', 'HEAD').trim();
  });
  return { id, parent };
}

/** The old path of each file that git finds renamed, by its new path. */
export function renamedBetween(
  directory: string,
  { id, parent }: HistoryCommit,
): ReadonlyMap<string, string> {
  const parts = git(directory, 'diff', '--name-status', '-z', '--find-renames', parent, id).split('\0');
  const renamed = new Map<string, string>();
  for (let at = 0; at < parts.length;) {
    const status = parts[at] ?? '';
    if (status.startsWith('R')) renamed.set(parts[at + 2] ?? '', parts[at + 1] ?? '');
    at += /^[RC]/.test(status) ? 3 : 2;
  }
  return renamed;
}
