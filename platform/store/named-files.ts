import type { Store } from './store.ts';

/** The SHA-256 of every file of every artifact. */
export function namedFiles(store: Store): ReadonlySet<string> {
  const rows = store.all<{ sha256: string }>(
    'SELECT sha256 FROM artifact_file UNION SELECT sha256 FROM shared_file',
  );
  return new Set(rows.map(({ sha256 }) => sha256));
}
