import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Answer } from '../answers/answer.ts';
import type { AppSetting, AppState } from '../apps/app.ts';
import { createEvents, type Events } from '../state/events.ts';
import { answerPage } from '../pages/answer-page.ts';
import { attempt, type Hook } from '../apps/hook-deliveries.ts';
import type { Request } from '../answers/request.ts';
import { serve } from './serve.ts';
import { answerSignIn, type OAuthAppSetting, type OAuthAppState } from '../apps/sign-in.ts';
import { isMutation } from '../graphql/answer-mutation.ts';
import { type ContentLimits, createContentLimit } from './content-limit.ts';
import { readBody } from './read-body.ts';
import { createRequestLimit } from './request-limit.ts';
import { createState, type Repository, type TokenGrant } from '../state/state.ts';

/** Reports how a request or its answer differs from GitHub's description, one sentence for each difference. */
export interface ExchangeCheck {
  request(request: Request): readonly string[];
  answer(request: Request, answer: Answer): readonly string[];
}

export interface GitHubOptions {
  /** The environment of this process. Git needs its PATH. */
  readonly environment: NodeJS.ProcessEnv;
  /** Checks requests and answers against GitHub's description of its API. */
  readonly check?: ExchangeCheck;
  /** Folder of the bare repositories, `<owner>/<name>` or `<owner>/<name>.git`. */
  readonly gitRoot: string;
  readonly tokens: Readonly<Record<string, TokenGrant>>;
  /** Ids for repositories whose id a test must know. The others get an id with the first request. */
  readonly repositories?: readonly { readonly fullName: string; readonly id: number }[];
  readonly app?: AppSetting;
  /** An app that people sign in with. */
  readonly oauthApp?: OAuthAppSetting;
  readonly port?: number;
  readonly now?: () => number;
  /** Maximum number of requests that are kept, the newest ones. By default all: a test needs them, but a long run must limit them. */
  readonly maxRequests?: number;
  /** Requests an hour that each token has; no limit by default. */
  readonly requestsPerHour?: number;
  /** At the end, complains about check runs that were not completed: GitHub would always show them as in progress. */
  readonly requireCompletedChecks?: boolean;
  /** Limits of the requests that create content; none by default. */
  readonly contentLimits?: ContentLimits;
}

/** A received request, with the status of its answer. */
export interface RecordedRequest extends Request {
  readonly status: number;
}

/**
 * What happens to a request: an answer in place of GitHub's, a connection that is cut before (`'drop'`) or after (`'lose'`)
 * the request was carried out, no answer (`'hang'`), or undefined for nothing special.
 */
export type Fault = (request: Request) => Answer | 'drop' | 'lose' | 'hang' | undefined;

export interface GitHub {
  /** Base of the API, such as `http://127.0.0.1:4000/api/v3`; what `GITHUB_API_URL` holds. */
  readonly apiUrl: string;
  /** Base of the web pages; what `GITHUB_SERVER_URL` holds. */
  readonly url: string;
  /** Every request, in order of its end. */
  readonly requests: readonly RecordedRequest[];
  /** What GitHub stores besides git: pulls, comments, statuses, checkRuns, deployments (all live arrays). */
  repository(fullName: string): Repository;
  /** Opens a pull request; `headRepository` is for a pull request from a fork. Returns its number. */
  openPull(
    fullName: string,
    pull: { head: string; base: string; title?: string; headRepository?: string },
  ): number;
  /** Adds a comment to a pull request. Returns its id. */
  addComment(fullName: string, comment: { pull: number; login: string; body: string }): number;
  /** The App of the options; may be changed. */
  readonly app: AppState;
  /** The app that people sign in with; may be changed. */
  readonly oauthApp: OAuthAppState;
  readonly events: Events;
  /** Sets a webhook, of the App or of a repository. */
  addHook(hook: Pick<Hook, 'place' | 'url' | 'secret' | 'events'>): Hook;
  /** Delivers an event of a repository to every webhook that subscribes to it. Resolves when all have answered. */
  deliver(
    event: string,
    payload: { readonly repository: { readonly id: number; readonly full_name: string } },
  ): Promise<void>;
  /** Changes what happens to the requests from now on. */
  interfere(fault: Fault | undefined): void;
  /** The highest number of writing requests that were active at the same time. GitHub asks clients to send one after the other. */
  readonly writesAtOnce: number;
  /** Returns how requests and our answers differed from GitHub's description of its API, and forgets these complaints. */
  takeComplaints(): readonly string[];
  /** Stops the server. Rejects if a request or an answer differed from GitHub's description of its API. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const basePath = '/api/v3';
/** The path of the GraphQL API of GitHub Enterprise Server. */
const queryPath = '/api/graphql';

/** Starts the stand-in on a free loopback port. */
export async function startGitHub(options: GitHubOptions): Promise<GitHub> {
  const state = createState(options);
  for (const { fullName, id } of options.repositories ?? []) state.add(fullName, id);
  const tokens = new Map(Object.entries(options.tokens));
  const requests: RecordedRequest[] = [];
  const { check } = options;
  const limit =
    options.requestsPerHour === undefined
      ? undefined
      : createRequestLimit(options.requestsPerHour, options.now ?? Date.now);
  const contentLimit =
    options.contentLimits && createContentLimit(options.contentLimits, options.now ?? Date.now);
  const complaints: string[] = [];
  const hooks: Hook[] = [];
  const app: AppState | undefined = options.app && {
    events: ['push', 'issue_comment'],
    ...options.app,
    isSuspended: false,
  };
  const oauthApp: OAuthAppState | undefined = options.oauthApp && { ...options.oauthApp, codes: new Map() };
  let fault: Fault | undefined;
  let url = '';
  let writing = 0;
  let writesAtOnce = 0;

  /** Counts the requests that write at the same time, until their answers are sent. */
  function noteWriting(response: ServerResponse): void {
    writing += 1;
    writesAtOnce = Math.max(writesAtOnce, writing);
    response.once('close', () => (writing -= 1));
  }

  async function answer(
    message: IncomingMessage,
    response: ServerResponse,
  ): Promise<Answer | 'drop' | 'hang'> {
    const address = new URL(message.url ?? '/', url);
    const isQuery = address.pathname === queryPath;
    const inside = isQuery || address.pathname.startsWith(`${basePath}/`);
    const request: Request = {
      method: message.method ?? 'GET',
      path: isQuery ? '/graphql' : inside ? address.pathname.slice(basePath.length) : address.pathname,
      query: address.searchParams,
      headers: message.headers,
      body: await readBody(message),
    };
    if (isMutation(request)) noteWriting(response);
    const { reply, lost } = await decide(request, inside);
    if (limit !== undefined && typeof reply !== 'string') {
      const limited = { ...reply, headers: { ...limit.headers(request), ...reply.headers } };
      keep({ ...request, status: reply.status });
      return lost ? 'drop' : limited;
    }
    keep({ ...request, status: typeof reply === 'string' ? 0 : reply.status });
    return lost ? 'drop' : reply;
  }

  function keep(request: RecordedRequest): void {
    requests.push(request);
    if (requests.length > (options.maxRequests ?? Infinity)) requests.shift();
  }

  async function decide(
    request: Request,
    inside: boolean,
  ): Promise<{ reply: Answer | 'drop' | 'hang'; lost: boolean }> {
    const line = `${request.method} ${request.path}`;
    if (inside && check !== undefined && request.path !== '/graphql')
      complaints.push(...check.request(request).map((words) => `${line}: ${words}`));
    const faulty = fault?.(request);
    if (faulty !== undefined && faulty !== 'lose') return { reply: faulty, lost: false };
    const refused = inside ? (limit?.refuse(request) ?? contentLimit?.refuse(request)) : undefined;
    if (refused !== undefined) return { reply: refused, lost: false };
    if (!inside) {
      const signIn = oauthApp === undefined ? undefined : answerSignIn(request, oauthApp, tokens);
      const page = signIn ?? (await answerPage(request, state, url));
      return { reply: page ?? { status: 404, body: 'a web page, not the API' }, lost: faulty === 'lose' };
    }
    const reply = await serve(request, {
      state,
      tokens,
      app,
      hooks,
      url,
      apiUrl: `${url}${basePath}`,
    });
    if (check !== undefined && request.path !== '/graphql')
      complaints.push(...check.answer(request, reply).map((words) => `${line}: ${words}`));
    return { reply, lost: faulty === 'lose' };
  }

  async function respond(message: IncomingMessage, response: ServerResponse): Promise<void> {
    if (message.method !== 'GET' && message.url !== queryPath) noteWriting(response);
    const reply = await answer(message, response);
    if (reply === 'hang') return;
    if (reply === 'drop') {
      message.socket.destroy();
      return;
    }
    const raw = typeof reply.body === 'string';
    response.writeHead(reply.status, {
      'content-type': raw ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
      'x-github-request-id': `STAND:${String(requests.length)}`,
      'x-ratelimit-remaining': '4999',
      ...reply.headers,
    });
    response.end(raw ? reply.body : reply.body === undefined ? undefined : JSON.stringify(reply.body));
  }

  /** The requests that are being answered, also after their callers hung up, because they still read the repositories. */
  const running = new Set<Promise<void>>();
  const server = createServer((message, response) => {
    const responding = respond(message, response).catch((error: unknown) => {
      // A caller that is killed during a request hangs up. Every other error is a fault of this server.
      if (!message.socket.destroyed) complaints.push(`${message.method} ${message.url}: ${String(error)}`);
      message.socket.destroy();
    });
    running.add(responding);
    void responding.finally(() => running.delete(responding));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const bound = server.address();
  url = `http://127.0.0.1:${String(typeof bound === 'object' ? (bound?.port ?? 0) : 0)}`;

  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await Promise.all(running);
    if (options.requireCompletedChecks === true) complaints.push(...openChecks());
    const remaining = [...new Set(takeComplaints())];
    if (remaining.length > 0) throw new Error(`Not as GitHub describes its API:\n${remaining.join('\n')}`);
  }
  const openChecks = (): string[] =>
    [...state.repositories.values()].flatMap(({ checkRuns }) =>
      checkRuns
        .filter(({ status }) => status !== 'completed')
        .map(({ name, status }) => `the check run "${name}" is ${status}, and nobody completed it`),
    );
  function takeComplaints(): readonly string[] {
    return complaints.splice(0);
  }
  /** Whether GitHub drops the deliveries: an App that is suspended or not installed gets none, and they are not listed later. */
  const isCut = ({ place }: Hook): boolean =>
    place === 'app' && (app?.isSuspended === true || app?.installation === undefined);
  const apiUrl = `${url}${basePath}`;
  return {
    url,
    apiUrl,
    requests,
    repository: (fullName) => state.repository(fullName),
    openPull(fullName, { head, base, title = head, headRepository = fullName }) {
      const { pulls } = state.repository(fullName);
      const number = pulls.length + 1;
      pulls.push({ number, title, headRepository, headRef: head, baseRef: base, state: 'open' });
      return number;
    },
    addComment(fullName, { pull, login, body }) {
      const id = state.nextId();
      state.repository(fullName).comments.push({ id, issue: pull, login, body });
      return id;
    },
    get app() {
      if (app === undefined) throw new Error('the stand-in was started without an App');
      return app;
    },
    get oauthApp() {
      if (oauthApp === undefined) throw new Error('the stand-in was started without an app to sign in with');
      return oauthApp;
    },
    events: createEvents({ state, url, apiUrl }),
    addHook(hook) {
      const made: Hook = { ...hook, id: state.nextId(), attempts: [] };
      hooks.push(made);
      return made;
    },
    async deliver(event, payload) {
      const { id: repositoryId, full_name: fullName } = payload.repository;
      const body = JSON.stringify(payload);
      const reported = hooks.filter(
        (hook) => hook.events.includes(event) && ['app', fullName].includes(hook.place) && !isCut(hook),
      );
      await Promise.all(reported.map((hook) => attempt(hook, { event, body, repositoryId })));
    },
    interfere(next) {
      fault = next;
    },
    get writesAtOnce() {
      return writesAtOnce;
    },
    takeComplaints,
    close,
    [Symbol.asyncDispose]: close,
  };
}
