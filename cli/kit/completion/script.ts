import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import type { CompletedCommand } from './model.ts';
import { zshScript } from './zsh.ts';

/**
 * The completion script for a shell: `bash`, `zsh` or `fish`. The script has all words in it, and does not start
 * Millrace.
 */
export function completionScript(shell: string, commands: readonly CompletedCommand[]): string {
  switch (shell) {
    case 'zsh':
      return zshScript(commands);
    case 'fish':
      return fishScript(commands);
    default:
      return bashScript(commands);
  }
}
