import { once } from 'node:events';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { type ExitCode, exitCodes } from '../../lib/core/outcomes/outcome.ts';
import { version } from '../../lib/core/values/version.ts';
import { asFailure } from '../kit/as-failure.ts';
import { messageProblem, protocolFailure } from '../kit/servers/protocol-failure.ts';
import type { Session } from '../kit/session.ts';
import { untilAborted } from '../kit/servers/until-aborted.ts';
import { type RunCommand, runTool } from './run-tool.ts';
import { type Tool, tools } from './tools.ts';

const instructions =
  'Reads a data-pipeline project and the state of its delivery. No tool changes anything. Start with review and lanes.';

/**
 * Serves the Model Context Protocol on stdin and stdout until the client closes stdin. `common`: options that each command gets,
 * with whole paths: commands run in the folder of the project.
 */
export async function serveAssistant(
  { io, directory, output, redact }: Session,
  run: RunCommand,
  common: readonly string[],
): Promise<ExitCode> {
  // One at a time: a review of a large project takes all of a core, and a test much memory.
  let last: Promise<unknown> = Promise.resolve();
  const call = async (tool: Tool, input: unknown, cancel: AbortSignal) => {
    const turn = last.then(async () => {
      cancel.throwIfAborted();
      const signal = AbortSignal.any([io.signal, cancel]);
      const [command = '', ...rest] = tool.commandLine(input);
      // The files of a tool are relative to the project, wherever the client started the server.
      return runTool({ ...io, cwd: directory, signal }, run, [command, ...common, ...rest]);
    });
    last = turn.catch(() => {});
    const { text, isError } = await turn;
    return { content: [{ type: 'text' as const, text: redact(text) }], isError };
  };
  const handle = serveStdio(() => createServer(call), {
    transport: new StdioServerTransport(io.stdin, io.stdout),
    onerror(error) {
      const problem = messageProblem(error);
      output.failure(
        problem === undefined ? asFailure(error, io.signal) : protocolFailure('assistant', problem),
      );
    },
  });
  await Promise.race([once(io.stdin, 'close'), once(io.stdin, 'end'), untilAborted(io.signal)]);
  await handle.close();
  // An open pipe would keep the process alive.
  io.stdin.destroy();
  return exitCodes.done;
}

type Call = (
  tool: Tool,
  input: unknown,
  cancel: AbortSignal,
) => Promise<{ content: { type: 'text'; text: string }[]; isError: boolean }>;

function createServer(call: Call): McpServer {
  const server = new McpServer({ name: 'millrace', version }, { capabilities: { tools: {} }, instructions });
  for (const tool of tools) {
    const { name, title, description, input, asksServer } = tool;
    const annotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: asksServer };
    server.registerTool(name, { title, description, inputSchema: input, annotations }, (args, context) =>
      call(tool, args, context.mcpReq.signal),
    );
  }
  return server;
}
