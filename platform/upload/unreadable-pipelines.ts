import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { decodePipeline } from '../../lib/pipelines/model/read-pipeline.ts';
import type { UploadedFile } from './receive-upload.ts';

/** A file of an upload that does not become part of the artifact (unknowns §3). */
export interface IgnoredResource {
  readonly name: string;
  readonly reason: string;
}

/** The maximum size of a pipeline that is read, in bytes. The largest real one has 82 KB (unknowns §5). */
export const readableBytes = 4 * 1024 ** 2;

/** The problem of a content, by its SHA-256, because versions share most of their files. Empty if there is none. */
const verdicts = new Map<string, string>();
const maxVerdicts = 20_000;

/** Finds pipelines that cannot be read. They are left out of the artifact, and reported. */
export async function unreadablePipelines(files: readonly UploadedFile[]): Promise<IgnoredResource[]> {
  const ignored: IgnoredResource[] = [];
  for (const file of files) {
    if (kindOf(file.path) === undefined) continue;
    const cached = verdicts.get(file.sha256);
    const reason = cached ?? judge(file);
    if (cached === undefined) {
      remember(file.sha256, reason);
      // Parsing takes longest, so yield to other requests between two files.
      await yieldToOthers();
    }
    if (reason !== '') ignored.push({ name: file.path, reason });
  }
  return ignored;
}

function judge(file: UploadedFile): string {
  if (file.bytes > readableBytes) return 'The pipeline is larger than 4 MiB';
  const [problem] = decodePipeline(file.path, file.content()).problems;
  return problem === undefined
    ? ''
    : `Line ${String(problem.line)}, column ${String(problem.column)}: ${problem.message}`;
}

function remember(sha256: string, reason: string): void {
  if (verdicts.size >= maxVerdicts) verdicts.clear();
  verdicts.set(sha256, reason);
}
