import { z } from 'zod';
import { created, invalid, notFound, ok } from '../answers/answer.ts';
import { openGitFiles } from '../git/git-files.ts';
import { openGitObjects } from '../git/git-objects.ts';
import { type Call, readBody, type Route } from './route.ts';

/** GitHub’s limits of a recursive list: the number of entries, and bytes of the answer. */
const maximumEntries = 100_000;
const maximumListBytes = 7 * 1024 * 1024;

const objectId = z.string().regex(/^[0-9a-f]{40}$/u);

const treeBody = z.object({
  base_tree: objectId.optional(),
  tree: z
    .array(
      z.object({
        path: z.string().regex(/^[^/].*[^/]$/su),
        mode: z.literal('100644'),
        type: z.literal('blob'),
        content: z.string(),
      }),
    )
    .min(1),
});
const commitBody = z.object({
  message: z.string().min(1),
  tree: objectId,
  parents: z.array(objectId).default([]),
  author: z.object({ name: z.string().min(1), email: z.string().min(1) }).optional(),
});
const newRefBody = z.object({ ref: z.string(), sha: objectId });
const refBody = z.object({ sha: objectId, force: z.boolean().default(false) });

async function typeOf({ repository: { git } }: Call, sha: string): Promise<string | undefined> {
  if (!objectId.safeParse(sha).success) return undefined;
  const inFile = openGitFiles(git.path).object(sha)?.type;
  return inFile ?? ((await git.git('cat-file', '-t', sha).catch(() => '')).trim() || undefined);
}

/** The tree of an id: of a tree itself, or of a commit. */
async function treeIn(call: Call, name: string): Promise<string> {
  const type = await typeOf(call, name);
  if (type === 'tree') return name;
  const commit = type === 'commit' ? name : await call.repository.git.commit(name);
  const [facts] = commit === undefined ? [] : await call.repository.git.describe([commit]);
  if (facts === undefined) throw notFound();
  return facts.tree;
}

async function listTree(call: Call, tree: string): Promise<{ tree: object[]; truncated: boolean }> {
  // Any value means true, also "0" and "false".
  const recursive = call.query.has('recursive') ? ['-r', '-t'] : [];
  const text = await call.repository.git.git('ls-tree', '-z', '--long', '--full-tree', ...recursive, tree);
  const all = text
    .split('\0')
    .slice(0, -1)
    .map((line) => {
      const [, mode = '', type = '', sha = '', size = '', path = ''] =
        /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.*)$/su.exec(line) ?? [];
      return { path, mode, type, sha, ...(size === '-' ? {} : { size: Number(size) }) };
    });
  const listed = all.slice(0, maximumEntries);
  while (listed.length > 0 && JSON.stringify(listed).length > maximumListBytes)
    listed.length = Math.floor(listed.length / 2);
  return { tree: listed, truncated: listed.length < all.length };
}

const reference = (ref: string, sha: string) => ({ ref, object: { type: 'commit', sha } });

/** Routes for git's objects and refs, which are read one by one and written without a check-out. */
export const objectRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/git/blobs/:sha',
    needs: [['contents', 'read']],
    async handle(call) {
      const sha = call.params['sha'] ?? '';
      if ((await typeOf(call, sha)) !== 'blob') throw notFound();
      const text = await call.repository.git.git('cat-file', 'blob', sha);
      // In lines of 60 characters, as GitHub sends it.
      const lines = Buffer.from(text)
        .toString('base64')
        .replaceAll(/.{1,60}/gu, '$&\n');
      return ok({ sha, encoding: 'base64', size: Buffer.byteLength(text), content: lines });
    },
  },
  {
    method: 'GET',
    path: '/git/trees/*sha',
    needs: [['contents', 'read']],
    async handle(call) {
      const sha = await treeIn(call, call.params['sha'] ?? '');
      return ok({ sha, ...(await listTree(call, sha)) });
    },
  },
  {
    method: 'POST',
    path: '/git/trees',
    needs: [['contents', 'write']],
    async handle(call) {
      const { base_tree: base, tree } = readBody(treeBody, call.body);
      if (base !== undefined && (await typeOf(call, base)) !== 'tree') throw notFound();
      const changes = Object.fromEntries(tree.map(({ path, content }) => [path, content]));
      const sha = openGitObjects(call.repository.git.path).changeTree(base, changes);
      return created({ sha, ...(await listTree(call, sha)) });
    },
  },
  {
    method: 'POST',
    path: '/git/commits',
    needs: [['contents', 'write']],
    async handle(call) {
      const { message, tree, parents, author } = readBody(commitBody, call.body);
      if ((await typeOf(call, tree)) !== 'tree') throw invalid('Tree SHA does not exist');
      for (const parent of parents)
        if ((await typeOf(call, parent)) !== 'commit')
          throw invalid('Parent SHA does not exist or is not a commit object');
      const seconds = Math.floor(Date.parse(call.state.now()) / 1_000);
      const objects = openGitObjects(call.repository.git.path);
      const sha = objects.commit({ tree, parents, message, seconds, author });
      return created({
        sha,
        message,
        tree: { sha: tree },
        parents: parents.map((parent) => ({ sha: parent })),
      });
    },
  },
  {
    method: 'POST',
    path: '/git/refs',
    needs: [['contents', 'write']],
    async handle(call) {
      const { ref, sha } = readBody(newRefBody, call.body);
      if (!/^refs\/[^/]+\/.+/u.test(ref))
        throw invalid("Reference does not start with 'refs' and have at least two slashes");
      if ((await typeOf(call, sha)) === undefined) throw invalid('Object does not exist');
      if ((await call.repository.git.refs(ref)).length > 0) throw invalid('Reference already exists');
      // Asked and written without a pause, so that only one of two writers at the same time creates it.
      const { path } = call.repository.git;
      if (openGitFiles(path).ref(ref) !== undefined) throw invalid('Reference already exists');
      openGitObjects(path).setRef(ref, sha);
      return created(reference(ref, sha));
    },
  },
  {
    method: 'PATCH',
    path: '/git/refs/*ref',
    needs: [['contents', 'write']],
    async handle(call) {
      const { sha, force } = readBody(refBody, call.body);
      const { git } = call.repository;
      const ref = `refs/${call.params['ref'] ?? ''}`;
      if ((await typeOf(call, sha)) !== 'commit') throw invalid('Object does not exist');
      for (;;) {
        const [old] = await git.refs(ref);
        if (old?.ref !== ref) throw invalid('Reference does not exist');
        const relation = force ? undefined : await git.relation(old.sha, sha);
        if (!force && relation?.merge !== old.sha) throw invalid('Update is not a fast forward');
        // Another request may have moved it since.
        if (openGitFiles(git.path).ref(ref) !== old.sha) continue;
        openGitObjects(git.path).setRef(ref, sha);
        return ok(reference(ref, sha));
      }
    },
  },
];
