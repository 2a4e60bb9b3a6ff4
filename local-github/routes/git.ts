import { invalid, notFound, ok } from '../answers/answer.ts';
import { page, pageOf, type Call, type Route } from './route.ts';
import { zeroPastLimit } from './zero-past-limit.ts';

/** The commit of a branch, of a tag or of a commit id. The id of a tag object is refused: only the tag's ref leads to a commit. */
async function findCommit({ repository: { git } }: Call, name: string): Promise<string | undefined> {
  const sha = await git.commit(name);
  return /^[0-9a-f]{40}$/u.test(name) && sha !== name ? undefined : sha;
}

async function commitOf(call: Call, name: string): Promise<string> {
  const sha = await findCommit(call, name);
  if (sha === undefined) throw invalid(`No commit found for SHA: ${name}`);
  return sha;
}

async function describeCommit(call: Call, sha: string): Promise<CommitAnswer> {
  const [commit] = await describeCommits(call, [sha]);
  if (commit === undefined) throw notFound();
  return commit;
}

type CommitAnswer = Awaited<ReturnType<typeof describeCommits>>[number];

/** The account with the address of an author or a committer; null if GitHub knows none. */
function accountOf({ repository }: Call, email: string): Record<string, unknown> | null {
  const account = repository.accounts.get(email);
  return account === undefined ? null : { ...account, type: 'User' };
}

async function describeCommits(call: Call, shas: readonly string[]) {
  if (shas.length === 0) return [];
  const commits = await call.repository.git.describe(shas);
  return commits.map(({ sha, tree, parents, author, committer, seconds, message }) => ({
    sha,
    commit: {
      message,
      tree: { sha: tree },
      author,
      committer: { ...committer, date: `${new Date(seconds * 1_000).toISOString().slice(0, -5)}Z` },
    },
    author: accountOf(call, author.email),
    committer: accountOf(call, committer.email),
    parents: parents.map((parent) => ({ sha: parent })),
    html_url: `${call.url}/${call.repository.fullName}/commit/${sha}`,
  }));
}

/** Routes for branches, refs, commits, contents and comparisons. All are read from git. */
export const gitRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/branches/*branch',
    needs: [['contents', 'read']],
    async handle(call) {
      const sha = await call.repository.git.commit(`refs/heads/${call.params['branch'] ?? ''}`);
      if (sha === undefined) throw notFound();
      return ok({ name: call.params['branch'], commit: await describeCommit(call, sha), protected: false });
    },
  },
  {
    method: 'GET',
    path: '/git/ref/*ref',
    needs: [['contents', 'read']],
    async handle(call) {
      const refName = `refs/${call.params['ref'] ?? ''}`;
      const reference = (await call.repository.git.refs(refName)).find(({ ref }) => ref === refName);
      if (reference === undefined) throw notFound();
      return ok({ ref: reference.ref, object: { type: reference.type, sha: reference.sha } });
    },
  },
  {
    method: 'GET',
    path: '/git/matching-refs/*ref',
    needs: [['contents', 'read']],
    async handle(call) {
      const prefix = `refs/${call.params['ref'] ?? ''}`;
      const all = await call.repository.git.refs('refs');
      return ok(
        all
          .filter(({ ref }) => ref.startsWith(prefix))
          .map(({ ref, sha, type }) => ({ ref, object: { type, sha } })),
      );
    },
  },
  {
    method: 'GET',
    path: '/git/tags/:sha',
    needs: [['contents', 'read']],
    async handle(call) {
      const sha = call.params['sha'] ?? '';
      // Anything else could be an option of git.
      if (!/^[0-9a-f]{40}$/u.test(sha)) throw notFound();
      const type = await call.repository.git.git('cat-file', '-t', sha).catch(() => '');
      if (type.trim() !== 'tag') throw notFound();
      const target = (await call.repository.git.git('rev-parse', `${sha}^{}`)).trim();
      const date = (await call.repository.git.git('cat-file', '-p', sha)).match(
        /^tagger .* (\d+) [+-]\d+$/mu,
      )?.[1];
      const tagger = { date: new Date(Number(date) * 1_000).toISOString() };
      return ok({ sha, object: { type: 'commit', sha: target }, tagger });
    },
  },
  {
    method: 'GET',
    path: '/commits/*ref',
    needs: [['contents', 'read']],
    async handle(call) {
      return ok(await describeCommit(call, await commitOf(call, call.params['ref'] ?? '')));
    },
  },
  {
    method: 'GET',
    path: '/git/commits/:sha',
    needs: [['contents', 'read']],
    async handle(call) {
      const id = call.params['sha'] ?? '';
      // Unlike `/commits/`: the whole id of a commit, not of a tag, and an answer without the files.
      const sha = /^[0-9a-f]{40}$/u.test(id) ? await call.repository.git.commit(id) : undefined;
      if (sha !== id) throw notFound();
      const { commit, parents, html_url } = await describeCommit(call, sha);
      return ok({ sha, ...commit, parents, html_url });
    },
  },
  {
    method: 'GET',
    path: '/contents/*path',
    needs: [['contents', 'read']],
    async handle(call) {
      const { git } = call.repository;
      const path = call.params['path'] ?? '';
      const sha = await findCommit(call, call.query.get('ref') ?? 'HEAD');
      const entry = sha === undefined ? undefined : await git.at(sha, path);
      if (sha === undefined || entry === undefined) throw notFound();
      if (entry.type === 'tree') {
        const list = (await git.git('ls-tree', '-z', '--long', `${sha}:${path}`))
          .split('\0')
          .filter((line) => line !== '')
          // GitHub’s limit for a folder.
          .slice(0, 1_000);
        return ok(
          list.map((line) => {
            const [facts = '', name = ''] = line.split('\t');
            const [, kind = '', id = '', size = ''] = facts.split(/ +/u);
            return {
              name,
              path: path === '' ? name : `${path}/${name}`,
              sha: id,
              type: kind === 'tree' ? 'dir' : 'file',
              size: kind === 'blob' ? Number(size) : 0,
            };
          }),
        );
      }
      const { text } = entry;
      if (call.accept.includes('raw')) {
        return {
          status: 200,
          body: text,
          headers: { 'content-type': 'application/vnd.github.raw; charset=utf-8' },
        };
      }
      const content = Buffer.from(text).toString('base64');
      return ok({
        type: 'file',
        encoding: 'base64',
        name: path.split('/').at(-1),
        path,
        sha: entry.sha,
        size: text.length,
        content,
      });
    },
  },
  {
    method: 'GET',
    path: '/compare/*range',
    needs: [['contents', 'read']],
    async handle(call) {
      const { git } = call.repository;
      const [from = '', to = ''] = (call.params['range'] ?? '').split('...');
      const base = await findCommit(call, from);
      const head = await findCommit(call, to);
      if (base === undefined || head === undefined) throw notFound();
      const relation = await git.relation(base, head);
      if (relation === undefined) throw notFound();
      const { merge, ahead: commits, behind } = relation;
      const ahead = commits.length;
      const { number, size } = pageOf(call, call.query.has('page') ? 30 : 250);
      const listed = await describeCommits(call, commits.slice((number - 1) * size, number * size));
      // At most 300 files in all, and only on the first page.
      const files = number === 1 ? zeroPastLimit((await git.changed(merge, head)).slice(0, 300)) : [];
      return ok({
        status:
          ahead === 0 && behind === 0
            ? 'identical'
            : behind === 0
              ? 'ahead'
              : ahead === 0
                ? 'behind'
                : 'diverged',
        ahead_by: ahead,
        behind_by: behind,
        total_commits: ahead,
        base_commit: await describeCommit(call, base),
        merge_base_commit: await describeCommit(call, merge),
        commits: listed,
        files,
      });
    },
  },
  {
    method: 'GET',
    path: '/branches',
    needs: [['contents', 'read']],
    async handle(call) {
      const refs = await call.repository.git.refs('refs/heads');
      const branches = refs.map(({ ref, sha }) => ({
        name: ref.slice('refs/heads/'.length),
        commit: { sha },
      }));
      return page(call, '/branches', branches);
    },
  },
];
