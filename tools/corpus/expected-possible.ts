import type { BoundPipeline, TableName, UnknownComponent } from '../../engine/index.ts';
import { callsIn } from './expected-calls.ts';
import { type HistorySide, scriptsOf } from './expected-changed.ts';
import { type PlainComponent, type PlainPipeline, sqlOf, textIn, textsIn } from './plain-pipeline.ts';
import { plainSql, wordsIn } from './plain-sql.ts';

/** A component of which not everything is known. */
interface OpenPart {
  readonly pipeline: string;
  /** The tables that its texts may name, in lower case. */
  readonly names: ReadonlySet<string>;
  /** Names of tables in its SQL, with `*` in place of a variable. */
  readonly openNames: readonly string[];
  /** The names, in lower case, of the tables that it may write. */
  readonly writes: ReadonlySet<string>;
  /** Whether it may write any table. */
  readonly writesAny: boolean;
}

/** What is reached by one step that is possible, and not certain, from what certainly has other data. */
export function possibleSteps(
  now: HistorySide,
  before: HistorySide,
  sure: ReadonlySet<string>,
): ReadonlySet<string> {
  const parts = partsOf(now);
  const writers = [...parts, ...partsOf(before)].filter(({ pipeline }) => sure.has(pipeline));
  const bound = [...sure].flatMap((path) =>
    [now, before].flatMap((side) => {
      const found = side.bound.get(path);
      return found === undefined ? [] : [{ path, ...found }];
    }),
  );
  const writes = bound.flatMap(({ path, writes: own }) => own.map(({ table }) => ({ path, table })));
  const openWrites = [
    ...bound.flatMap(({ path, open }) =>
      open.flatMap(({ effect, table }) => (effect === 'write' ? [{ path, table }] : [])),
    ),
    ...writers
      .filter(({ writesAny }) => writesAny)
      .map(({ pipeline: path }) => ({ path, table: { database: '*', schema: '*', table: '*' } })),
  ];
  const reached = new Set<string>();
  const known = tableNamesOf(now);
  const add = (to: string, froms: readonly string[]) => {
    if (froms.some((from) => from !== to)) reached.add(to);
  };
  const pathsOf = (list: readonly { readonly path: string }[]) => list.map(({ path }) => path);
  for (const [to, { reads, open }] of now.bound) {
    for (const { table } of reads) {
      add(to, pathsOf(openWrites.filter((write) => fits(write.table, table))));
      add(
        to,
        writers.filter((part) => part.writes.has(table.table.toLowerCase())).map(({ pipeline }) => pipeline),
      );
    }
    for (const { table, effect } of open)
      if (effect === 'read') {
        add(to, pathsOf(writes.filter((write) => fits(table, write.table))));
        add(to, pathsOf(openWrites));
      }
  }
  for (const { path: to, components } of now.pipelines.values())
    for (const component of components?.values() ?? []) {
      const name = patternOf(component);
      if (name === undefined) continue;
      add(to, pathsOf(openWrites));
      add(to, pathsOf(writes.filter(({ table }) => fitsText(name, table.table))));
    }
  for (const { pipeline: to, names, openNames } of parts) {
    add(to, pathsOf(writes.filter(({ table }) => names.has(table.table.toLowerCase()))));
    for (const { pipeline, writes: own } of writers)
      if ([...own].some((name) => known.has(name) && names.has(name))) add(to, [pipeline]);
    if (openNames.length > 0) add(to, pathsOf(openWrites));
    for (const name of openNames)
      add(to, pathsOf(writes.filter(({ table }) => fitsText(name, table.table, 'i'))));
  }
  return reached;
}

/** The pattern of the names that a component reads, with `*` for what may be anything. */
function patternOf({ type, isSkipped, parameters }: PlainComponent): string | undefined {
  const pattern = textIn(parameters, 'pattern');
  const isRead = type === 'multi-table-input' && !isSkipped && pattern !== '';
  return isRead ? pattern.replaceAll(/\$\{[^}]*\}|[%_]/g, '*') : undefined;
}

/** The names, in lower case, of the tables that pipelines read. */
function tableNamesOf({ bound }: HistorySide): ReadonlySet<string> {
  return new Set(
    [...bound.values()].flatMap(({ reads }) => reads.map(({ table }) => table.table.toLowerCase())),
  );
}

function fits(open: TableName, table: TableName): boolean {
  return (
    fitsText(open.database, table.database) &&
    fitsText(open.schema, table.schema) &&
    fitsText(open.table, table.table)
  );
}

function fitsText(open: string, text: string, flag = ''): boolean {
  return new RegExp(`^${open.split('*').map(RegExp.escape).join('.*')}$`, `s${flag}`).test(text);
}

function partsOf(side: HistorySide): readonly OpenPart[] {
  const tables = new Set(
    [...side.bound.values()].flatMap(({ reads, writes, unknown }) =>
      [...reads, ...writes]
        .map(({ table }) => table.table.toLowerCase())
        .concat(unknown.flatMap((each) => each.tables.map(({ table }) => table.toLowerCase()))),
    ),
  );
  return [...side.pipelines.values()].flatMap((pipeline) => partsIn(pipeline, side, tables));
}

const codeTypes = /^(?:python-script|python-pushdown|bash-script)$/;
/** Words of code that may write. */
const writing =
  /insert|update|delete|merge|truncate|copy|create|alter|replace|rename|drop|write|load|save|append|to_sql|immediate|call\b/i;

function partsIn(
  pipeline: PlainPipeline,
  side: HistorySide,
  tables: ReadonlySet<string>,
): readonly OpenPart[] {
  const bound = side.bound.get(pipeline.path);
  if (bound === undefined) return [];
  const out = new Set(
    callsIn(pipeline, side)
      .filter(({ called, isOpen }) => called === undefined && !isOpen)
      .map(({ component }) => component.name),
  );
  return [...(pipeline.components?.values() ?? [])].flatMap((component): OpenPart[] => {
    const { name, type, isSkipped } = component;
    const reasons = bound.unknown.filter((each) => each.component === name && !each.isAfterOther);
    const isCode = codeTypes.test(type);
    if (isSkipped || !(isCode || out.has(name) || reasons.length > 0)) return [];
    const scripts = scriptsOf(component, []).flatMap((file) => side.files.get(file) ?? []);
    const texts = [...textsIn(component.parameters), ...scripts];
    const mayWrite = !isCode || texts.some((text) => writing.test(text));
    const statements = reasons.filter(({ others }) => others !== 'none' && mayWrite);
    const written = statements.map(({ text }) => tableWords(text === undefined ? texts : [text], tables));
    if (statements.length === 0 && (out.has(name) || (isCode && mayWrite)))
      written.push(tableWords(texts, tables));
    return [
      {
        pipeline: pipeline.path,
        names: readWords(texts, name, bound),
        openNames: openNamesIn(component, scripts, reasons),
        writes: new Set(written.flatMap((words) => [...words])),
        writesAny: statements.some(({ others }, index) => others === 'any' && written[index]?.size === 0),
      },
    ];
  });
}

function tableWords(texts: readonly string[], tables: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(texts.flatMap(wordsIn).filter((word) => tables.has(word)));
}

/** All words of a component, without one of each name that is there because the component writes the table. */
function readWords(
  texts: readonly string[],
  component: string,
  { writes }: BoundPipeline,
): ReadonlySet<string> {
  const words = texts.flatMap(wordsIn);
  for (const write of writes) {
    if (write.component !== component) continue;
    const at = words.indexOf(write.table.table.toLowerCase());
    if (at >= 0) words.splice(at, 1);
  }
  return new Set(words);
}

/** What a name of a table comes after; at the beginning of a statement, a variable may be all of it. */
const beforeTable = /^(?:FROM|JOIN|INTO|UPDATE|TABLE|VIEW|USING|EXISTS|,|\.|\(|;|)$/;

/** Names in SQL that have a variable without a known value, and that may be names of tables. */
function openNamesIn(
  component: PlainComponent,
  scripts: readonly string[],
  reasons: readonly UnknownComponent[],
): readonly string[] {
  const variables = new Set(reasons.flatMap((each) => each.variables.map((name) => name.toLowerCase())));
  if (variables.size === 0) return [];
  return [...sqlOf(component), ...scripts].flatMap((sql) => {
    const tokens = plainSql(sql);
    return tokens.flatMap((token, index) => {
      const isOpen =
        token.includes('${') && !token.includes("'") && wordsIn(token).some((word) => variables.has(word));
      const isName = isOpen && tokens[index + 1] !== '.' && beforeTable.test(tokens[index - 1] ?? '');
      return isName ? [token.replaceAll('"', '').replaceAll(/\$\{[^}]*\}/g, '*')] : [];
    });
  });
}
