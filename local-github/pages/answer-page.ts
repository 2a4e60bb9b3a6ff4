import { type Answer, Refusal } from '../answers/answer.ts';
import type { Request } from '../answers/request.ts';
import { describePull } from '../state/describe.ts';
import type { Repository, State } from '../state/state.ts';
import { html, type Markup, pageOf, table } from './markup.ts';

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

const pattern = /^\/([\w.-]+\/[\w.-]+)(?:\/(commit|compare|pull|runs|tree)\/([\w./-]+))?\/?$/u;

/** The web page at a path; undefined if there is none. */
export async function answerPage(
  { method, path }: Request,
  state: State,
  url: string,
): Promise<Answer | undefined> {
  const [, fullName, kind, id = ''] = (method === 'GET' ? pattern.exec(path) : null) ?? [];
  const repository = fullName === undefined ? undefined : findRepository(state, fullName);
  if (repository === undefined) return undefined;
  const place = { repository, state, url, apiUrl: url };
  const content = await contentOf(place, kind, id);
  if (content === undefined) return undefined;
  const title = kind === undefined ? repository.fullName : `${repository.fullName}: ${kind} ${id}`;
  return { status: 200, headers, body: pageOf(title, content) };
}

interface Place {
  readonly repository: Repository;
  readonly state: State;
  readonly url: string;
  readonly apiUrl: string;
}

async function contentOf(place: Place, kind: string | undefined, id: string): Promise<Markup | undefined> {
  const { repository } = place;
  if (kind === undefined) return repositoryContent(place);
  if (kind === 'pull') return pullContent(place, Number(id));
  if (kind === 'compare') return compareContent(repository, id.split('...'));
  // A tree is shown by its commit.
  const sha = kind === 'runs' ? repository.checkRuns.find((run) => String(run.id) === id)?.head_sha : id;
  const commit = sha === undefined ? undefined : await repository.git.commit(sha);
  return commit === undefined ? undefined : commitContent(repository, commit);
}

async function repositoryContent({ repository }: Place): Promise<Markup> {
  const { git, fullName, pulls, deployments } = repository;
  const refs = (await git.refs('refs')).filter(({ ref }) => /^refs\/(?:heads|tags)\//u.test(ref));
  const commits = await Promise.all(refs.map(async ({ ref }) => (await git.commit(ref)) ?? ''));
  return html`<h2>Branches and tags</h2>
    ${table(
      ['name', 'commit'],
      refs.map(({ ref }, i) => [shownName(ref), commitLink(fullName, commits[i] ?? '')]),
    )}
    <h2>Pull requests</h2>
    ${table(
      ['number', 'title', 'state'],
      pulls
        .toReversed()
        .map(({ number, title, state, mergeCommit }) => [
          html`<a href="/${fullName}/pull/${number}">#${number}</a>`,
          title,
          mergeCommit === undefined ? state : 'merged',
        ]),
    )}
    <h2>Deployments</h2>
    ${table(
      ['environment', 'commit', 'state', 'description'],
      deployments
        .toReversed()
        .map(({ environment, sha, statuses }) => [
          environment,
          commitLink(fullName, sha),
          statuses.at(-1)?.state ?? 'pending',
          statuses.at(-1)?.description ?? '',
        ]),
    )}`;
}

/** The name of a branch or tag, from its ref. */
const shownName = (ref: string): string =>
  ref.replace('refs/heads/', 'branch ').replace('refs/tags/', 'tag ');

async function commitContent(
  { git, checkRuns, statuses, fullName }: Repository,
  sha: string,
): Promise<Markup> {
  const message = await git.git('show', '-s', '--format=%an: %B', sha);
  const runs = checkRuns.filter((run) => run.head_sha === sha);
  const newest = new Map(
    statuses.filter((status) => status.sha === sha).map((status) => [status.context, status]),
  );
  return html`<p><a href="/${fullName}">${fullName}</a></p>
    <pre>${message.trim()}</pre>
    <h2>Check runs</h2>
    ${runs.length === 0 ? html`<p>None yet.</p>` : html``}
    ${runs.map(
      ({ name, status, conclusion, external_id: external, output }) =>
        html`<h3>${name}: ${conclusion ?? status}</h3>
          <p>${output.title ?? ''}</p>
          <pre>${readable(output.summary ?? '')}</pre>
          ${
            output.text === null
              ? html``
              : html`<details>
                  <summary>Details</summary>
                  <pre>${readable(output.text)}</pre>
                </details>`
          }
          ${external === null ? html`` : html`<p>Promotion ${external}</p>`}`,
    )}
    <h2>Commit statuses</h2>
    ${table(
      ['context', 'state', 'description'],
      [...newest.values()].map(({ context, state, description }) => [context, state, description ?? '']),
    )}`;
}

/** The commits that the second of two commits has and the first lacks, and what they change. */
async function compareContent(
  { git, fullName }: Repository,
  names: readonly string[],
): Promise<Markup | undefined> {
  const [base, head, ...others] = await Promise.all(names.map((name) => git.commit(name)));
  if (base === undefined || head === undefined || others.length > 0) return undefined;
  // Without a common commit, there is nothing to compare, as on GitHub.
  if ((await git.relation(base, head)) === undefined) return undefined;
  const commits = await git.git('rev-list', '--no-commit-header', '--format=%h %an: %s', `${base}..${head}`);
  const changes = await git.git('diff', `${base}...${head}`);
  return html`<p><a href="/${fullName}">${fullName}</a></p>
    <h2>Commits</h2>
    <pre>${commits.trim()}</pre>
    <h2>Changes</h2>
    <pre>${changes.trim()}</pre>`;
}

async function pullContent(place: Place, number: number): Promise<Markup | undefined> {
  const { repository } = place;
  const { fullName } = repository;
  const pull = repository.pulls.find((entry) => entry.number === number);
  if (pull === undefined) return undefined;
  const { head, base, title, state } = await describePull(place, pull);
  const comments = repository.comments.filter(({ issue }) => issue === number);
  return html`<p><a href="/${fullName}">${fullName}</a></p>
    <p>
      ${title}: ${pull.mergeCommit === undefined ? state : 'merged'}, ${head.ref} into ${base.ref},
      ${commitLink(fullName, head.sha)}
    </p>
    <h2>Comments</h2>
    ${table(
      ['by', 'text'],
      comments.map(({ login, body }) => [login, html`<pre>${readable(body)}</pre>`]),
    )}`;
}

/** Markdown as text: without what GitHub does not show, or shows as a font or as line breaks, and without escapes. */
const readable = (markdown: string): string =>
  markdown
    .replaceAll(/^<!--.*?-->\n/gmu, '')
    .replaceAll(/<\/?code>/gu, '')
    .replaceAll('<br>', '; ')
    .replaceAll(/&#(\d{1,6});/gu, (_, code: string) => String.fromCodePoint(Number(code)));

const commitLink = (fullName: string, sha: string): Markup =>
  html`<a href="/${fullName}/commit/${sha}">${sha.slice(0, 12)}</a>`;

function findRepository(state: State, fullName: string): Repository | undefined {
  try {
    return state.repository(fullName);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
