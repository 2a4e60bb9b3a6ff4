import { createHash } from 'node:crypto';
import type { EvidenceKind } from '../../lib/evidence/evidence-kinds.ts';
import type { TreeFile } from '../../lib/evidence/manifest.ts';

/** The maximum number of statements about one tree that are read. Millrace itself never writes more. */
export const maxStatements = 200;

/** A stored statement. */
export interface StoredStatement {
  /** Name of its file. */
  readonly name: string;
  /** Its envelope; undefined if it is too large to be one. */
  readonly text: string | undefined;
}

/** Reads stored statements, and the files of the commits that they are about. */
export interface EvidenceSource {
  /**
   * The statements about commits with a tree; `truncated` if they cannot be listed completely.
   * @param isWanted which files to read, by their names
   */
  statements(
    tree: string,
    isWanted: (name: string) => boolean,
  ): Promise<readonly StoredStatement[] | 'truncated'>;
  /** The files of a tree; `truncated` if they cannot be listed completely. */
  files(tree: string): Promise<readonly TreeFile[] | 'truncated'>;
}

/**
 * The folder for statements about commits with this tree. The merge commit of a pull request and a commit with the
 * same files share a folder.
 */
export function evidenceFolder(tree: string): string {
  return `statements/${tree.slice(0, 2)}/${tree}`;
}

/** Whether a file may have a statement of a kind, by its name. The name proves nothing. */
export function isNamedAs(kind: EvidenceKind, name: string): boolean {
  return name.startsWith(`${kind}-`);
}

/** The path of a statement. Another text has another path, so that no writer can overwrite a statement. */
export function evidencePath(tree: string, kind: string, text: string): string {
  const digest = createHash('sha256').update(text).digest('hex');
  return `${evidenceFolder(tree)}/${kind}-${digest.slice(0, 32)}.json`;
}
