import { z } from 'zod';

/** The package that runs pipelines: `actions/test` installs it, with what it needs. */
const engine = '@duckdb/node-api';

const names = z.record(z.string(), z.string()).default({});
const lockedSchema = z.looseObject({
  version: z.string(),
  integrity: z.string(),
  dependencies: names,
  optionalDependencies: names,
});
const lockSchema = z.object({ packages: z.record(z.string(), z.looseObject({})) });

/**
 * `package.json` and `package-lock.json` of the engine alone, from the lock file of the repository: so users get the
 * versions that the tests ran with, and npm compares the digest of every package.
 */
export function engineLock(lock: string): Record<'package.json' | 'package-lock.json', string> {
  const { packages } = lockSchema.parse(JSON.parse(lock));
  const locked = new Map<string, object>();
  const add = (name: string, isOptional: boolean): string => {
    const place = `node_modules/${name}`;
    const entry = packages[place] ?? {};
    const { version, dependencies, optionalDependencies } = lockedSchema.parse(entry);
    // In the repository, the whole engine is optional; here, only the native libraries of other systems are.
    const { optional: _, devOptional: __, ...rest } = entry;
    locked.set(place, isOptional ? { ...rest, optional: true } : rest);
    for (const needed of Object.keys(dependencies)) add(needed, isOptional);
    for (const needed of Object.keys(optionalDependencies)) add(needed, true);
    return version;
  };
  const manifest = { name: 'millrace-engine', private: true, dependencies: { [engine]: add(engine, false) } };
  const sorted = [...locked].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify({
      name: manifest.name,
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: manifest.name, dependencies: manifest.dependencies },
        ...Object.fromEntries(sorted),
      },
    }),
  };
}
