import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  type ClientCapabilities,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  type InitializeParams,
  type InitializeResult,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type TextDocumentContentChangeEvent,
} from 'vscode-languageserver-protocol/node';
import { runCli } from '../../../cli/run-cli.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { nodeVariables } from '../../environment/node-variables.ts';
import { entry } from '../millrace.ts';

/** An editor: the client of the protocol library, connected to `millrace lsp`. */
export interface Editor extends AsyncDisposable {
  readonly connection: ProtocolConnection;
  readonly initialized: InitializeResult;
  uri(file: string): string;
  open(file: string, text: string): Promise<void>;
  change(file: string, version: number, changes: TextDocumentContentChangeEvent[]): Promise<void>;
  close(file: string): Promise<void>;
  /** What the server has written to stderr so far. */
  stderr(): string;
  /** Waits for the findings of one version of a document, as `line:column message`. */
  findings(file: string, version: number): Promise<readonly string[]>;
  /** Waits until the findings of a document are as the test wants them. */
  until(file: string, isWanted: (findings: readonly string[]) => boolean): Promise<readonly string[]>;
  /** Writes bytes to the server as they are. */
  write(bytes: string): void;
  /** Sends messages as one text, and waits for the answer with an id. */
  sendTogether(id: string, messages: readonly object[]): Promise<unknown>;
  /** All that was published, in order. */
  readonly published: readonly PublishDiagnosticsParams[];
  /** Ends the server in order. Resolves to its exit code and what it wrote to stderr. */
  end(): Promise<{ readonly code: number | null; readonly stderr: string }>;
}

const usual: ClientCapabilities = { workspace: { workspaceEdit: { documentChanges: true } } };

interface EditorOptions {
  readonly capabilities?: ClientCapabilities;
  /** The workspace folder; by default the folder in which the server starts. */
  readonly workspace?: string;
  /** What the editor names its folders by, in place of `workspace`. */
  readonly named?: Partial<Pick<InitializeParams, 'workspaceFolders' | 'rootUri' | 'rootPath'>>;
  /** A process of its own, as users have it. */
  readonly ownProcess?: boolean;
}

/** What talks to a server: its streams and its end. */
interface Server {
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
  stderr(): string;
  stop(): void;
}

function startProcess(folder: string): Server {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['--', entry, 'lsp', '--stdio'], {
    cwd: folder,
    env: { PATH, HOME, ...nodeVariables() },
    stdio: 'pipe',
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stderr }));
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    ended,
    stderr: () => stderr,
    stop: () => void child.kill('SIGKILL'),
  };
}

/** The server in this process: all but cli/main.ts. */
function startInProcess(folder: string): Server {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const { PATH = '', HOME = '' } = process.env;
  let written = '';
  stderr.setEncoding('utf8').on('data', (text: string) => (written += text));
  const cancel = new AbortController();
  const ended = runCli({
    argv: ['lsp'],
    env: { PATH, HOME },
    cwd: folder,
    stdin,
    stdout,
    stderr,
    interactive: false,
    signal: cancel.signal,
    clock: systemClock,
    random: Math.random,
  }).then((code) => ({ code, stderr: written }));
  return {
    stdin,
    stdout,
    ended,
    stderr: () => written,
    stop: () => cancel.abort(new Error('the test ends')),
  };
}

/** Starts the server in `folder`. */
export async function startEditor(
  folder: string,
  { capabilities = usual, workspace = folder, named, ownProcess = false }: EditorOptions = {},
): Promise<Editor> {
  const server = ownProcess ? startProcess(folder) : startInProcess(folder);
  const { ended } = server;
  const reader = new StreamMessageReader(server.stdout);
  const connection = createProtocolConnection(reader, new StreamMessageWriter(server.stdin));
  const published: PublishDiagnosticsParams[] = [];
  const waiting = new Set<() => void>();
  connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
    published.push(params);
    for (const look of waiting) look();
  });
  connection.listen();
  const uri = (file: string) => pathToFileURL(`${folder}/${file}`).href;
  const initialized = await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    capabilities,
    ...(named ?? {
      rootUri: null,
      workspaceFolders: [{ uri: pathToFileURL(workspace).href, name: 'project' }],
    }),
    // The type has a root always, the protocol lets an editor leave it out.
  } as InitializeParams);
  await connection.sendNotification(InitializedNotification.type, {});
  /** Waits until what was published has an answer. */
  const wait = (answer: () => readonly string[] | undefined) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
    const look = () => {
      const found = answer();
      if (found !== undefined) resolve(found);
    };
    waiting.add(look);
    look();
    void ended.then(({ stderr }) => reject(new Error(`the server ended: ${stderr}`)));
    return promise.finally(() => waiting.delete(look));
  };
  return {
    connection,
    initialized,
    uri,
    published,
    open: (file, text) =>
      connection.sendNotification(DidOpenTextDocumentNotification.type, {
        textDocument: { uri: uri(file), languageId: 'yaml', version: 1, text },
      }),
    change: (file, version, contentChanges) =>
      connection.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument: { uri: uri(file), version },
        contentChanges,
      }),
    close: (file) =>
      connection.sendNotification(DidCloseTextDocumentNotification.type, {
        textDocument: { uri: uri(file) },
      }),
    stderr: server.stderr,
    findings: (file, version) =>
      wait(() => {
        const found = published.findLast((one) => one.uri === uri(file) && one.version === version);
        return found?.diagnostics.map(describe);
      }),
    until: (file, isWanted) =>
      wait(() => {
        const found = published.findLast((one) => one.uri === uri(file))?.diagnostics.map(describe);
        return found !== undefined && isWanted(found) ? found : undefined;
      }),
    write: (bytes) => void server.stdin.write(bytes),
    sendTogether(id, messages) {
      const answered = Promise.withResolvers<unknown>();
      let text = '';
      server.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const [answer] = new RegExp(`\\{[^{}]*"id":"${id}".*?\\}\\}`, 's').exec(text) ?? [];
        if (answer !== undefined) answered.resolve(JSON.parse(answer));
      });
      server.stdin.write(messages.map(framed).join(''));
      return answered.promise;
    },
    async end() {
      await connection.sendRequest(ShutdownRequest.type);
      await connection.sendNotification(ExitNotification.type);
      return ended;
    },
    async [Symbol.asyncDispose]() {
      connection.dispose();
      server.stop();
      await ended;
    },
  };
}

function framed(message: object): string {
  const json = JSON.stringify({ jsonrpc: '2.0', ...message });
  return `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
}

function describe({ range: { start }, message }: PublishDiagnosticsParams['diagnostics'][number]): string {
  return `${start.line + 1}:${start.character + 1} ${typeof message === 'string' ? message : message.value}`;
}
