import { orchestration } from '../environment/orchestration.ts';
import { type Platform, type PlatformOptions, startPlatform } from '../../platform/index.ts';
import { type ManualClock, manualClock } from '../environment/clock.ts';

/** What came back: plain, as every HTTP client sees it. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Tests look into bodies of every shape, literal against literal.
  readonly body: unknown;
}

export interface Extra {
  readonly token?: string;
  readonly headers?: Record<string, string>;
}

/** A platform on a free port with a frozen clock, and plain requests to it: no client, no contract. */
export interface Talk extends AsyncDisposable {
  readonly platform: Platform;
  readonly clock: ManualClock;
  /** `/v1/projects/<the seed's project>` */
  readonly project: string;
  send(method: string, path: string, body?: unknown, extra?: Extra): Promise<Answer>;
  get(path: string, extra?: Extra): Promise<Answer>;
  post(path: string, body?: unknown, extra?: Extra): Promise<Answer>;
  patch(path: string, body?: unknown, extra?: Extra): Promise<Answer>;
  delete(path: string, extra?: Extra): Promise<Answer>;
  /** Creates an artifact from files by their paths. */
  publish(version: string, files?: Record<string, string>, headers?: Record<string, string>): Promise<Answer>;
}

export async function talk(options: PlatformOptions = {}): Promise<Talk> {
  const clock = manualClock();
  const platform = await startPlatform({ clock, checkAnswers: true, ...options });
  const project = `/v1/projects/${platform.projectId}`;
  const send: Talk['send'] = async (method, path, body, { token, headers } = {}) => {
    const bearer = token ?? platform.tokens.superAdmin;
    const raw = body instanceof FormData || body instanceof URLSearchParams || typeof body === 'string';
    const response = await fetch(platform.baseUrl + path, {
      method,
      headers: {
        ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
        ...(raw || body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  return {
    platform,
    clock,
    project,
    send,
    get: (path, extra) => send('GET', path, undefined, extra),
    post: (path, body, extra) => send('POST', path, body, extra),
    patch: (path, body, extra) => send('PATCH', path, body, extra),
    delete: (path, extra) => send('DELETE', path, undefined, extra),
    publish: (version, files = { 'daily/load.orch.yaml': orchestration }, headers = {}) =>
      send('POST', `${project}/artifacts`, form(files), {
        headers: { versionName: version, environmentName: 'dev', commitHash: 'a1b2c3d', ...headers },
      }),
    [Symbol.asyncDispose]: () => platform.close(),
  };
}

/** One part per file, its key the path (spec §4.3). */
export function form(files: Record<string, string | Uint8Array<ArrayBuffer>>): FormData {
  const data = new FormData();
  for (const [path, content] of Object.entries(files))
    data.append(path, new Blob([content], { type: 'text/plain' }), path.split('/').at(-1));
  return data;
}

/** The `results` of a paged answer. */
export function resultsOf(answer: Answer): Record<string, unknown>[] {
  return (answer.body as { results: Record<string, unknown>[] }).results;
}

/** One field of an answer's body. */
export function field(answer: Answer, name: string): string {
  return String((answer.body as Record<string, unknown>)[name]);
}
