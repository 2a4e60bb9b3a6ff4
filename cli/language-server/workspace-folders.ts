import { realpathSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { InitializeParams, WorkspaceFoldersChangeEvent } from 'vscode-languageserver-protocol';

/** The folders that the editor works on. Files outside of them are refused. */
export interface WorkspaceFolders {
  /** Real paths. */
  list(): readonly string[];
  change(event: WorkspaceFoldersChangeEvent): void;
}

/** What an editor may name its folders by. The last two are of older editors, and the protocol lets an editor leave them out. */
type Named = Pick<InitializeParams, 'workspaceFolders'> &
  Partial<Pick<InitializeParams, 'rootUri' | 'rootPath'>>;

/** The workspace folders that the editor gives; without any, the folder in which the server was started. */
export function openWorkspaceFolders(
  { workspaceFolders, rootUri, rootPath }: Named,
  startedIn: string,
): WorkspaceFolders {
  const root = rootUri || (rootPath ? pathToFileURL(rootPath).href : undefined);
  const uris = workspaceFolders?.length
    ? workspaceFolders.map(({ uri }) => uri)
    : root === undefined
      ? []
      : [root];
  const named = new Map(uris.map((uri) => [uri, realPathOf(uri)]));
  const fallback = named.size === 0 ? [realpathSync(startedIn)] : [];
  return {
    list: () => [...fallback, ...[...named.values()].flatMap((folder) => folder ?? [])],
    change({ added, removed }) {
      // The editor may spell it in another way than when it named it first.
      const gone = removed.flatMap(({ uri }) => [uri, realPathOf(uri) ?? uri]);
      for (const [uri, folder] of named)
        if (gone.includes(uri) || (folder !== undefined && gone.includes(folder))) named.delete(uri);
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
