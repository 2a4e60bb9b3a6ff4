import { FileProblems, sqlMeaning } from '../../../engine/index.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { scriptFacts, scriptParameters } from '../../../lib/pipelines/checks/missing-file.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import type { SnapshotFile, SnapshotScript } from '../../snapshot/snapshot.ts';
import { readText } from '../texts/read-text.ts';
import { sha256 } from './pipeline-meaning.ts';

/** The files that the components of a pipeline run. In a name with variables, `*` replaces each variable. */
export function pipelineScripts(document: PipelineDocument): readonly SnapshotScript[] {
  const named = scriptFacts(document).flatMap(({ component, path, isSql, range }): SnapshotScript[] =>
    path === undefined
      ? []
      : [{ component, line: range.line, path, ...(isSql === true ? { sql: true } : {}) }],
  );
  const open = [...document.components.values()].flatMap(({ name, type, range, text }) =>
    scriptParameters.flatMap((parameter): SnapshotScript[] => {
      const written = text(parameter) ?? '';
      if (!written.includes('${')) return [];
      const path = written
        .trim()
        .replace(/^(?:\.?\/)+/, '')
        .replace(/\$\{[^}]*\}/g, '*');
      const sql = type === 'sql-executor' ? ({ sql: true } as const) : {};
      return [{ component: name, line: range.line, path, open: true, ...sql }];
    }),
  );
  return [...named, ...open];
}

/** How many files a snapshot has at most because a name with variables may mean them. */
const maxOpenFiles = 2_000;

/** The files of the project that match the names of scripts, and one sentence for each name with too many matches. */
export function scriptFiles(
  scripts: readonly SnapshotScript[],
  project: TestProject,
): { readonly files: readonly SnapshotFile[]; readonly unread: readonly string[] } {
  /** By path: whether it is run as nothing else than SQL. */
  const named = new Map<string, boolean>();
  const add = (path: string, isSql: boolean) => named.set(path, isSql && named.get(path) !== false);
  for (const { path, open, sql = false } of scripts)
    if (open === undefined && project.has(path)) add(path, sql);
  const patterns = new Map(
    scripts
      .filter(({ open }) => open === true)
      .map(({ path, sql = false }) => [JSON.stringify([path, sql]), { pattern: path, sql }]),
  );
  const fitting = new Set<string>();
  for (const { pattern, sql } of patterns.values()) {
    const fits = new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`, 's');
    for (const path of project.paths)
      if (fits.test(path) && (fitting.has(path) || fitting.size < maxOpenFiles)) {
        fitting.add(path);
        add(path, sql);
      }
  }
  const files = [...named].map(([path, isSql]): SnapshotFile => {
    const text = readText(path, project);
    if (text === undefined) return { path, digest: fileDigest(path, project) };
    return { path, digest: sha256(isSql ? sqlMeaning(text, project.kind) : text).slice(0, 32) };
  });
  const unread =
    fitting.size < maxOpenFiles
      ? []
      : [
          `Names of scripts with variables may mean more than ${numberOf(maxOpenFiles, 'file')}: changes of the others are not noticed.`,
        ];
  return { files, unread };
}

/** The digest of a file that is not text: of its bytes, or of its size if it is too large to read. */
export function fileDigest(path: string, project: TestProject): string {
  try {
    return sha256(project.bytes(path) ?? '').slice(0, 32);
  } catch (error) {
    if (error instanceof FileProblems) return sha256(`size ${project.size(path)}`).slice(0, 32);
    throw error;
  }
}
