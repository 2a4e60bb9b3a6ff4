import type { EditorProject } from '../../../flows/editor/editor-project.ts';
import type { At } from '../../../flows/editor/find-definition.ts';
import { reviewPolicy } from '../../../flows/review/scope/review-policy.ts';
import { projectSchema } from '../../../lib/config/project/project-schema.ts';
import type { Repository } from '../../../lib/git/repository.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';

/** A project of these files in an editor, none of them on disk. */
export function editorFiles(
  files: Readonly<Record<string, string>>,
  variables: string[] = [],
): EditorProject {
  const config = projectSchema.parse({ version: 1, review: { variables } });
  const snapshot: Snapshot = {
    kind: 'working-tree',
    commit: '',
    list: () =>
      Promise.resolve(
        Object.keys(files).map((path) => ({ path, mode: '100644', type: 'blob' as const, oid: '' })),
      ),
    readFiles: (paths) =>
      Promise.resolve(
        new Map(
          paths.flatMap((path) => (path in files ? [[path, Buffer.from(files[path] ?? '')] as const] : [])),
        ),
      ),
    unread: new Map(),
    links: new Set(),
    changedSince: () => Promise.resolve([]),
  };
  const request = {
    ...reviewPolicy(config, ''),
    // Only reviews read the repository.
    repository: {} as Repository,
    directory: '',
    branch: 'main',
    commit: 'HEAD',
    scope: 'all' as const,
    include: ['**/*'],
    configDir: '.platform',
    agentVersion: '',
    failOn: 'error' as const,
    snapshot,
  };
  return { request, config, configFile: 'millrace.yaml' };
}

/** A text with `|` where the cursor is. */
export function cursorIn(file: string, marked: string): At {
  const offset = marked.indexOf('|');
  return { file, text: marked.slice(0, offset) + marked.slice(offset + 1), offset };
}
