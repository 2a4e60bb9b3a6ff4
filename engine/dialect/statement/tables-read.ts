import type { TableName } from '../../core/relation.ts';
import type { Token } from '../parse/tokenize.ts';
import type { Name } from '../parse/tree.ts';
import { fullName } from '../write/query/from.ts';
import { fold, NO_NAMES, type Session, type Writing } from '../write/sql/writing.ts';

/** Words that end the list of tables after FROM. */
const clauses = new Set(
  'WHERE GROUP ORDER HAVING QUALIFY LIMIT OFFSET FETCH UNION INTERSECT EXCEPT MINUS SELECT SET WHEN WINDOW VALUES CONNECT START RETURNING'.split(
    ' ',
  ),
);
/** Functions whose arguments have the word FROM. */
const functionsWithFrom = new Set(['EXTRACT', 'TRIM', 'SUBSTRING', 'SUBSTR', 'OVERLAY', 'POSITION']);
/** Words after which a query, and no list of joined tables, is in parentheses. */
const queryWords = new Set(['SELECT', 'WITH', 'VALUES']);
/** Words between FROM and a table or a query. */
const besideTables = new Set(['LATERAL', 'ONLY']);

/** What is known inside of a pair of parentheses. */
interface Level {
  /** Whether a table comes next. */
  expects: boolean;
  /** Whether a comma separates tables. */
  isFrom: boolean;
  /** The word before the parenthesis. */
  readonly before: string;
}

/** The tables that the clauses of a statement name. */
export interface NamedInClauses {
  /** The tables after FROM, JOIN and USING, and in a CREATE also after CLONE and LIKE. */
  readonly reads: readonly TableName[];
  /** The tables after INTO, outside of parentheses. */
  readonly into: readonly TableName[];
}

/**
 * Finds the tables that clauses name, without checking whether they exist. Common table expressions of a WITH are not
 * included.
 * @param isCreate whether the tokens belong to a CREATE
 */
export function tablesRead(tokens: readonly Token[], session: Session, isCreate: boolean): NamedInClauses {
  const writing: Writing = { session, names: NO_NAMES, commonTables: new Map() };
  const [reads, into]: [TableName[], TableName[]] = [[], []];
  const isCommon = commonTables(tokens, writing);
  const add = (list: TableName[], at: number): void => {
    const parts = nameAt(tokens, at);
    const [only] = parts;
    if (only === undefined || parts.length > 3 || (parts.length === 1 && isCommon(fold(only, writing), at)))
      return;
    list.push(fullName(parts, writing));
  };
  const levels: Level[] = [{ expects: false, isFrom: false, before: '' }];
  for (let at = 0; at < tokens.length; at += 1) {
    const level = levels.at(-1);
    const token = tokens[at];
    if (level === undefined || token === undefined) break;
    const next = tokens[at + 1];
    if (token.raw === '(') {
      const isList = level.expects && !(next?.kind === 'word' && queryWords.has(next.value));
      levels.push({ expects: isList, isFrom: isList, before: tokens[at - 1]?.value ?? '' });
      level.expects = false;
    } else if (token.raw === ')') {
      if (levels.length > 1) levels.pop();
    } else if (level.expects && isName(token) && !(token.kind === 'word' && besideTables.has(token.value))) {
      level.expects = false;
      const end = endOfName(tokens, at);
      // A table function.
      if (tokens[end]?.raw !== '(') add(reads, at);
      at = end - 1;
    } else if (token.kind !== 'word' && token.raw !== ',') {
      // The rows of a component, or a text.
      level.expects = false;
    } else if (token.raw === ',') {
      level.expects = level.isFrom;
    } else if (token.kind === 'word') {
      follow(token.value, level, { tokens, at, isCreate: isCreate && levels.length <= 2 });
      if (token.value === 'INTO' && levels.length === 1) add(into, at + 1);
    }
  }
  return { reads, into };
}

/** What a word means for what comes next. */
function follow(
  word: string,
  level: Level,
  place: {
    readonly tokens: readonly Token[];
    readonly at: number;
    readonly isCreate: boolean;
  },
): void {
  const { tokens, at, isCreate } = place;
  if (word === 'FROM') {
    // `EXTRACT(YEAR FROM day)`, `a IS DISTINCT FROM b`.
    if (functionsWithFrom.has(level.before) || tokens[at - 1]?.value === 'DISTINCT') return;
    level.expects = level.isFrom = true;
  } else if (word === 'JOIN') {
    level.expects = level.isFrom = true;
  } else if (word === 'USING') {
    // Of MERGE and DELETE; the USING of a JOIN lists columns.
    level.expects = tokens[at + 1]?.raw !== '(';
    level.isFrom = level.expects;
  } else if (
    (word === 'CLONE' || word === 'LIKE') &&
    isCreate &&
    !tokens.slice(0, at).some(({ value }) => value === 'AS')
  ) {
    level.expects = true;
  } else if (clauses.has(word)) {
    level.expects = level.isFrom = false;
  }
}

function isName({ kind }: Token): boolean {
  return kind === 'word' || kind === 'quoted';
}

/** The index after a name with dots. */
function endOfName(tokens: readonly Token[], at: number): number {
  let end = at + 1;
  while (
    tokens[end]?.raw === '.' &&
    isName(tokens[end + 1] ?? { kind: 'end', raw: '', value: '', start: 0, end: 0 })
  )
    end += 2;
  return end;
}

function nameAt(tokens: readonly Token[], at: number): readonly Name[] {
  const [token] = tokens.slice(at, at + 1);
  if (token === undefined || !isName(token)) return [];
  return tokens
    .slice(at, endOfName(tokens, at))
    .filter(isName)
    .map(({ kind, raw, value, start }) => ({
      text: kind === 'quoted' ? value : raw,
      isQuoted: kind === 'quoted',
      at: start,
    }));
}

/** Whether a name at an index means a common table: one that an earlier part of a WITH around it defines. */
function commonTables(tokens: readonly Token[], writing: Writing): (name: string, at: number) => boolean {
  const closing = closingParentheses(tokens);
  const isRecursive = tokens.some(({ kind, value }) => kind === 'word' && value === 'RECURSIVE');
  const scopes = tokens.flatMap((token, at) => {
    const before = tokens[at - 1]?.value;
    if (!isName(token) || !(before === 'WITH' || before === 'RECURSIVE' || before === ',')) return [];
    const after = tokens[at + 1]?.raw === '(' ? (closing.get(at + 1) ?? at) + 1 : at + 1;
    const body = after + 1;
    const close = closing.get(body);
    if (tokens[after]?.value !== 'AS' || close === undefined) return [];
    const around = [...closing].filter(([open, end]) => open < at && end > close).map(([, end]) => end);
    const [name] = nameAt(tokens, at);
    if (name === undefined) return [];
    const from = isRecursive ? body : close;
    return { name: fold(name, writing), from, to: Math.min(tokens.length, ...around) };
  });
  return (name, at) => scopes.some((scope) => scope.name === name && at > scope.from && at < scope.to);
}

function closingParentheses(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { kind, raw }] of tokens.entries()) {
    if (kind !== 'operator') continue;
    if (raw === '(') open.push(at);
    if (raw !== ')') continue;
    const start = open.pop();
    if (start !== undefined) closing.set(start, at);
  }
  return closing;
}
