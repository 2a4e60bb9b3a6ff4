import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type CompletionItem,
  type CompletionList,
  type Location,
  type Position,
  type PrepareRenameResult,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import { complete, type Proposal } from '../../flows/editor/complete.ts';
import { type At, findDefinition } from '../../flows/editor/find-definition.ts';
import { componentAt, renameComponent } from '../../flows/editor/rename-component.ts';
import { suppressFinding } from '../../flows/editor/suppress-finding.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { type OpenDocument, type OpenDocuments, relative } from './open-documents.ts';
import type { OpenProjects } from './open-projects.ts';
import { toProtocolRange } from './protocol-range.ts';

/** Larger texts have findings, but no completion and no rename: each request reads the whole text. */
const maxCharacters = 1024 * 1024;

export interface AnswerParts {
  readonly documents: OpenDocuments;
  readonly projects: OpenProjects;
  /** Whether the editor accepts edits for one version of a document. */
  acceptsVersions(): boolean;
}

interface Place {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
}

/** The answers to requests about a position of an open document. All throw Failure 'usage' for a document that is not open. */
export function createAnswers({ documents, projects, acceptsVersions }: AnswerParts) {
  /** `undefined` for a text that is too large. */
  const locate = async ({ textDocument, position }: Place, signal: AbortSignal) => {
    const document = requireOpen(documents, textDocument.uri);
    const text = document.text?.getText();
    if (document.text === undefined || text === undefined || text.length > maxCharacters) return undefined;
    const offset = document.text.offsetAt(position);
    await nextMessage();
    signal.throwIfAborted();
    const project = await projects.open(projects.folderOf(document.path), signal);
    const file = relative(project.request.repository.root, document.path);
    return { document, project, at: { file, text, offset } satisfies At };
  };
  const workspaceEdit = (document: OpenDocument, changes: TextEdit[]): WorkspaceEdit =>
    acceptsVersions() ? editOf(document, changes) : { changes: { [document.uri]: changes } };
  return {
    async complete(place: Place, signal: AbortSignal): Promise<CompletionList | null> {
      const located = await locate(place, signal);
      if (located === undefined) return null;
      const { proposals, more } = await complete(located.project, located.at);
      const items = proposals.map((proposal) => toItem(proposal, located.at.text));
      return { isIncomplete: more, items };
    },
    async define(place: Place, signal: AbortSignal): Promise<Location | null> {
      const located = await locate(place, signal);
      const definition = located && (await findDefinition(located.project, located.at));
      if (located === undefined || definition === undefined) return null;
      const file = path.join(located.project.request.repository.root, definition.file);
      const open = documents.all().find((document) => document.path === file);
      const range = toProtocolRange(definition.range, open?.text?.getText());
      return { uri: open?.uri ?? pathToFileURL(file).href, range };
    },
    async prepareRename(place: Place, signal: AbortSignal): Promise<PrepareRenameResult | null> {
      const located = await locate(place, signal);
      const component = located && componentAt(located.at);
      if (located === undefined || component === undefined) return null;
      return { range: toProtocolRange(component.range, located.at.text), placeholder: component.name };
    },
    async rename(place: Place & { readonly newName: string }, signal: AbortSignal): Promise<WorkspaceEdit> {
      const located = await locate(place, signal);
      if (located === undefined) throw tooLarge(place);
      const { document, at } = located;
      const edits = renameComponent(at, place.newName);
      const changes = edits.map((edit) => ({ range: toProtocolRange(edit, at.text), newText: edit.text }));
      return workspaceEdit(document, changes);
    },
    /** For each finding that can be suppressed: an edit that adds a comment, which suppresses it once the user has written the reason. */
    async actions(
      { textDocument, range, context }: CodeActionParams,
      signal: AbortSignal,
    ): Promise<CodeAction[]> {
      const located = await locate({ textDocument, position: range.start }, signal);
      if (located === undefined) return [];
      const { document, at } = located;
      const suppressible = context.diagnostics.filter(
        ({ source, data }) =>
          source === 'millrace' && (data as { suppressible?: boolean } | undefined)?.suppressible === true,
      );
      return suppressible.flatMap((diagnostic) => {
        const rule = String(diagnostic.code);
        const edit = suppressFinding({ ...at, rule, line: diagnostic.range.start.line + 1 });
        if (edit === undefined) return [];
        const changes = [{ range: toProtocolRange(edit, at.text), newText: edit.text }];
        return [
          {
            title: `Suppress ${rule} here with a comment`,
            kind: CodeActionKind.QuickFix,
            diagnostics: [diagnostic],
            edit: workspaceEdit(document, changes),
          },
        ];
      });
    },
  };
}

/** Waits until the server has read the next message, which may cancel this request. */
async function nextMessage(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** With the version, so that the editor refuses it if the text has changed in the meantime. */
function editOf({ uri, version }: OpenDocument, edits: TextEdit[]): WorkspaceEdit {
  return { documentChanges: [{ textDocument: { uri, version }, edits }] };
}

function requireOpen(documents: OpenDocuments, uri: string): OpenDocument {
  const document = documents.get(uri);
  if (document !== undefined) return document;
  throw new Failure('usage', {
    message: documents.isInside(uri)
      ? 'The document is not open.'
      : 'The document is not a file in a workspace folder, so it is not read.',
    where: { file: uri },
    hint: 'Open the folder of the project as a workspace folder, and the file in it.',
  });
}

function tooLarge({ textDocument }: Place): Failure {
  return new Failure('usage', {
    message: 'The file has more than a million characters, the limit for a rename.',
    where: { file: textDocument.uri },
    hint: 'Rename the component by hand.',
  });
}

/** The numbers of the protocol. */
const itemKinds = { component: 7, variable: 6, call: 17 } as const;

function toItem({ label, is, detail, text, range }: Proposal, document: string): CompletionItem {
  return {
    label,
    kind: itemKinds[is],
    ...(detail === undefined || detail === '' ? {} : { detail }),
    filterText: label,
    textEdit: { range: toProtocolRange(range, document), newText: text },
  };
}
