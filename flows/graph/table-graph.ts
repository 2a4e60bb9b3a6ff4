import {
  FileProblems,
  type ProjectTable,
  type ProjectUnknown,
  type ProjectUse,
  tablesOfProject,
  type WarehouseKind,
} from '../../engine/index.ts';
import { invalidConfig } from '../../lib/config/fields/read-config.ts';
import { decodeText } from '../../lib/core/files/decode-text.ts';
import { inRepository } from '../../lib/git/in-repository.ts';
import { scriptFacts } from '../../lib/pipelines/checks/missing-file.ts';
import { maxPipelineBytes, type PipelineDocument } from '../../lib/pipelines/model/read-pipeline.ts';
import { type EnvironmentNames, environmentNames } from '../pipeline-tests/outside/environment-names.ts';
import type { OutsideFiles } from '../pipeline-tests/outside/outside-files.ts';
import { warehouseSettings } from '../pipeline-tests/files/test-project.ts';
import { type GraphRequest, type PipelineGraph, readWholeGraph } from './pipeline-graph.ts';

/** The calls between pipelines, and the tables that the pipelines name in their parameters and their SQL. */
export interface TableGraph extends PipelineGraph {
  readonly tables: readonly ProjectTable[];
  readonly uses: readonly ProjectUse[];
  readonly unknown: readonly ProjectUnknown[];
}

export interface TableGraphRequest extends GraphRequest {
  readonly kind: WarehouseKind;
  readonly outside: OutsideFiles;
}

/**
 * Builds the graph of calls and tables of a project, without the engine. Throws Failure 'config-invalid' for an
 * invalid file of `provision`.
 */
export async function tableGraph(request: TableGraphRequest): Promise<TableGraph> {
  const { graph, documents, targets } = await readWholeGraph(request);
  const texts = await readTexts(request, documents);
  const names = namesOf(request, texts);
  const tables = tablesOfProject({
    documents,
    targets,
    kind: request.kind,
    defaults: names.defaults,
    canonical: (table) => names.canonical(table),
    files: (path) => texts.get(path),
  });
  return { ...graph, ...tables };
}

/** The scripts that pipelines run, and the file of `provision`: texts by path, relative to the project. */
async function readTexts(
  { snapshot, directory, outside }: TableGraphRequest,
  documents: ReadonlyMap<string, PipelineDocument>,
): Promise<ReadonlyMap<string, string>> {
  const prefix = inRepository(directory, '');
  const scripts = [...documents.values()].flatMap((document) =>
    scriptFacts(document).flatMap(({ path }) => path ?? []),
  );
  // A name that a variable is part of may be the name of any script.
  const isOpen = documents.values().some(hasOpenScript);
  const others = isOpen
    ? (await snapshot.list(directory)).map(({ path }) => path).filter((path) => path.endsWith('.sql'))
    : [];
  const { provision } = outside;
  const paths = [...scripts, ...(provision === undefined ? [] : [provision])].map(
    (path) => `${prefix}${path}`,
  );
  const contents = await snapshot.readFiles([...new Set([...paths, ...others])], maxPipelineBytes);
  return new Map(
    [...contents].flatMap(([path, content]) => {
      const { text } = decodeText(content);
      return text === undefined ? [] : [[path.slice(prefix.length), text] as const];
    }),
  );
}

function hasOpenScript({ components }: PipelineDocument): boolean {
  return components
    .values()
    .some(
      (component) => component.type === 'sql-executor' && component.text('fileName')?.includes('${') === true,
    );
}

function namesOf(
  { kind, outside }: TableGraphRequest,
  texts: ReadonlyMap<string, string>,
): Pick<EnvironmentNames, 'defaults' | 'canonical'> {
  try {
    return environmentNames({
      ...warehouseSettings(kind),
      outside,
      paths: [...texts.keys()],
      text: (path) => texts.get(path),
    });
  } catch (error) {
    if (error instanceof FileProblems) throw invalidConfig(error.problems);
    throw error;
  }
}
