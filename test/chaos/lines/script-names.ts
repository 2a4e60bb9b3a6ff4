import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.resolve(import.meta.dirname, '../../..');

/** What the Lua scripts are called, ours and BullMQ's, by the digest that goes over the wire. */
export async function scriptNames(): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const own = path.join(root, 'worker/lanes/scripts');
  for (const file of readdirSync(own).filter((name) => name.endsWith('.ts'))) {
    const loaded = (await import(pathToFileURL(path.join(own, file)).href)) as Record<string, unknown>;
    for (const [name, script] of Object.entries(loaded)) {
      if (typeof script === 'object' && script !== null && 'sha1' in script)
        names.set(String(script.sha1), name);
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
