import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import {
  addDelayedJobFunction,
  addStandardJobFunction,
  moveToActiveFunction,
  moveToDelayedFunction,
  removeJobFunction,
} from '../../../worker/store/queue/bullmq-functions.ts';
import { readScript } from '../../../worker/store/scripts/lua-script.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** What of BullMQ comes before a script. */
const before = new Map([
  ['keep-events', addStandardJobFunction],
  ['enqueue-advance', addStandardJobFunction],
  ['end-and-delay', moveToDelayedFunction],
  ['take-advance', moveToActiveFunction],
  ['take-job', moveToActiveFunction],
  ['record', addDelayedJobFunction + removeJobFunction],
  ['finish', addDelayedJobFunction + removeJobFunction],
  ['accept', addStandardJobFunction],
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
