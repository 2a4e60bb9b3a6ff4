import type { WorkerConfig } from '../../lib/config/read-worker-config.ts';

/** What is used only at the start, by its key in worker.yaml. */
const restartKeys: Readonly<Record<string, (config: WorkerConfig) => unknown>> = {
  'github.api-url': ({ github }) => github.apiUrl,
  'github.token-env': ({ github }) => github.tokenEnv,
  'github.token-file': ({ github }) => github.tokenFile,
  'github.app-id': ({ github }) => github.appId,
  'github.app-key-file': ({ github }) => github.appKeyFile,
  'empty-redis': (config) => config['empty-redis'],
};

/** The keys at the top of worker.yaml whose values differ. */
export function changedKeys(before: WorkerConfig, after: WorkerConfig): readonly string[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((key) => old.get(key) !== now.get(key));
}

/** The keys whose change takes effect only after a restart. */
export function changedRestartKeys(before: WorkerConfig, after: WorkerConfig): readonly string[] {
  return Object.entries(restartKeys)
    .filter(([, valueOf]) => valueOf(before) !== valueOf(after))
    .map(([key]) => key);
}

/** Without `placeOf`, which the file does not contain. */
function valuesOf(config: WorkerConfig): ReadonlyMap<string, string> {
  const values = Object.entries(config).filter(([, value]) => typeof value !== 'function');
  return new Map(values.map(([key, value]) => [key, JSON.stringify(value) ?? '']));
}
