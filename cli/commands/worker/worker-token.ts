import { createHash, randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { act, define, type Shell } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';

/** `millrace worker token`: a token for an operator, and the hash that stands for it in worker.yaml. */
export function addWorkerToken(worker: Command, shell: Shell): void {
  // What stands behind the command's name is the command's own.
  worker.parent?.enablePositionalOptions();
  worker.enablePositionalOptions();
  define(
    worker,
    'token',
    'Make a token for an operator, and the hash of it that goes into worker.yaml.',
  ).action(
    act<CommonOptions>(shell, async (session) => {
      // 256 bits: nobody guesses it, so that a plain digest is safe to write down.
      const token = `mrw_${randomBytes(32).toString('base64url')}`;
      const hash = `sha256:${createHash('sha256').update(token).digest('hex')}`;
      session.output.result({ token, hash }, [
        `token:      ${token}`,
        `token-hash: ${hash}`,
        'Give the token to the operator, who sets MILLRACE_WORKER_TOKEN to it; it is shown only now.',
        'The hash goes into `operators` of worker.yaml.',
      ]);
      return 'passed';
    }),
  );
}
