import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { Failure } from '../../core/errors/failure.ts';
import { gitFailure } from './run-git.ts';

/** Longer than any message that git writes before it ends. */
const maxMessageLength = 16 * 1024;

/** Collects the error output of a git process, for the Failure 'git-failed' if it ends before everything was read. */
export function endedEarly({ stderr }: ChildProcessWithoutNullStreams): () => Failure {
  let words = '';
  stderr.on('data', (chunk: Buffer) => {
    if (words.length < maxMessageLength) words += chunk.toString();
  });
  return () =>
    words.trim() === ''
      ? new Failure('git-failed', {
          message: 'Git ended while a file was being read.',
          hint: 'Try again. If Git ends early again, `git fsck` shows whether the repository is damaged.',
        })
      : gitFailure('read the content of a file', words);
}
