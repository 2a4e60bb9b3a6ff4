import path from 'node:path';
import { readTextFile, readTextFileSync } from '../../lib/core/files/read-text-file.ts';
import type { WorkerConfig } from '../../lib/config/worker/read-worker-config.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { SecretReader } from './github-access.ts';
import type { Session } from '../kit/session.ts';

/**
 * Reads and validates `worker.yaml`. `option`: the option that names the file on the command line. Throws Failure
 * 'config-missing', 'config-invalid'.
 */
export async function readWorkerFile(
  session: Pick<Session, 'io'>,
  file: string,
  option = '--config',
): Promise<WorkerConfig> {
  return parseWorkerFile(await readWorkerText(session, file, option), file);
}

/** Validates the text of `worker.yaml`. Throws Failure 'config-invalid'. */
export async function parseWorkerFile(text: string, file: string): Promise<WorkerConfig> {
  const { readWorkerConfig } = await import('../../lib/config/worker/read-worker-config.ts');
  return readWorkerConfig(text, file);
}

/**
 * Reads the text of `worker.yaml`. Throws Failure 'config-missing', and 'config-invalid' for a file that is not
 * text.
 */
export async function readWorkerText(
  { io }: Pick<Session, 'io'>,
  file: string,
  option = '--config',
): Promise<string> {
  const full = path.resolve(io.cwd, file);
  try {
    return await readTextFile(full, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    throw new Failure('config-missing', {
      message: `This file does not exist in ${path.dirname(full)}. The worker needs it: it lists the repositories.`,
      where: { file },
      hint: `Create the file from the example in docs/worker.md of the package (node_modules/millrace/docs), or name another file with ${option}. To try the worker without one, run \`millrace worker --demo\`.`,
    });
  }
}

/** Returns a function that reads the secrets that `worker.yaml` refers to by variable or file. */
export function secretReader({ io, mask }: Pick<Session, 'io' | 'mask'>): SecretReader {
  return {
    read(variable, file) {
      if (variable !== undefined) return io.env[variable];
      if (file === undefined) return undefined;
      try {
        return readTextFileSync(path.resolve(io.cwd, file), file).trim();
      } catch (cause) {
        if (cause instanceof Failure) throw cause;
        throw new Failure('config-missing', {
          message: `Cannot read the file ${file}, which worker.yaml refers to.`,
          hint: 'Create the file, make it readable for the worker, or correct its path in worker.yaml.',
          where: { file },
          cause,
        });
      }
    },
    mask: (values) => mask(values),
  };
}
