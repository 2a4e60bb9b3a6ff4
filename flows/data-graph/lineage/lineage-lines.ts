import type { WarehouseKind } from '../../../engine/index.ts';
import { listText } from '../../../lib/core/text/list-text.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { tableLines } from '../../../lib/core/text/table-lines.ts';
import { nameText, partText } from './find-column.ts';
import type { ComponentPlace, LineageLink, LineageReport, UnknownSource } from './lineage-report.ts';

interface Tree {
  readonly text: string;
  readonly branches: readonly Tree[];
}

/** Options for the text form of a lineage. */
export interface LineageTextOptions {
  readonly kind: WarehouseKind;
  readonly defaults: { readonly database: string; readonly schema: string };
  /** Whether the sources were followed, and whether the readers were. */
  readonly up: boolean;
  readonly down: boolean;
}

/**
 * A lineage as lines for a terminal: for a column, the trees of its sources and readers; for a table, its columns
 * with their sources, and its readers.
 */
export function lineageLines(report: LineageReport, options: LineageTextOptions): readonly string[] {
  const lines = report.column === undefined ? tableOf(report, options) : treesOf(report, options);
  const users = report.unnamed.flatMap(({ variable, user }) =>
    variable === undefined ? [] : `  ${componentText(user)}: the variable "${variable}"`,
  );
  const running = report.unnamed.flatMap(({ variable, user }) =>
    variable === undefined ? `  ${componentText(user)}` : [],
  );
  const { known, total } = report.writes;
  return [
    ...lines,
    ...unnamedLines(
      'Components that use a table whose name depends on a variable without a known value, which may be one of these',
      users,
    ),
    ...unnamedLines(
      'Components that run SQL that is known only at run time, which may write one of these',
      running,
    ),
    `${numberOf(report.columns.length, 'column')} of ${numberOf(tablesOf(report), 'table')}. In the project, all sources of ${known} of ${numberOf(total, 'component')} that write tables are known.`,
  ];
}

/** At most this many components whose tables are not known are listed. */
const maxUnnamed = 5;

function unnamedLines(title: string, lines: readonly string[]): readonly string[] {
  const users = [...new Set(lines)];
  if (users.length === 0) return [];
  return [
    title,
    ...users.slice(0, maxUnnamed),
    ...(users.length > maxUnnamed ? [`  and ${users.length - maxUnnamed} more, which --json lists`] : []),
    '',
  ];
}

function tablesOf({ columns }: LineageReport): number {
  return new Set(columns.map(({ database, schema, table }) => JSON.stringify([database, schema, table])))
    .size;
}

function treesOf(report: LineageReport, options: LineageTextOptions): readonly string[] {
  const { table, column = '' } = report;
  const start = nameText({ table, column }, options.kind);
  const names = namesOf(report, options);
  const above = options.up
    ? [...upward(start, names, new Set([start])), ...decidingTrees(start, report, names)]
    : [];
  const below = options.down ? downward(start, report, names, new Set([start])) : [];
  return [
    ...(options.up ? titled(`${names.text(start)} comes from`, above, names.origin(start)) : []),
    ...(options.down ? titled(`${names.text(start)} is read by`, below, 'no component of the project') : []),
  ];
}

function titled(title: string, trees: readonly Tree[], otherwise: string): readonly string[] {
  const branches = trees.length > 0 ? trees : [{ text: otherwise, branches: [] }];
  return [title, ...branchLines(branches, ''), ''];
}

function branchLines(branches: readonly Tree[], indent: string): readonly string[] {
  return branches.flatMap(({ text, branches: inner }, index) => {
    const isLast = index === branches.length - 1;
    return [
      `${indent}${isLast ? '└─' : '├─'} ${text}`,
      ...branchLines(inner, `${indent}${isLast ? '  ' : '│ '} `),
    ];
  });
}

/** The names of a report, as short as they can be. */
interface Names {
  /** The name of a table or column without the database and schema of the project. */
  text(id: string): string;
  /** Where a column comes from that no component writes. */
  origin(id: string): string;
  unknown(id: string): readonly UnknownSource[];
  readonly linksTo: ReadonlyMap<string, readonly LineageLink[]>;
  readonly linksFrom: ReadonlyMap<string | undefined, readonly LineageLink[]>;
}

function namesOf({ columns, links }: LineageReport, { kind, defaults }: LineageTextOptions): Names {
  const prefix = `${partText(defaults.database, kind)}.${partText(defaults.schema, kind)}.`;
  const byId = new Map(columns.map((column) => [column.id, column]));
  return {
    text: (id) => (id.startsWith(prefix) ? id.slice(prefix.length) : id),
    origin: (id) =>
      byId.get(id)?.isOutside === false ? 'no component of the project writes it' : 'outside of the project',
    unknown: (id) => byId.get(id)?.unknown ?? [],
    linksTo: Map.groupBy(links, ({ to }) => to),
    linksFrom: Map.groupBy(links, ({ from }) => from),
  };
}

/** `seen`: columns whose branches are shown; gets those that this shows. */
function upward(id: string, names: Names, seen: Set<string>): readonly Tree[] {
  const links = names.linksTo.get(id) ?? [];
  const sources = links.map((link): Tree => {
    const { from } = link;
    if (from === undefined) return { text: `no column: ${linkText(link)}`, branches: [] };
    const hasLinks = names.linksTo.has(from);
    const isOpen = hasLinks || names.unknown(from).length > 0;
    const what = `${names.text(from)}${isOpen ? '' : ` (${names.origin(from)})`}, ${linkText(link)}`;
    if (!isOpen) return { text: what, branches: [] };
    if (seen.has(from)) return { text: `${what}; its sources are shown above`, branches: [] };
    seen.add(from);
    return { text: what, branches: upward(from, names, seen) };
  });
  return [...sources, ...names.unknown(id).map(unknownTree)];
}

function unknownTree({ reason, writer }: UnknownSource): Tree {
  return {
    text: `unknown: ${reason}${writer === undefined ? '' : `: ${componentText(writer)}`}`,
    branches: [],
  };
}

/** What decides about the column where it is written, one line for each component. */
function decidingTrees(id: string, { decisions }: LineageReport, names: Names): readonly Tree[] {
  const own = decisions.filter(({ to }) => to === id || id.startsWith(`${to}.`));
  const groups = Map.groupBy(own, ({ writer, about }) => `${componentText(writer)} chooses ${about} by`);
  return Array.from(groups, ([text, list]) => {
    const from = listText([...new Set(list.map((decision) => names.text(decision.from)))]);
    return { text: `${text} ${from}`, branches: [] };
  });
}

function downward(id: string, report: LineageReport, names: Names, seen: Set<string>): readonly Tree[] {
  const links = names.linksFrom.get(id) ?? [];
  const targets = links.map((link): Tree => {
    const { to } = link;
    const what = `${names.text(to)}, ${linkText(link)}`;
    if (seen.has(to)) return { text: `${what}; its readers are shown above`, branches: [] };
    seen.add(to);
    return { text: what, branches: downward(to, report, names, seen) };
  });
  const decided = report.decisions
    .filter(({ from }) => from === id)
    .map(({ to, about, writer }): Tree => ({
      text: `only chooses ${about} of ${names.text(to)}: ${componentText(writer)}`,
      branches: [],
    }));
  const read = report.reads
    .filter(({ from }) => from === id)
    .map(({ reader, unknown }): Tree => ({
      text:
        unknown === undefined
          ? `only read: ${componentText(reader)}`
          : `unknown: ${unknown}: ${componentText(reader)}`,
      branches: [],
    }));
  return [...targets, ...decided, ...read];
}

function linkText({ use, writer, computedIn }: LineageLink): string {
  if (computedIn.length === 0) return `${use} by ${componentText(writer)}`;
  const computed = computedIn.map(({ component, line }) => `"${component}" (line ${line})`);
  return `${use} by ${listText(computed)}, written by ${componentText(writer)}`;
}

function componentText({ component, file, line }: ComponentPlace): string {
  return `"${component}" (${file}:${line})`;
}

function tableOf(report: LineageReport, options: LineageTextOptions): readonly string[] {
  const id = nameText({ table: report.table }, options.kind);
  const names = namesOf(report, options);
  const columns = report.columns.filter((column) => nameText({ table: column }, options.kind) === id);
  return [
    ...(options.up ? columnTable(id, columns, report, names) : []),
    ...(options.down ? readerLines(id, report, names) : []),
  ];
}

function columnTable(
  table: string,
  columns: LineageReport['columns'],
  report: LineageReport,
  names: Names,
): readonly string[] {
  const [first] = columns;
  if (first === undefined) return [`${names.text(table)}: no column of it is known`, ''];
  const text = ({ reason, writer }: UnknownSource) =>
    [`unknown: ${reason}`, '', writer === undefined ? '' : componentText(writer)] as const;
  const keys = columns.map(({ unknown }) => new Set(unknown.map((each) => JSON.stringify(text(each)))));
  // What is not known of every column is said once.
  const shared = first.unknown.filter((each) => keys.every((key) => key.has(JSON.stringify(text(each)))));
  const isShared = (each: UnknownSource) =>
    columns.length > 1 && shared.some((other) => JSON.stringify(text(other)) === JSON.stringify(text(each)));
  const rows = columns.flatMap(({ id, column, unknown }) => {
    const own = unknown.filter((each) => !isShared(each)).map((each) => [column, ...text(each)]);
    const all = [...writerRows(id, column, report, names), ...own];
    return all.length > 0 ? all : [[column, unknown.length > 0 ? '' : names.origin(id), '', '']];
  });
  const ofAll = columns.length > 1 ? shared.map((each) => ['every column', ...text(each)]) : [];
  const lines = tableLines(['column', 'comes from', 'how', 'written by'], [...rows, ...ofAll]);
  return [`${names.text(table)}: columns`, ...indented(lines)];
}

/** One row for each component that writes the column. */
function writerRows(
  id: string,
  name: string,
  { decisions }: LineageReport,
  names: Names,
): readonly (readonly string[])[] {
  const own = names.linksTo.get(id) ?? [];
  return [...Map.groupBy(own, ({ writer }) => componentText(writer))].map(([writer, list]) => {
    const from = list.flatMap((link) => (link.from === undefined ? [] : [names.text(link.from)]));
    const chosen = decisions.filter((each) => each.to === id && componentText(each.writer) === writer);
    const choices = [...new Set(chosen.map((each) => names.text(each.from)))];
    const sources = [
      from.length === 0 ? 'no column' : from.join(', '),
      ...(choices.length === 0 ? [] : [`chosen by ${choices.join(', ')}`]),
    ];
    return [name, sources.join('; '), [...new Set(list.map(({ use }) => use))].join(', '), writer];
  });
}

/** The components that read columns of the table itself, each with what it does with them. */
function readerLines(table: string, report: LineageReport, names: Names): readonly string[] {
  const isOwn = ({ from }: { readonly from?: string }) => from?.startsWith(`${table}.`) === true;
  const short = (id = '') => id.slice(table.length + 1);
  const uses = [
    ...report.links.filter(isOwn).map(({ from, to, use, writer }) => ({
      reader: componentText(writer),
      text: `${short(from)} to ${names.text(to)}, ${use}`,
    })),
    ...report.decisions.filter(isOwn).map(({ from, to, about, writer }) => ({
      reader: componentText(writer),
      text: `${short(from)} only chooses ${about} of ${names.text(to)}`,
    })),
    ...report.reads.filter(isOwn).map(({ from, reader, unknown }) => ({
      reader: componentText(reader),
      text: unknown === undefined ? `${short(from)} only read` : `unknown: ${unknown}`,
    })),
  ];
  const groups = Map.groupBy(uses, ({ reader }) => reader);
  const lines = [...groups].flatMap(([reader, list]) => [
    `  ${reader}`,
    ...new Set(list.map(({ text }) => `    ${text}`)),
  ]);
  return [
    `${names.text(table)}: readers`,
    ...(lines.length > 0 ? lines : ['  no component of the project']),
    '',
  ];
}

function indented(lines: readonly string[]): readonly string[] {
  return [...lines.map((line) => `  ${line}`), ''];
}
