import type { TableName } from '../../engine/index.ts';
import { bindProject } from '../../flows/data-graph/bind/bind-project.ts';
import { compile } from '../../flows/data-graph/compile/compile.ts';
import type { Compilation } from '../../flows/data-graph/compile/conclude-compile.ts';
import { overlayProject } from '../../flows/pipeline-tests/files/overlay-project.ts';
import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import { quoteText } from '../../lib/yaml/quote-text.ts';
import { itemsOf, textOf } from '../../lib/yaml/yaml-node.ts';

export interface ReadsWithDeclarations {
  readonly pipelines: number;
  readonly before: Compilation['reads'];
  readonly after: Compilation['reads'];
  /** How many tables were declared. */
  readonly tables: number;
}

/** The columns of declared tables with their types, by the table's name as a file of schemas writes it. */
type Declarations = Map<string, Map<string, string>>;

const file = 'declared-by-corpus.yaml';
const maxRounds = 25;

/**
 * Compiles a project without and with declarations of the tables that the report lists. No export is there, so a table gets the columns that the
 * pipelines name, and types by their names: the result says how many reads depend on nothing else.
 */
export async function readsWithDeclarations(
  project: TestProject,
  signal: AbortSignal,
): Promise<ReadsWithDeclarations> {
  const declarations: Declarations = new Map();
  const graph = await bindProject(project, { signal });
  const first = compile(graph);
  let last = first;
  let unknown = graph.pipelines;
  for (let round = 0; round < maxRounds; round += 1) {
    const isMore = [declareTables(last, declarations, project), declareColumns(unknown, declarations)];
    if (!isMore.includes(true)) break;
    const next = await bindProject(withDeclarations(project, declarations), { signal });
    last = compile(next);
    unknown = next.pipelines;
  }
  return {
    pipelines: first.pipelines,
    before: first.reads,
    after: last.reads,
    tables: declarations.size,
  };
}

function withDeclarations(project: TestProject, declarations: Declarations): TestProject {
  const tables = Array.from(declarations, ([table, columns]) => {
    const lines = Array.from(columns, ([name, type]) => `  ${quoteText(name)}: ${type}\n`);
    return `${quoteText(table)}:\n${lines.join('')}`;
  });
  const { kind, defaults, sharedSource, outside } = project;
  return overlayProject(project, {
    contents: new Map([[file, Buffer.from(tables.join(''))]]),
    settings: {
      kind,
      defaults,
      sharedSource,
      outside: { ...outside, schemas: [...outside.schemas, file] },
      callFolder: project.roots.set,
    },
  });
}

/** Declares the tables that the report lists, with the columns that components name. Returns whether there are some. */
function declareTables({ outside }: Compilation, declarations: Declarations, project: TestProject): boolean {
  const added = outside.filter(
    ({ table, isKnown }) => !isKnown && canDeclare(table) && !declarations.has(nameOf(table)),
  );
  for (const { table } of added) {
    const names = columnNames(table.table, project);
    const columns = (names.length === 0 ? ['ID'] : names).map((name) => [name, guessedType(name)] as const);
    declarations.set(nameOf(table), new Map(columns));
  }
  return added.length > 0;
}

/** Adds the columns that components miss. Returns whether there are some. */
function declareColumns(
  pipelines: Awaited<ReturnType<typeof bindProject>>['pipelines'],
  declarations: Declarations,
): boolean {
  let isMore = false;
  for (const { reason, tables } of [...pipelines.values()].flatMap((bound) => bound.unknown)) {
    const [, name] = /column "([^"]+)" (?:was )?not found/.exec(reason) ?? [];
    for (const table of name === undefined ? [] : tables) {
      const columns = declarations.get(nameOf(table));
      const isKnown = [...(columns?.keys() ?? [])].some((each) => each.toLowerCase() === name?.toLowerCase());
      if (columns === undefined || name === undefined || isKnown) continue;
      columns.set(name, guessedType(name));
      isMore = true;
    }
  }
  return isMore;
}

/** The columns that components list beside a table. */
function columnNames(table: string, project: TestProject): readonly string[] {
  const names = new Map<string, string>();
  for (const path of project.pipelines)
    for (const component of project.pipeline(path)?.components.values() ?? []) {
      if (component.text('targetTable') !== table) continue;
      for (const item of itemsOf(component.parameter('columnNames'))) {
        const name = textOf(item) ?? '';
        if (name !== '' && !name.includes('${')) names.set(name.toLowerCase(), name);
      }
    }
  return [...names.values()];
}

function guessedType(name: string): string {
  if (/date|_at$|_on$|time/i.test(name)) return 'TIMESTAMP';
  return /amount|price|qty|quantity|total|count|num|id$|key$|year|rate|balance|score|value/i.test(name)
    ? 'DECIMAL(38,2)'
    : 'VARCHAR';
}

function nameOf({ database, schema, table }: TableName): string {
  return [database, schema, table].join('.');
}

function canDeclare({ database, schema, table }: TableName): boolean {
  return [database, schema, table].every((name) => name !== '' && !name.includes('.'));
}
