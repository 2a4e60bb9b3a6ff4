import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { TextDocumentContentChangeEvent, TextDocumentItem } from 'vscode-languageserver-protocol';
import type { OpenFile } from '../../flows/editor/open-file.ts';
import { maxPipelineBytes } from '../../lib/pipelines/model/read-pipeline.ts';

/** A document of the editor that is inside a workspace folder. */
export interface OpenDocument {
  /** As the editor writes it. */
  readonly uri: string;
  /** On disk, without symbolic links in its folders. */
  readonly path: string;
  readonly version: number;
  /** Undefined if it is larger than 4 MiB. */
  readonly text: TextDocument | undefined;
}

export interface OpenDocuments {
  open(item: TextDocumentItem): void;
  change(uri: string, version: number, changes: readonly TextDocumentContentChangeEvent[]): void;
  close(uri: string): void;
  /** Undefined for a document that is not open, or outside of the workspace folders. */
  get(uri: string): OpenDocument | undefined;
  all(): readonly OpenDocument[];
  /** The open files in the folder `root`, relative to it. Symbolic links are left out, because git stores the path of their target as their content. */
  filesIn(root: string): readonly OpenFile[];
  /** Whether a document may be read: it is a file in a workspace folder. */
  isInside(uri: string): boolean;
}

/**
 * Keeps the texts of the documents that are open in the editor. Documents outside of the workspace folders are kept
 * but not returned, because their folder may be added later.
 */
export function createOpenDocuments(folders: () => readonly string[]): OpenDocuments {
  const documents = new Map<string, OpenDocument>();
  const isInFolders = (file: string): boolean => folders().some((folder) => isIn(file, folder));
  const inside = (): OpenDocument[] =>
    [...documents.values()].filter((document) => isInFolders(document.path));
  return {
    open({ uri, version, languageId, text }) {
      const file = pathOf(uri);
      if (file === undefined) return;
      documents.set(uri, {
        uri,
        path: file,
        version,
        text: bounded(TextDocument.create(uri, languageId, version, text)),
      });
    },
    change(uri, version, changes) {
      const before = documents.get(uri);
      if (before === undefined) return;
      const whole = changes.findLast((change) => !('range' in change));
      // A text that was too large can only be replaced as a whole.
      const from = before.text ?? (whole && TextDocument.create(uri, '', version, ''));
      const text = from && bounded(TextDocument.update(from, [...changes], version));
      documents.set(uri, { ...before, version, text });
    },
    close: (uri) => void documents.delete(uri),
    get(uri) {
      const document = documents.get(uri);
      return document !== undefined && isInFolders(document.path) ? document : undefined;
    },
    all: inside,
    filesIn: (root) =>
      inside().flatMap((document): OpenFile[] => {
        if (!isIn(document.path, root)) return [];
        const stat = lstatSync(document.path, { throwIfNoEntry: false });
        if (stat?.isSymbolicLink() === true) return [];
        const text = document.text?.getText();
        return [{ path: relative(root, document.path), text, isNew: stat === undefined }];
      }),
    isInside(uri) {
      const file = pathOf(uri);
      return file !== undefined && isInFolders(file);
    },
  };
}

/** A path relative to a folder that contains it, with forward slashes. */
export function relative(folder: string, file: string): string {
  return path.relative(folder, file).replaceAll(path.sep, '/');
}

/** The path of a `file:` URI, with symbolic links in its folders resolved; undefined for other URIs. */
export function pathOf(uri: string): string | undefined {
  try {
    const file = path.resolve(fileURLToPath(uri));
    return path.join(realFolder(path.dirname(file)), path.basename(file));
  } catch {
    return undefined;
  }
}

/** The folder without symbolic links; of a folder that does not exist yet, as far as it does. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    const above = path.dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) throw error;
    return path.join(realFolder(above), path.basename(folder));
  }
}

function isIn(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

function bounded(document: TextDocument): TextDocument | undefined {
  const text = document.getText();
  const isLarge = text.length * 3 > maxPipelineBytes && Buffer.byteLength(text) > maxPipelineBytes;
  return isLarge ? undefined : document;
}
