import path from 'node:path';
import { mergeBlobs } from '../../flows/pipeline-tests/shards/merge-blobs.ts';
import { readTextFile } from '../../lib/core/files/read-text-file.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { messageOf } from '../../lib/core/errors/message-of.ts';
import type { ExitCode, Outcome } from '../../lib/core/outcomes/outcome.ts';
import type { CommonOptions, Session } from '../kit/session.ts';
import { refuseFormat } from './refuse-format.ts';
import { reportTests } from './report-tests.ts';
import type { wholeFormats } from './test-options.ts';

export interface MergeOptions extends CommonOptions {
  readonly format?: (typeof wholeFormats)[number];
  readonly writeDurations?: string;
}

/** `millrace test merge`: reports the tests of all shards. Throws Failure 'blob-invalid'. */
export async function mergeShards(
  session: Session,
  options: MergeOptions,
  ...names: readonly string[]
): Promise<Outcome | ExitCode> {
  const { json, format, writeDurations } = options;
  refuseFormat({ json, format });
  const files = await Promise.all(
    names.map(async (name) => ({ name, text: await readBlobFile(path.resolve(session.io.cwd, name), name) })),
  );
  return reportTests(session, mergeBlobs(files).report, { json, format, writeDurations });
}

async function readBlobFile(file: string, name: string): Promise<string> {
  try {
    return await readTextFile(file, name);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure('blob-invalid', {
      message: `The file cannot be read: ${messageOf(cause)}.`,
      where: { file: name },
      cause,
    });
  }
}
