import { type AddCommand, commandAction, defineCommand } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';

/** `millrace lsp`: runs a language server on stdin and stdout until the editor ends it. */
export const addLsp: AddCommand = (program, shell) => {
  defineCommand(program, 'lsp', 'Start the language server, which shows findings in an editor.')
    .option('--stdio', 'accepted because many editors add it; the server always uses stdin and stdout')
    .action(
      commandAction<CommonOptions>(shell, async (session) => {
        const { serveLanguage } = await import('../../language-server/serve-language.ts');
        return serveLanguage(session);
      }),
    );
};
