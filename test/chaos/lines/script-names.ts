import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { addJob, endAndDelayJob, replaceDelayedJob, takeNextJob } from '../../../worker/queue/fragments.ts';
import { readScript } from '../../../lib/redis/scripts/lua-script.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** What of the queue comes before a script. */
const before = new Map([
  ['keep-events', addJob],
  ['enqueue-advance', addJob],
  ['end-and-delay', endAndDelayJob],
  ['take-advance', takeNextJob],
  ['take-job', takeNextJob],
  ['record', replaceDelayedJob],
  ['finish', replaceDelayedJob],
  ['accept', addJob],
]);

/** What the Lua scripts are called, ours and BullMQ's, by the digest that goes over the wire. */
export function scriptNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const own = path.join(root, 'worker');
  for (const file of readdirSync(own, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.lua')) continue;
    const { name, source } = readScript(path.join(own, file));
    const text = (before.get(name) ?? '') + source;
    names.set(createHash('sha1').update(text).digest('hex'), name);
  }
  const bullmq = path.join(path.dirname(createRequire(import.meta.url).resolve('bullmq')), '../esm/scripts');
  for (const file of readdirSync(bullmq).filter((name) => /-\d+\.js$/.test(name))) {
    const content = /const content = `([\s\S]*?)`;\nexport/.exec(
      readFileSync(path.join(bullmq, file), 'utf8'),
    )?.[1];
    if (content === undefined) continue;
    const source = content.replaceAll('\\`', '`').replaceAll('\\${', '${').replaceAll('\\\\', '\\');
    names.set(createHash('sha1').update(source).digest('hex'), `bullmq ${file.replace(/-\d+\.js$/, '')}`);
  }
  return names;
}
