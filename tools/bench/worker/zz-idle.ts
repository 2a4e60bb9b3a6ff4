import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createWorkerEnvironment, noLimits, deliver } from '/work/main/test/environment/worker/worker-environment.ts';
import { startBenchRedis, cpuMs } from '/work/main/tools/bench/worker/bench-redis.ts';
import { connectRedis } from '/work/main/lib/redis/redis-connection.ts';
import { until } from '/work/main/tools/bench/worker/until.ts';
const lanes = `
  - name: to-test
    on: { push: { tags: ["v*"] } }
    from: dev
    to: test
    verify: [{ pipeline: daily/load, timeout: 1m }]
`;
await using redis = await startBenchRedis();
const env = await createWorkerEnvironment({ lanes });
const options = { redis: redis.address, settings: { prefix: env.prefix, githubLimits: noLimits, pollScale: 0.05 }, platform: env.wire.baseUrl, token: env.platform.tokens.admin, github: env.github.apiUrl };
const child = spawn(process.execPath, ['/work/main/test/worker/crash/worker-process.ts', JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
const [line] = (await once(child.stdout!, 'data')) as [Buffer];
const url = line.toString().trim();
const c = connectRedis({ address: redis.address, role: 'worker' });
const mon = await c.monitor();
let log: string[] = []; let t0 = performance.now();
mon.on('monitor', (_t: string, args: string[], src: string) => { log.push(`${((performance.now()-t0)).toFixed(0)} ${src === 'lua' ? '  lua' : 'CMD'} ${args.map(a=>a.slice(0,60)).slice(0,6).join(' ')}`); });
for (let i = 0; i < 4; i++) {
  const version = `v1.0.${i}`;
  const commit = await env.repository.commit('main', { 'notes.txt': version });
  await env.repository.tag(version, commit); await env.publish(version, commit);
  const push = await env.push(`refs/tags/${version}`);
  await delay(500); log = []; t0 = performance.now();
  await deliver(url, push);
  await until(() => env.status(commit, 'millrace/to-test')?.startsWith('success') === true, 30_000);
  if (i === 3) { console.log('PROMOTION ms', performance.now() - t0, 'cmds', log.filter(l=>l.includes('CMD')).length); console.log(log.filter(l => l.includes('CMD')).join('\n')); }
}
await delay(3000); log = []; t0 = performance.now(); const b = cpuMs(child.pid!);
await delay(10_000);
console.log('IDLE cpu ms/s', (cpuMs(child.pid!) - b) / 10, 'cmds', log.filter(l=>l.includes('CMD')).length);
console.log(log.filter(l => l.includes('CMD')).join('\n'));
mon.disconnect(); c.disconnect(); child.kill('SIGTERM'); await once(child, 'exit'); await env[Symbol.asyncDispose](); process.exit(0);
