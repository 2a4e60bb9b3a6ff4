import type { TableName } from '../../core/relation.ts';
import type { Token } from '../parse/tokenize.ts';
import type { Name } from '../parse/tree.ts';
import { fullName } from '../write/query/from.ts';
import { fold, NO_NAMES, type Session, type Writing } from '../write/sql/writing.ts';
import type { StatementTarget } from './statement-target.ts';

/** A table that a statement names, and what the statement does with it. */
export interface NamedUse {
  readonly table: TableName;
  readonly effect: 'read' | 'change' | StatementTarget['effect'];
}

/** Words that end the list of tables after FROM. */
const clauses = new Set(
  'WHERE GROUP ORDER HAVING QUALIFY LIMIT OFFSET FETCH UNION INTERSECT EXCEPT MINUS SELECT SET WHEN WINDOW VALUES CONNECT START RETURNING'.split(
    ' ',
  ),
);
/** Functions whose arguments have the word FROM. */
const functionsWithFrom = new Set(['EXTRACT', 'TRIM', 'SUBSTRING', 'OVERLAY', 'POSITION']);
/** Words after which a query, and no list of joined tables, is in parentheses. */
const queryWords = new Set(['SELECT', 'WITH', 'VALUES']);
/** What is between the first word of a statement and the table that it changes. */
const beforeTarget: Readonly<Record<string, readonly string[]>> = {
  UPDATE: [],
  DELETE: ['FROM'],
  TRUNCATE: ['TABLE', 'IF', 'EXISTS'],
};

/** What is known inside of a pair of parentheses. */
interface Level {
  /** Whether a table comes next. */
  expects: boolean;
  /** Whether a comma separates tables. */
  isFrom: boolean;
  /** The word before the parenthesis. */
  readonly before: string;
}

/**
 * The tables that a statement names, without a look at which tables exist: what follows FROM, JOIN, USING and INTO and is not a common table
 * of a WITH. `targets`: what its first words tell. The statement may also be one that cannot be translated.
 */
export function tableUses(
  tokens: readonly Token[],
  session: Session,
  targets: () => readonly StatementTarget[],
): readonly NamedUse[] {
  const writing: Writing = { session, names: NO_NAMES, commonTables: new Map() };
  const uses: NamedUse[] = [];
  const isCommon = commonTables(tokens, writing);
  const add = (effect: NamedUse['effect'], at: number): void => {
    const parts = nameAt(tokens, at);
    const [only] = parts;
    if (only === undefined || parts.length > 3 || (parts.length === 1 && isCommon(fold(only, writing), at)))
      return;
    uses.push({ table: fullName(parts, writing), effect });
  };
  const first = tokens[0]?.value ?? '';
  const isInto = first === 'INSERT' || first === 'MERGE' || (first === 'COPY' && tokens[1]?.value === 'INTO');
  // INTO finds these, also the second one of an INSERT ALL.
  if (!isInto) uses.push(...targets());
  let start = 1;
  const skipped = beforeTarget[first];
  if (skipped !== undefined && tokens[0]?.kind === 'word') {
    while (tokens[start]?.kind === 'word' && skipped.includes(tokens[start]?.value ?? '')) start += 1;
    add('change', start);
  }
  const levels: Level[] = [{ expects: false, isFrom: false, before: '' }];
  for (let at = skipped === undefined ? 0 : start; at < tokens.length; at += 1) {
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
    } else if (level.expects && isName(token) && token.value !== 'LATERAL') {
      level.expects = false;
      const end = endOfName(tokens, at);
      // A table function.
      if (tokens[end]?.raw !== '(') add('read', at);
      at = end - 1;
    } else if (token.kind !== 'word' && token.raw !== ',') {
      // The rows of a component, or a text.
      level.expects = false;
    } else if (token.raw === ',') {
      level.expects = level.isFrom;
    } else if (token.kind === 'word') {
      follow(token.value, level, { tokens, at, isCreate: first === 'CREATE' && levels.length <= 2 });
      if (token.value === 'INTO' && isInto && levels.length === 1) add('insert', at + 1);
    }
  }
  return uses;
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
