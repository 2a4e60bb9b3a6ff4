import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { frugalGit } from '../../local-github/git/frugal-git.ts';
import { entriesOf, openGitFiles, treeOf } from '../../local-github/git/git-files.ts';

const run = promisify(execFile);

/** What to check out and where. */
export interface CheckOut {
  /** The bare repository. */
  readonly remote: string;
  /** An empty folder. */
  readonly folder: string;
  readonly sha: string;
  /** `refs/heads/main`, `refs/tags/v1`, `refs/pull/1/merge`; empty for the commit alone. */
  readonly ref: string;
  /** 0 for the whole history. */
  readonly depth?: number;
}

/** Makes a work tree as the usual check-out action does: a shallow fetch of one commit, detached for tags and pull requests. */
export async function checkOut({ remote, folder, sha, ref, depth = 1 }: CheckOut): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const git = async (...args: readonly string[]): Promise<void> => {
    await run('git', [...frugalGit, ...args], { cwd: folder, env });
  };
  const branch = /^refs\/heads\/(.+)$/u.exec(ref)?.[1];
  const local =
    ref === ''
      ? 'refs/remotes/origin/of-the-event'
      : branch === undefined
        ? ref.replace(/^refs\/pull\//u, 'refs/remotes/pull/')
        : `refs/remotes/origin/${branch}`;
  // What `git init` and `git remote add` write.
  const config = [
    '[core]',
    '\trepositoryformatversion = 0',
    '\tfilemode = true',
    '\tbare = false',
    '\tlogallrefupdates = true',
    '[remote "origin"]',
    `\turl = "${pathToFileURL(remote).href}"`,
    '\tfetch = +refs/heads/*:refs/remotes/origin/*',
  ];
  const created = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'];
  for (const name of created) await mkdir(join(folder, '.git', name), { recursive: true });
  await writeFile(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(join(folder, '.git', 'config'), `${config.join('\n')}\n`);
  if (depth !== 1 || !copyCommit(remote, join(folder, '.git'), sha, local)) {
    const shallow = depth === 0 ? [] : [`--depth=${String(depth)}`];
    const words = ['fetch', '--quiet', '--no-tags', ...shallow, 'origin', `+${sha}:${local}`];
    await git('-c', 'protocol.version=2', ...words);
  }
  if (branch === undefined) await git('checkout', '--quiet', '--detach', local);
  else await git('checkout', '--quiet', '-B', branch, local);
}

/**
 * Copies what a fetch with `--depth=1` brings: a commit and its files. That fetch starts five processes, which take 25 ms of
 * CPU. False where it did not: only git can read objects that are in packs.
 */
function copyCommit(remote: string, target: string, sha: string, ref: string): boolean {
  const files = openGitFiles(remote);
  const objects = new Set([sha]);
  function add(id: string, isTree: boolean): boolean {
    objects.add(id);
    const found = files.object(id);
    if (found === undefined) return false;
    return !isTree || entriesOf(found.body).every((entry) => add(entry.sha, entry.mode === '40000'));
  }
  const tree = treeOf(files.object(sha)?.body ?? Buffer.alloc(0));
  if (tree === undefined || !add(tree, true)) return false;
  for (const id of objects) {
    const place = join('objects', id.slice(0, 2), id.slice(2));
    mkdirSync(join(target, dirname(place)), { recursive: true });
    copyFileSync(join(remote, place), join(target, place));
  }
  mkdirSync(join(target, dirname(ref)), { recursive: true });
  writeFileSync(join(target, ref), `${sha}\n`);
  writeFileSync(join(target, 'shallow'), `${sha}\n`);
  return true;
}
