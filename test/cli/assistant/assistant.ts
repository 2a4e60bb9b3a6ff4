import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { nodeVariables } from '../../environment/node-variables.ts';
import { entry } from '../millrace.ts';

/** An assistant: the SDK's client, with `millrace mcp` in a process of its own. */
export interface Assistant extends AsyncDisposable {
  readonly client: Client;
  /** Calls a tool. The text is parsed where it is JSON. */
  call(name: string, input?: Record<string, unknown>): Promise<ToolResult>;
}

export interface ToolResult {
  readonly isError: boolean;
  readonly text: string;
  /** Of a result; empty for an error. */
  readonly json: Record<string, unknown>;
}

export async function startAssistant(
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Assistant> {
  const { PATH = '', HOME = '' } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--', entry, 'mcp'],
    cwd,
    env: { PATH, HOME, ...nodeVariables(), ...environment },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    async call(name, input = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: input });
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      return { isError, text, json: isError ? {} : (JSON.parse(text) as Record<string, unknown>) };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
