import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openBareRepository } from './bare-repository.ts';

/** What a commit changes: path → new text, or `null` to delete it. */
export type Changes = Readonly<Record<string, string | null>>;

/** Writes commits into a bare repository without a work tree. */
export interface RepositoryBuilder {
  readonly path: string;
  /** Commits on a branch (made from `from`, else from nothing) and gives the commit's id. */
  commit(branch: string, changes: Changes, options?: { from?: string; message?: string }): Promise<string>;
  /** Annotated where a message is given, made now or at `seconds` since the epoch; gives the commit's id. */
  tag(name: string, target: string, message?: string, seconds?: number): Promise<string>;
  /** When an annotated tag was made, in seconds since the epoch. */
  tagTime(name: string): Promise<number>;
  deleteTag(name: string): Promise<void>;
}

/** `git fast-import` writes commit, trees and blobs from one stream. Gives the id of the commit that is its first mark. */
async function fastImport(path: string, stream: string): Promise<string> {
  const child = spawn('git', ['--git-dir', path, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(stream);
  const [written, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`git fast-import ended with ${String(code)}`);
  return written.trim();
}

const data = (content: string): string => `data ${String(Buffer.byteLength(content))}\n${content}\n`;
const quoted = (path: string): string =>
  `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

/** Makes `<gitRoot>/<owner>/<name>` as an empty bare repository whose default branch is `main`. */
export async function buildRepository(gitRoot: string, fullName: string): Promise<RepositoryBuilder> {
  const path = join(gitRoot, fullName);
  await mkdir(path, { recursive: true });
  const bare = openBareRepository(path);
  await bare.git('init', '--quiet', '--bare', '--initial-branch=main');
  return {
    path,
    async commit(branch, changes, { from, message = `Change ${branch}` } = {}) {
      const ref = `refs/heads/${branch}`;
      const parent = (await bare.commit(ref)) ?? (from === undefined ? undefined : await bare.commit(from));
      const seconds = Math.floor(Date.now() / 1000);
      const stream = [
        `commit ${ref}\nmark :1\ncommitter octo <octo@example.com> ${String(seconds)} +0000\n`,
        data(message),
        parent === undefined ? '' : `from ${parent}\n`,
        ...Object.entries(changes).map(([file, content]) =>
          content === null ? `D ${quoted(file)}\n` : `M 100644 inline ${quoted(file)}\n${data(content)}`,
        ),
        '\nget-mark :1\n',
      ];
      return await fastImport(path, stream.join(''));
    },
    async tag(name, target, message, seconds = Math.floor(Date.now() / 1000)) {
      const id = (await bare.commit(target)) ?? '';
      if (message === undefined) {
        await bare.git('tag', name, target);
        return id;
      }
      const tagger = `tagger octo <octo@example.com> ${String(seconds)} +0000`;
      await fastImport(path, `tag ${name}\nfrom ${id}\n${tagger}\n${data(message)}`);
      return id;
    },
    async tagTime(name) {
      return Number(await bare.git('for-each-ref', '--format=%(taggerdate:unix)', `refs/tags/${name}`));
    },
    async deleteTag(name) {
      await bare.git('tag', '--delete', name);
    },
  };
}
