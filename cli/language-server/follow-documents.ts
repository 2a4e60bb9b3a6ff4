import {
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  type InitializeParams,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  RegistrationRequest,
} from 'vscode-languageserver-protocol/node';
import type { OpenDocuments } from './open-documents.ts';
import type { OpenProjects } from './open-projects.ts';
import type { ProjectCompiler } from './project-compiler.ts';
import type { FindingsPublisher } from './publish-findings.ts';
import type { WorkspaceFolders } from './workspace-folders.ts';

interface Followed {
  readonly documents: OpenDocuments;
  readonly projects: OpenProjects;
  readonly compiler: ProjectCompiler;
  readonly publisher: FindingsPublisher;
  folders(): WorkspaceFolders | undefined;
}

/** Keeps track of the documents that the editor opens, changes, saves and closes, and of files that change on disk. */
export function followDocuments(
  connection: ProtocolConnection,
  { documents, projects, compiler, publisher, folders }: Followed,
): void {
  /** After an event that may have changed files on disk. */
  const readAgain = () => {
    projects.refresh();
    compiler.refresh();
    publisher.schedule();
  };
  /** The findings of a document that is no longer reviewed would stay in the editor. */
  const forget = (uri: string) => {
    void connection.sendNotification(PublishDiagnosticsNotification.type, { uri, diagnostics: [] });
  };
  connection.onNotification(DidOpenTextDocumentNotification.type, ({ textDocument }) => {
    documents.open(textDocument);
    readAgain();
  });
  connection.onNotification(
    DidChangeTextDocumentNotification.type,
    ({ textDocument: { uri, version }, contentChanges }) => {
      documents.change(uri, version, contentChanges);
      publisher.schedule();
    },
  );
  connection.onNotification(DidSaveTextDocumentNotification.type, readAgain);
  connection.onNotification(DidCloseTextDocumentNotification.type, ({ textDocument: { uri } }) => {
    const isShown = documents.get(uri) !== undefined;
    documents.close(uri);
    if (!isShown) return;
    forget(uri);
    readAgain();
  });
  connection.onNotification(DidChangeWatchedFilesNotification.type, readAgain);
  connection.onNotification(DidChangeWorkspaceFoldersNotification.type, ({ event }) => {
    const before = documents.all();
    folders()?.change(event);
    for (const { uri } of before) if (documents.get(uri) === undefined) forget(uri);
    readAgain();
  });
}

/** Asks the editor to report changes of files on disk, if the editor supports it. */
export async function watchFiles(
  connection: ProtocolConnection,
  { workspace }: InitializeParams['capabilities'],
): Promise<void> {
  if (workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
  const registerOptions = { watchers: [{ globPattern: '**/*.{yaml,json,csv,parquet,sql,py}' }] };
  const { method } = DidChangeWatchedFilesNotification.type;
  const registrations = [{ id: method, method, registerOptions }];
  // An editor that refuses reports saved files only.
  await connection.sendRequest(RegistrationRequest.type, { registrations }).catch(() => {});
}
