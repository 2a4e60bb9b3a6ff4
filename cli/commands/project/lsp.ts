import { type AddCommand, commandAction, defineCommand } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';

/** `millrace lsp`: a language server for editors, until the editor ends it. */
export const addLsp: AddCommand = (program, shell) => {
  defineCommand(program, 'lsp', 'Start the language server, which shows findings in an editor.')
    .option('--stdio', 'talk over stdin and stdout, as always: many editors add this option')
    .action(
      commandAction<CommonOptions>(shell, async (session) => {
        const { serveLanguage } = await import('../../language-server/serve-language.ts');
        return serveLanguage(session);
      }),
    );
};
