import { pipeline } from 'node:stream';
import {
  CodeActionKind,
  createProtocolConnection,
  ExitNotification,
  InitializedNotification,
  type InitializeParams,
  InitializeRequest,
  type InitializeResult,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
} from 'vscode-languageserver-protocol/node';
import { type ExitCode, exitCodes } from '../../lib/core/outcomes/outcome.ts';
import { silentLogger, silentProgress } from '../../lib/core/ports/ports.ts';
import { version } from '../../lib/core/values/version.ts';
import { asFailure } from '../kit/as-failure.ts';
import type { Session } from '../kit/session.ts';
import { messageProblem, protocolFailure } from '../kit/servers/protocol-failure.ts';
import { answerRequests } from './answer-requests.ts';
import { followDocuments, watchFiles } from './follow-documents.ts';
import { messageFrames } from './message-frames.ts';
import { createOpenDocuments } from './open-documents.ts';
import { createOpenProjects } from './open-projects.ts';
import { createProjectCompiler } from './project-compiler.ts';
import { createFindingsPublisher } from './publish-findings.ts';
import { openWorkspaceFolders, type WorkspaceFolders } from './workspace-folders.ts';

/** What the server does; positions count in UTF-16 units, as in JavaScript. */
const capabilities: InitializeResult['capabilities'] = {
  positionEncoding: 'utf-16',
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  completionProvider: { triggerCharacters: ['{', '"', "'", '/'] },
  definitionProvider: true,
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
  renameProvider: { prepareProvider: true },
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
};

/** Serves the Language Server Protocol on stdin and stdout until the editor ends it. */
export async function serveLanguage({ io, here, output }: Session): Promise<ExitCode> {
  const report = (error: unknown) => {
    const problem = messageProblem(error);
    output.failure(problem === undefined ? asFailure(error, io.signal) : protocolFailure('editor', problem));
  };
  const frames = messageFrames((problem) => output.failure(protocolFailure('editor', problem)));
  pipeline(io.stdin, frames, () => {});
  const connection = createProtocolConnection(
    new StreamMessageReader(frames),
    new StreamMessageWriter(io.stdout),
  );
  let folders: WorkspaceFolders | undefined;
  let editor: InitializeParams['capabilities'] = {};
  let isShutDown = false;
  const documents = createOpenDocuments(() => folders?.list() ?? []);
  const projects = createOpenProjects(io, documents);
  const compiler = createProjectCompiler(io, documents);
  const publisher = createFindingsPublisher({
    documents,
    projects,
    compiler,
    flow: {
      clock: io.clock,
      random: io.random,
      logger: silentLogger,
      progress: silentProgress,
      signal: io.signal,
    },
    publish({ uri, version: of }, diagnostics) {
      const params = { uri, version: of, diagnostics: [...diagnostics] };
      // The editor may have closed the connection.
      connection.sendNotification(PublishDiagnosticsNotification.type, params).catch(() => {});
    },
    report,
  });

  connection.onRequest(InitializeRequest.type, (params) => {
    folders = openWorkspaceFolders(params, here);
    editor = params.capabilities;
    return { capabilities, serverInfo: { name: 'millrace', version } };
  });
  connection.onNotification(InitializedNotification.type, () => void watchFiles(connection, editor));
  connection.onRequest(ShutdownRequest.type, () => {
    isShutDown = true;
  });
  followDocuments(connection, { documents, projects, compiler, publisher, folders: () => folders });
  answerRequests(connection, {
    documents,
    projects,
    acceptsVersions: () => editor.workspace?.workspaceEdit?.documentChanges === true,
    state: () => (folders === undefined ? 'new' : isShutDown ? 'ended' : 'ready'),
    report,
  });

  await untilEnd(connection, io.signal, report);
  await publisher.stop();
  await compiler[Symbol.asyncDispose]();
  connection.dispose();
  // An open pipe would keep the process alive.
  io.stdin.destroy();
  return isShutDown ? exitCodes.done : exitCodes.no;
}

/** Resolves when the editor ends the server or closes the connection. */
function untilEnd(
  connection: ProtocolConnection,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  connection.onNotification(ExitNotification.type, resolve);
  connection.onClose(resolve);
  connection.onError(([error]) => report(error));
  signal.addEventListener('abort', () => resolve(), { once: true });
  connection.listen();
  return promise;
}
