import { createHash, randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { commandAction, defineCommand, type Shell } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';

/** `millrace worker token`: creates a token for an operator, and its hash for worker.yaml. */
export function addWorkerToken(worker: Command, shell: Shell): void {
  // Options after the subcommand's name belong to the subcommand.
  worker.parent?.enablePositionalOptions();
  worker.enablePositionalOptions();
  defineCommand(worker, 'token', 'Create a token for an operator, and its hash for worker.yaml.').action(
    commandAction<CommonOptions>(shell, async (session) => {
      // 256 random bits cannot be guessed, so a plain digest is safe to store.
      const token = `mrw_${randomBytes(32).toString('base64url')}`;
      const hash = `sha256:${createHash('sha256').update(token).digest('hex')}`;
      session.output.result({ token, hash }, [
        `token:      ${token}`,
        `token-hash: ${hash}`,
        'Give the token to the operator, who sets MILLRACE_WORKER_TOKEN to it. It is not shown again.',
        'Add the hash to `operators` in worker.yaml.',
      ]);
      return 'passed';
    }),
  );
}
