import { type AddCommand, commandAction, defineCommand } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';

/** `millrace mcp`: runs a server of the Model Context Protocol, whose tools only read, until the client ends it. */
export const addMcp: AddCommand = (program, shell) => {
  defineCommand(
    program,
    'mcp',
    'Start the MCP server. Its tools let an assistant read, but change nothing.',
  ).action(
    commandAction<CommonOptions>(shell, async (session, { workingDirectory, config }) => {
      const { serveAssistant } = await import('../../assistant/serve-assistant.ts');
      const common = [
        ...(workingDirectory === undefined ? [] : [`--working-directory=${session.directory}`]),
        ...(config === undefined ? [] : [`--config=${session.configFile}`]),
      ];
      return serveAssistant(session, shell.run, common);
    }),
  );
};
