import {
  describeType,
  readTypeText,
  Refusal,
  sourceText,
  SqlError,
  type WarehouseKind,
  type WrittenToken,
  writtenTokens,
} from '../../../../engine/index.ts';
import type { TestProject } from '../../files/test-project.ts';
import { components } from './guess-type.ts';

/** Types by the column's name, by the table's name, both in lower case; null where declarations differ. */
type Types = ReadonlyMap<string, ReadonlyMap<string, string | null>>;

/** A larger file of SQL has data rather than declarations. In bytes. */
const maxBytes = 1_000_000;

const typesByProject = new WeakMap<TestProject, Types>();

/**
 * The type that CREATE TABLE statements give to a column, in SQL of components and in all files with SQL, even
 * those that no pipeline runs. Schemas and case are ignored, because such files are often for another database.
 * Undefined if no statement declares the column, or if they contradict each other.
 */
export function typeInScripts(table: string, column: string, project: TestProject): string | undefined {
  const types = typesByProject.get(project) ?? readTypes(project);
  typesByProject.set(project, types);
  return types.get(table.toLowerCase())?.get(column.toLowerCase()) ?? undefined;
}

function readTypes(project: TestProject): Types {
  const tables = new Map<string, Map<string, string | null>>();
  for (const text of scripts(project))
    for (const { table, column, type } of declarations(text, project.kind)) {
      const columns = tables.get(table) ?? new Map<string, string | null>();
      tables.set(table, columns);
      const before = columns.get(column);
      columns.set(column, before === undefined || before === type ? type : null);
    }
  return tables;
}

function* scripts(project: TestProject): Generator<string> {
  for (const file of project.paths.filter((path) => /\.sql$/i.test(path))) {
    const isRead = (project.size(file) ?? 0) <= maxBytes;
    const bytes = isRead ? project.bytes(file) : undefined;
    if (bytes !== undefined) yield Buffer.from(bytes).toString('utf8');
  }
  for (const component of components(project)) {
    const text = component.text('sqlScript');
    if (text !== undefined) yield text;
  }
}

interface Declaration {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

const name = String.raw`(?:"[^"]+"|[\p{L}\p{N}_$\{}]+)`;
const statement = new RegExp(
  String.raw`\bcreate\s+(?:or\s+replace\s+)?(?:\w+\s+){0,3}?table\s+(?:if\s+not\s+exists\s+)?((?:${name}\s*\.\s*)*)(${name})\s*\(`,
  'giu',
);

function* declarations(text: string, kind: WarehouseKind): Generator<Declaration> {
  for (const match of text.matchAll(statement)) {
    const table = unquoted(match[2] ?? '').toLowerCase();
    const list = insideOf(text.slice(match.index + match[0].length));
    const tokens = writtenTokens(list, kind) ?? [];
    for (const [first, ...rest] of entriesOf(tokens)) {
      if (first === undefined || (first.kind !== 'word' && first.kind !== 'quoted')) continue;
      const type = typeOf(rest, list, kind);
      if (type !== undefined) yield { table, column: unquoted(first.raw).toLowerCase(), type };
    }
  }
}

/** The text before the parenthesis that closes the list. */
function insideOf(text: string): string {
  let depth = 0;
  for (const { index, 0: part } of text.matchAll(/'[^']*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\/|[()]/g)) {
    if (part === '(') depth += 1;
    if (part === ')' && depth === 0) return text.slice(0, index);
    if (part === ')') depth -= 1;
  }
  return '';
}

/** The tokens between the commas of a list. */
function entriesOf(tokens: readonly WrittenToken[]): readonly (readonly WrittenToken[])[] {
  const entries: WrittenToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.raw === '(') depth += 1;
    if (token.raw === ')') depth -= 1;
    if (token.raw === ',' && depth === 0) entries.push([]);
    else entries.at(-1)?.push(token);
  }
  return entries;
}

/** No type has more tokens: `TIMESTAMP ( 9 ) WITHOUT TIME ZONE`. */
const maxTokens = 7;

/** The longest beginning that is a type: what follows are constraints. Undefined where a constraint takes the place of a column. */
function typeOf(tokens: readonly WrittenToken[], list: string, kind: WarehouseKind): string | undefined {
  const [first] = tokens;
  for (const last of tokens.slice(0, maxTokens).toReversed()) {
    const text = list.slice(first?.start, last.end);
    try {
      return describeType(readTypeText(sourceText(text, ''), kind), kind);
    } catch (error) {
      if (!(error instanceof Refusal) && !(error instanceof SqlError)) throw error;
    }
  }
  return undefined;
}

function unquoted(written: string): string {
  return written.replace(/^"(.*)"$/, '$1');
}
