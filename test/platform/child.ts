import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Seed } from '../../platform/index.ts';
import { nodeVariables } from '../environment/node-variables.ts';
import { entryOf } from '../environment/processes/entry.ts';
import { firstOutput } from '../environment/processes/first-output.ts';
import type { Answer } from './talk.ts';

export interface Child extends AsyncDisposable {
  readonly project: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Kills it without a word of warning, and waits until it has ended. */
  kill(): Promise<void>;
}

/** Serves a directory from a process of its own. `shell` comes before the command, for limits. */
export async function serve(data: string, shell = '', seed?: Seed): Promise<Child> {
  const command = `${shell} exec "$0" "$@"`;
  const given = seed === undefined ? [] : [JSON.stringify(seed)];
  const child = spawn(
    'sh',
    ['-c', command, process.execPath, entryOf('test/platform/serve'), data, ...given],
    {
      env: { ...process.env, ...nodeVariables() },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  const { baseUrl, projectId, token } = JSON.parse(await firstOutput(child)) as {
    readonly baseUrl: string;
    readonly projectId: string;
    readonly token: string;
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return {
    project: `/v1/projects/${projectId}`,
    async send(method, path, body, headers = {}) {
      const raw = body instanceof FormData;
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(raw || body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
