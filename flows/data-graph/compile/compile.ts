import { type BindingProblem, nothingBound, type SqlErrorCode } from '../../../engine/index.ts';
import type { CompileRule } from '../../../lib/config/project/compile-schema.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { breakingChanges } from './breaking-changes.ts';
import { changedTypes } from './changed-types.ts';
import {
  type CompileFinding,
  definitionPlace,
  type RelatedPlace,
  type UnknownReason,
} from './compile-report.ts';
import type { Compilation } from './conclude-compile.ts';
import { declaredDifferences } from './declared-differences.ts';
import { withoutFix } from './without-fix.ts';
import { givenColumns } from './given-columns.ts';
import { outsideTables } from './outside-tables.ts';
import { reboundReaders } from './rebound-readers.ts';
import { refusedCalls } from './refused-calls.ts';
import { refusedStarts } from './refused-starts.ts';
import { definedObjects, objectKey } from '../texts/sql-objects.ts';
import { type UnreadablePipeline, unreadablePipelines } from '../texts/unreadable-pipelines.ts';

/**
 * Finds everything in a project that cannot work. With `base` (the project before a change), findings about what
 * the change breaks are placed at the change.
 */
export function compile(graph: DataGraph, base?: DataGraph): Compilation {
  const problems = [...graph.pipelines].flatMap(([pipeline, { problems: list }]) =>
    list.map((problem) => ({ pipeline, problem })),
  );
  const breaking = base === undefined ? undefined : breakingChanges(graph, base);
  const unreadable = unreadablePipelines(graph.project);
  if (!graph.areColumnsKnown) return withoutColumns(graph, { breaking: breaking?.findings, unreadable });
  const findings = [
    ...unreadable.map(unreadableFinding),
    ...problems
      .filter(
        ({ pipeline, problem }) =>
          breaking?.covered.has(problem) !== true && !isNamed(pipeline, problem, breaking?.findings ?? []),
      )
      .map(({ pipeline, problem }) => findingOf(pipeline, problem, graph)),
    ...(breaking?.findings ?? []),
    ...(base === undefined ? [] : reboundReaders(graph, base)),
    ...(base === undefined ? [] : changedTypes(graph, base, breaking?.findings ?? [])),
    ...givenColumns(graph),
    ...declaredDifferences(graph),
    ...refusedCalls(graph),
    ...refusedStarts(graph),
  ];
  const reads = [...graph.pipelines.values()].flatMap((bound) => bound.reads);
  return {
    findings: findings.toSorted(compareFindings),
    hasBase: base !== undefined,
    pipelines: new Set([...graph.pipelines.keys(), ...unreadable.map(({ pipeline }) => pipeline)]).size,
    unreadable: unreadable.length,
    reads: { bound: reads.filter(({ isBound }) => isBound).length, total: reads.length },
    unknown: unknownReasons(graph),
    outside: outsideTables(graph),
  };
}

/** What calls and names of tables alone show. */
function withoutColumns(
  graph: DataGraph,
  {
    breaking,
    unreadable,
  }: {
    readonly breaking: readonly CompileFinding[] | undefined;
    readonly unreadable: readonly UnreadablePipeline[];
  },
): Compilation {
  const starts = refusedStarts({
    project: graph.project,
    pipelines: new Map([...graph.pipelines.keys()].map((path) => [path, nothingBound])),
  });
  const findings = [
    ...unreadable.map(unreadableFinding),
    ...(breaking ?? []),
    ...refusedCalls(graph),
    ...starts,
  ];
  return {
    findings: findings.toSorted(compareFindings),
    hasBase: breaking !== undefined,
    pipelines: new Set([...graph.pipelines.keys(), ...unreadable.map(({ pipeline }) => pipeline)]).size,
    unreadable: unreadable.length,
    reads: { bound: 0, total: [...graph.pipelines.values()].flatMap(({ reads }) => reads).length },
    withoutColumns: true,
    unknown: [],
    outside: [],
  };
}

/** Whether a finding about a change names the component as a reader of the column that it lacks. */
function isNamed(
  pipeline: string,
  { component, column }: BindingProblem,
  breaking: readonly CompileFinding[],
): boolean {
  return breaking.some(
    ({ rule, columnName, related }) =>
      rule === 'breaking-change' &&
      columnName === column &&
      related.some((reader) => reader.pipeline === pipeline && reader.component === component),
  );
}

function unreadableFinding(unreadable: UnreadablePipeline): CompileFinding {
  return {
    ...unreadable,
    rule: 'unreadable-pipeline',
    severity: 'error',
    tables: [],
    subject: '',
    related: [],
  };
}

const ruleOf: Readonly<Record<SqlErrorCode, CompileRule>> = {
  'missing-table': 'missing-table',
  'missing-column': 'missing-column',
  'ambiguous-column': 'ambiguous-column',
  exists: 'cannot-run',
  'missing-object': 'cannot-run',
  'other-kind': 'cannot-run',
};

function findingOf(
  pipeline: string,
  problem: BindingProblem,
  { tables, schemas }: DataGraph,
): CompileFinding {
  const { component, place, message, code, column } = problem;
  // Of several tables, the message does not say which one lacks the column.
  const [table, ...others] = problem.tables;
  const definitions = table === undefined || others.length > 0 ? [] : tables.definitionsOf(table);
  const related = definitions.map(definitionPlace);
  const declared = problem.tables.flatMap((each) => {
    const { place: at } = (tables.isOutside(each) ? schemas.get(each) : undefined) ?? {};
    return at === undefined ? [] : [`"${each.table}" is declared at ${at.file}:${at.line}`];
  });
  const where = declared.length === 0 || code !== 'missing-column' ? '' : ` (${declared.join(', ')})`;
  const rule = code === undefined ? 'cannot-run' : ruleOf[code];
  return {
    ...place,
    rule,
    severity: 'error',
    pipeline,
    ...(component === undefined ? {} : { component }),
    tables: problem.tables,
    columnName: isAboutColumn(rule) ? column : undefined,
    subject: isAboutColumn(rule) && column !== undefined ? columnSubject(column, problem.tables) : message,
    message: `${message}${where}`,
    related: code === 'missing-column' ? related : [],
  };
}

/** A column with the tables that may be meant: the same name in another table is another problem. */
function columnSubject(column: string, tables: BindingProblem['tables']): string {
  const names = tables.map(({ database, schema, table }) => `${database}.${schema}.${table}`);
  return [...[...new Set(names)].toSorted(compareTexts), column].join(', ');
}

function isAboutColumn(rule: CompileRule): boolean {
  return rule === 'missing-column' || rule === 'ambiguous-column';
}

const unknownFunction = /\bdoes not support the function (\w+)(?:; did you mean [^?]*\?)?/;

function unknownReasons(graph: DataGraph): readonly UnknownReason[] {
  const { pipelines } = graph;
  let created: ReadonlySet<string> | undefined;
  const isCreated = (key: string) =>
    (created ??= new Set([...definedObjects(graph).values()].flatMap((objects) => [...objects.keys()]))).has(
      key,
    );
  /** A name that the project gives to a function is not a misspelled one. */
  const shown = (reason: string) =>
    reason.replace(unknownFunction, (text, name: string) =>
      isCreated(objectKey('called', name))
        ? `does not know the function ${name} here, which another pipeline creates`
        : text,
    );
  const groups = new Map<string, { count: number; readonly example: RelatedPlace }>();
  for (const [pipeline, { unknown, problems }] of pipelines) {
    const found = new Set(problems.map(({ component, message }) => JSON.stringify([component, message])));
    for (const { component, place, reason } of unknown) {
      if (found.has(JSON.stringify([component, reason]))) continue;
      const text = groupText(shown(reason));
      const group = groups.get(text) ?? { count: 0, example: { ...place, pipeline, component } };
      group.count += 1;
      groups.set(text, group);
    }
  }
  return Array.from(groups, ([reason, group]) => ({ reason, ...group })).toSorted(
    (a, b) => b.count - a.count,
  );
}

/** Reasons that differ in names only are one: the example has the names. Lines of a mock belong to one component. */
function groupText(reason: string): string {
  const [first = ''] = reason.split('\n');
  return withoutFix(first).replace(/"[^"]*"/g, '"…"');
}

function compareFindings(a: CompileFinding, b: CompileFinding): number {
  return (
    compareTexts(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compareTexts(a.rule, b.rule) ||
    compareTexts(a.message, b.message)
  );
}
