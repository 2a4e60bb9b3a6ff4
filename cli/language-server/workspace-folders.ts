import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { InitializeParams, WorkspaceFoldersChangeEvent } from 'vscode-languageserver-protocol';

/** The folders that the editor works on. Files outside of them are refused. */
export interface WorkspaceFolders {
  /** Real paths. */
  list(): readonly string[];
  change(event: WorkspaceFoldersChangeEvent): void;
}

/** The folders that the editor names; without any, the folder in which the server was started. */
export function openWorkspaceFolders(
  { workspaceFolders, rootUri }: Pick<InitializeParams, 'workspaceFolders' | 'rootUri'>,
  startedIn: string,
): WorkspaceFolders {
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri]);
  const named = new Map(uris.map((uri) => [uri, realPathOf(uri)]));
  const fallback = named.size === 0 ? [realpathSync(startedIn)] : [];
  return {
    list: () => [...fallback, ...[...named.values()].flatMap((folder) => folder ?? [])],
    change({ added, removed }) {
      for (const { uri } of removed) named.delete(uri);
      for (const { uri } of added) named.set(uri, realPathOf(uri));
    },
  };
}

/** Undefined for a folder that does not exist, or is not on this machine. */
function realPathOf(uri: string): string | undefined {
  try {
    return realpathSync(fileURLToPath(uri));
  } catch {
    return undefined;
  }
}
