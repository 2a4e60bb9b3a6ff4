import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readScript } from '../../../worker/store/lua-script.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** What the Lua scripts are called, ours and BullMQ's, by the digest that goes over the wire. */
export async function scriptNames(): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const own = path.join(root, 'worker');
  for (const name of readdirSync(own, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(own, name);
    if (name.endsWith('.lua')) {
      const script = readScript(file);
      names.set(createHash('sha1').update(script.source).digest('hex'), script.name);
    }
    if (!name.endsWith('.ts') || !/^export const \w+ = defineScript\(/m.test(readFileSync(file, 'utf8')))
      continue;
    const loaded = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
    for (const [script, value] of Object.entries(loaded)) {
      if (typeof value === 'object' && value !== null && 'sha1' in value)
        names.set(String(value.sha1), script);
    }
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
