import { messageOf } from '../../lib/core/errors/message-of.ts';
import type { WorkerConfig } from '../../lib/config/worker/read-worker-config.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Clock, Logger } from '../../lib/core/ports/ports.ts';
import type { NotifyTarget } from '../reporting/webhook/create-notifier.ts';
import type { ConfigRefusal, CurrentConfig } from '../settings/current-config.ts';

/** What is used only at the start, by its key in worker.yaml. */
const restartKeys: Readonly<Record<string, (config: WorkerConfig) => unknown>> = {
  'github.api-url': ({ github }) => github.apiUrl,
  'github.token-env': ({ github }) => github.tokenEnv,
  'github.token-file': ({ github }) => github.tokenFile,
  'github.app-id': ({ github }) => github.appId,
  'github.app-key-file': ({ github }) => github.appKeyFile,
  'empty-redis': (config) => config['empty-redis'],
  'state-directory': (config) => config['state-directory'],
};

/** The configuration in `worker.yaml`, and the targets of notifications that it refers to. */
export interface WorkerSetup {
  readonly config: WorkerConfig;
  /** None by default. */
  readonly notify?: readonly NotifyTarget[] | undefined;
}

/** The file `worker.yaml`, which the worker reads again when it changes. */
export interface ConfigFile {
  /** For messages. */
  readonly name: string;
  /** Its text at the start of the worker. */
  readonly text: string;
  /** Its text now. */
  readText(): Promise<string>;
  /** Validates a text and everything that it refers to. Throws Failure. */
  load(text: string): WorkerSetup | Promise<WorkerSetup>;
  /** Calls the listener when an operator asks to read the file now. */
  readonly onRequest?: ((listener: () => void) => void) | undefined;
}

/** Gives the current setup of the worker, and follows changes of `worker.yaml`. */
export interface ConfigWatcher extends CurrentConfig {
  readonly notify: readonly NotifyTarget[];
  /**
   * Reads the file and uses it if it changed and is valid; otherwise the worker keeps what it has. `at-once`: even if it
   * may still be being written. Never rejects.
   */
  check(when?: 'at-once'): Promise<void>;
}

interface WatcherContext {
  readonly start: WorkerSetup;
  /** Without a file, the setup never changes. */
  readonly file: ConfigFile | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

type Reading = { readonly text: string } | { readonly error: unknown };

export function createConfigWatcher({ start, file, clock, logger }: WatcherContext): ConfigWatcher {
  let current = start;
  let usedText = file?.text;
  let lastRead = file?.text;
  let refused: ConfigRefusal | undefined;
  let afterRestart: readonly string[] = [];

  function refuse(error: unknown, name: string): void {
    const where = error instanceof Failure ? error.where : undefined;
    const reason = messageOf(error);
    const { line = null, column = null, file: place = name } = where ?? {};
    if (refused?.reason === reason && refused.line === line && refused.column === column) return;
    refused = { file: place, line, column, reason, since: refused?.since ?? clock.now() };
    logger.error('The changed worker.yaml is refused. The worker keeps the previous configuration.', {
      file: place,
      line,
      column,
      reason,
    });
  }

  function use(setup: WorkerSetup, text: string): void {
    const changed = changedKeys(current.config, setup.config);
    const later = changedRestartKeys(start.config, setup.config);
    const isNew = later.some((key) => !afterRestart.includes(key));
    current = setup;
    usedText = text;
    refused = undefined;
    afterRestart = later;
    logger.info('worker.yaml was read again and is in use.', { changed });
    if (isNew)
      logger.warn('worker.yaml has a change that takes effect only after a restart of the worker.', {
        keys: later,
      });
  }

  async function useReading(reading: Reading, { name, load }: ConfigFile): Promise<void> {
    if ('error' in reading) return refuse(reading.error, name);
    // A refused file is tried again: it may have lacked only a variable or a file.
    if (reading.text === usedText && refused === undefined) return;
    try {
      use(await load(reading.text), reading.text);
    } catch (error) {
      refuse(error, name);
    }
  }

  return {
    get config() {
      return current.config;
    },
    get notify() {
      return current.notify ?? [];
    },
    get status() {
      return { refused, afterRestart };
    },
    async check(when) {
      if (file === undefined) return;
      const reading = await read(file);
      const content = 'text' in reading ? reading.text : `error: ${messageOf(reading.error)}`;
      const isSame = content === lastRead;
      lastRead = content;
      // Two readings must agree: the first half of a file that is being written may be valid, and would deny what the
      // second half allows.
      if (isSame || when === 'at-once') await useReading(reading, file);
    },
  };
}

async function read(file: ConfigFile): Promise<Reading> {
  try {
    return { text: await file.readText() };
  } catch (error) {
    return { error };
  }
}

/** The keys at the top of worker.yaml whose values differ. */
function changedKeys(before: WorkerConfig, after: WorkerConfig): readonly string[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((key) => old.get(key) !== now.get(key));
}

/** The keys whose change takes effect only after a restart. */
function changedRestartKeys(before: WorkerConfig, after: WorkerConfig): readonly string[] {
  return Object.entries(restartKeys)
    .filter(([, valueOf]) => valueOf(before) !== valueOf(after))
    .map(([key]) => key);
}

/** Without `placeOf`, which the file does not contain. */
function valuesOf(config: WorkerConfig): ReadonlyMap<string, string> {
  const values = Object.entries(config).filter(([, value]) => typeof value !== 'function');
  return new Map(values.map(([key, value]) => [key, JSON.stringify(value) ?? '']));
}
