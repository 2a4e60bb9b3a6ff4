import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RedisAddress } from '../../../../lib/redis/address/redis-address.ts';
import { release, twoLanes } from '../../../environment/worker/lanes-at-work.ts';
import { delivery } from '../../../environment/worker/worker-environment.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { promotionsIn, untilQuiet } from '../../environment/promotions-in.ts';
import { type TrialEnvironment, createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until } from '../../environment/until.ts';
import { mustHold, type Trial } from '../../trial.ts';

/** A server that the worker must never call. */
async function openTrap(): Promise<
  AsyncDisposable & { readonly url: string; readonly calls: readonly string[] }
> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A payload with a foreign address in every field that can hold one, and in some that do not exist. */
function withForeignAddresses(
  payload: Record<string, unknown>,
  trap: string,
  i: number,
): Record<string, unknown> {
  const bait = [
    trap,
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
    'http://[::1]:1/',
    'gopher://127.0.0.1:1/',
  ];
  const at = (n: number): string => bait[(i + n) % bait.length] ?? trap;
  const names =
    'url html_url git_url ssh_url clone_url svn_url mirror_url hooks_url statuses_url commits_url git_refs_url trees_url compare_url contents_url deployments_url downloads_url events_url branches_url tags_url archive_url blobs_url';
  const repository = {
    ...(payload['repository'] as object),
    ...Object.fromEntries(names.split(' ').map((name, n) => [name, at(n)])),
    owner: { login: 'example', avatar_url: at(1), url: at(2) },
  };
  return {
    ...payload,
    repository,
    compare: at(0),
    base_ref: at(1),
    sender: { login: 'octocat', id: 1, avatar_url: at(2), url: at(3) },
    pusher: { name: at(4), email: at(0) },
    organization: { login: 'example', url: at(1), hooks_url: at(2) },
    installation: { id: 1, access_tokens_url: at(3) },
    head_commit: {
      // The worker waits until GitHub shows it.
      id: payload['after'],
      url: at(0),
      message: `see ${at(1)}`,
      author: { name: at(2), email: at(3) },
    },
    commits: [{ id: payload['after'], url: at(4), added: ['../../etc/passwd', '$(curl x)'] }],
  };
}

const hostOf = (url: string): string => new URL(url).host;
const portOf = (address: RedisAddress): string => (address.kind === 'url' ? hostOf(address.url) : '');

export const foreignAddresses: Trial = {
  id: 'T13',
  title: 'Payloads full of foreign addresses; a platform and a GitHub that redirect to other hosts',
  criterion: 'the worker connects only to the three configured addresses',
  async run({ form, scale }) {
    const versions = form === 'short' ? 3 : Math.max(5, Math.round(15 * scale));
    await using trap = await openTrap();
    await using server = await startRedisServer();
    await using env = await createTrialEnvironment(server, { lanes: twoLanes });
    const worker = await env.start();
    let redirects = 0;
    for (let i = 1; i <= versions; i += 1) {
      const version = `v1.${i}.0`;
      await release(env.services, version);
      redirects += redirect(env, i, trap.url);
      const payload = await env.services.github.events.push('example/warehouse', `refs/tags/${version}`);
      const baited = delivery('push', withForeignAddresses({ ...payload }, trap.url, i));
      mustHold((await env.send(worker.url, baited)) === 202, 'the push is taken');
      await until('its promotions are over', async () => {
        const promotions = await promotionsIn(env);
        const own = promotions.filter((promotion) => promotion.version === version);
        return own.length > 0 && own.every(({ state }) => state === 'finished');
      });
    }
    env.services.github.interfere(undefined);
    env.services.platform.faults.clear();
    await untilQuiet(env, 90_000);
    const { connections } = await worker.observed();
    const allowed = [portOf(env.redisLine.address), hostOf(env.lines.platform), hostOf(env.lines.github)];
    const foreign = connections.filter((target) => !allowed.includes(target));
    mustHold(trap.calls.length === 0, `the trap was called: ${trap.calls.join(', ')}`);
    mustHold(foreign.length === 0, `connections to ${foreign.join(', ')}`);
    mustHold(connections.length === 3, `seen: ${connections.join(', ')}`);
    return {
      pushes: versions,
      redirects: redirects,
      'addresses connected to': connections.length,
      'foreign connections': foreign.length,
    };
  },
};

/** For every other version, a service redirects once to another host. */
function redirect({ services }: TrialEnvironment, i: number, trap: string): number {
  const elsewhere = i % 2 === 0 ? 'http://169.254.169.254/latest/meta-data' : trap;
  if (i % 3 === 1) {
    services.platform.faults.set([
      { operation: 'executions.get', times: 1, status: 302, headers: { location: elsewhere } },
      { operation: 'artifacts.list', times: 1, status: 307, headers: { location: `${elsewhere}/artifacts` } },
    ]);
    return 2;
  }
  if (i % 3 === 2) {
    let left = 1;
    services.github.interfere(({ method, path }) => {
      if (left === 0 || method !== 'GET' || !path.includes('/git/ref/')) return undefined;
      left -= 1;
      return { status: 301, headers: { location: `${elsewhere}/ref` }, body: { message: 'Moved' } };
    });
    return 1;
  }
  return 0;
}
