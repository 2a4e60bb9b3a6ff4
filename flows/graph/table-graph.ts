import {
  type CreatedTable,
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
import { streamedTables } from '../pipeline-tests/outside/streamed-tables.ts';
import { isOutsideFile, noOutsideFiles, type OutsideFiles } from '../pipeline-tests/outside/outside-files.ts';
import { warehouseSettings } from '../pipeline-tests/files/test-project.ts';
import { type GraphNode, type GraphRequest, type PipelineGraph, readWholeGraph } from './pipeline-graph.ts';

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

/** The graph of a project with its tables. It needs no engine. Throws Failure 'config-invalid' for a wrong file of `provision` or `streaming`. */
export async function tableGraph(request: TableGraphRequest): Promise<TableGraph> {
  const { graph, documents, targets } = await readWholeGraph(request);
  const paths = await pathsOf(request);
  const texts = await readTexts(request, documents, paths);
  const { names, streamed } = outsideOf(request, paths, texts);
  const tables = tablesOfProject({
    documents,
    created: streamed,
    targets,
    kind: request.kind,
    defaults: names.defaults,
    canonical: (table) => names.canonical(table),
    files: (path) => texts.get(path),
  });
  const streaming = new Set(streamed.map(({ pipeline }) => pipeline));
  const nodes = Array.from(streaming, (name): GraphNode => ({ name, kind: 'streaming', entry: false }));
  return { ...graph, nodes: [...graph.nodes, ...nodes], ...tables };
}

/** All paths of the project if they are needed to find the definitions of streaming pipelines. */
async function pathsOf({ snapshot, directory, outside }: TableGraphRequest): Promise<readonly string[]> {
  if (outside.streaming.length === 0) return [];
  const prefix = inRepository(directory, '');
  return (await snapshot.list(directory)).map(({ path }) => path.slice(prefix.length));
}

/** The scripts that pipelines run, and the files about what is outside: texts by path, relative to the project. */
async function readTexts(
  { snapshot, directory, outside }: TableGraphRequest,
  documents: ReadonlyMap<string, PipelineDocument>,
  all: readonly string[],
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
  const { streaming } = outside;
  const isNamed = isOutsideFile({ ...noOutsideFiles, streaming });
  const named = streaming.length === 0 ? [] : ['millrace.yaml', ...all.filter(isNamed)];
  const paths = [...scripts, ...named, ...(provision === undefined ? [] : [provision])].map(
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

/** What the names mean, and what streaming pipelines write. */
function outsideOf(
  { kind, outside }: TableGraphRequest,
  paths: readonly string[],
  texts: ReadonlyMap<string, string>,
): { readonly names: EnvironmentNames; readonly streamed: readonly CreatedTable[] } {
  try {
    const project = {
      ...warehouseSettings(kind),
      outside,
      paths: [...new Set([...paths, ...texts.keys()])],
      text: (path: string) => texts.get(path),
    };
    const names = environmentNames(project);
    return { names, streamed: streamedTables(project, names) };
  } catch (error) {
    if (error instanceof FileProblems) throw invalidConfig(error.problems);
    throw error;
  }
}
