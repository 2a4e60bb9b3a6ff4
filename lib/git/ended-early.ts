import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { Failure } from '../core/failure.ts';
import { gitFailure } from './run-git.ts';

/** More than git says before it gives up. */
const maxMessageLength = 16 * 1024;

/** Listens to what a git process complains about, for the Failure 'git-failed' should it end before all was read. */
export function endedEarly({ stderr }: ChildProcessWithoutNullStreams): () => Failure {
  let words = '';
  stderr.on('data', (chunk: Buffer) => {
    if (words.length < maxMessageLength) words += chunk.toString();
  });
  return () =>
    words.trim() === ''
      ? new Failure('git-failed', { message: 'Git ended while a file was being read.' })
      : gitFailure('the content of a file', words);
}
