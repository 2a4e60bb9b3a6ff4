import { type WarehouseKind, type WrittenToken, writtenTokens } from '../../../engine/index.ts';

/** A nesting level of SQL: inside a pair of parentheses or a CASE, or outside of all. */
export interface Level {
  readonly parent: Level | undefined;
  readonly isCase: boolean;
  /** The token before the opening parenthesis, in upper case. */
  readonly opener: string;
  /** The clause of the parent that it is in. */
  readonly outside: string;
}

/** A token, with its nesting level in the statement. */
export interface SqlToken extends WrittenToken {
  readonly index: number;
  readonly level: Level;
  /** The clause of its level that it is in, such as `WHERE` or `ORDER`; empty before the first. */
  readonly clause: string;
  /** It belongs to BETWEEN. */
  readonly isBetweenAnd: boolean;
  /** No change is planted here: a definition, or the rows of VALUES. */
  readonly isFixed: boolean;
}

/** SQL as tokens. It may have several statements. */
export interface SqlScript {
  readonly text: string;
  readonly tokens: readonly SqlToken[];
  /** The tokens of each statement, without `;`. */
  readonly statements: readonly (readonly SqlToken[])[];
  /** Whether the text is one expression, such as a condition of a join. */
  readonly isExpression: boolean;
}

const clauses: ReadonlySet<string> = new Set(
  (
    'SELECT FROM WHERE HAVING QUALIFY LIMIT OFFSET FETCH WINDOW ON USING SET VALUES WHEN THEN ELSE ROWS RANGE ' +
    'UNION EXCEPT MINUS INTERSECT JOIN RETURNING'
  ).split(' '),
);
const clausesWithBy: ReadonlySet<string> = new Set(['GROUP', 'ORDER', 'PARTITION', 'CLUSTER']);
const joinWords: ReadonlySet<string> = new Set(['LEFT', 'RIGHT', 'INNER', 'FULL', 'CROSS', 'NATURAL']);
const changing: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', '(']);

/**
 * Reads the structure of SQL as far as changes need it. Undefined for a text that the engine cannot split into
 * tokens.
 */
export function readSql(
  text: string,
  kind: WarehouseKind,
  { isExpression }: Pick<SqlScript, 'isExpression'>,
): SqlScript | undefined {
  const written = writtenTokens(text, kind);
  if (written === undefined) return undefined;
  const tokens: SqlToken[] = [];
  const statements: SqlToken[][] = [];
  let from = 0;
  for (const [index, token] of [...written, undefined].entries()) {
    if (token !== undefined && token.raw !== ';') continue;
    const statement = readStatement(written.slice(from, index), from, isExpression);
    from = index + 1;
    tokens.push(...statement);
    if (statement.length > 0) statements.push(statement);
  }
  return { text, tokens, statements, isExpression };
}

function readStatement(written: readonly WrittenToken[], offset: number, isExpression: boolean): SqlToken[] {
  const top: Level = { parent: undefined, isCase: false, opener: '', outside: '' };
  let level = top;
  const clauseOf = new Map<Level, string>([[top, '']]);
  const betweens = new Map<Level, number>();
  const first = written[0]?.value ?? '';
  // In a definition, only its query can be changed.
  let isFixed = !isExpression && !changing.has(first);
  const open = (opener: string, isCase: boolean) => {
    level = { parent: level, isCase, opener, outside: clauseOf.get(level) ?? '' };
    clauseOf.set(level, '');
  };
  return written.map((token, index) => {
    const [before, after] = [written[index - 1], written[index + 1]];
    const word = token.kind === 'word' && !token.hasVariable && before?.raw !== '.' ? token.value : '';
    if (first === 'CREATE' && (word === 'SELECT' || word === 'WITH')) isFixed = false;
    // A closing token belongs to the level around it.
    if ((token.raw === ')' && !level.isCase) || (word === 'END' && level.isCase)) level = level.parent ?? top;
    if (isClause(word, written, index)) clauseOf.set(level, joinWords.has(word) ? 'JOIN' : word);
    if (word === 'BETWEEN') betweens.set(level, (betweens.get(level) ?? 0) + 1);
    const isBetweenAnd = word === 'AND' && (betweens.get(level) ?? 0) > 0;
    if (isBetweenAnd) betweens.set(level, (betweens.get(level) ?? 1) - 1);
    const placed: SqlToken = {
      ...token,
      value: word === '' && token.kind === 'word' ? '' : token.value,
      index: offset + index,
      level,
      clause: clauseOf.get(level) ?? '',
      isBetweenAnd,
      isFixed: isFixed || isData(level),
    };
    if (token.raw === '(') open((before?.value ?? before?.raw ?? '').toUpperCase(), false);
    if (word === 'CASE' && after !== undefined) open('CASE', true);
    return placed;
  });
}

function isClause(word: string, tokens: readonly WrittenToken[], index: number): boolean {
  const next = tokens[index + 1];
  if (clausesWithBy.has(word)) return next?.value === 'BY';
  // LEFT and RIGHT are functions too.
  if (joinWords.has(word)) return next?.raw !== '(';
  // IS DISTINCT FROM is a comparison.
  if (word === 'FROM' && tokens[index - 1]?.value === 'DISTINCT')
    return tokens[index - 2]?.value === 'SELECT';
  return clauses.has(word);
}

/** Whether a level is a row of VALUES. */
function isData(level: Level): boolean {
  if (level.outside === 'VALUES') return true;
  return level.parent !== undefined && isData(level.parent);
}

/**
 * The tokens from `start` up to a token of the same level for which `ends` is true, or up to the end of the level.
 * Tokens of inner levels are included.
 */
export function regionFrom(
  tokens: readonly SqlToken[],
  start: number,
  level: Level,
  ends: (token: SqlToken) => boolean,
): readonly SqlToken[] {
  let end = start;
  for (let token = tokens[end]; token !== undefined; token = tokens[end]) {
    if (!isWithin(token.level, level) || (token.level === level && ends(token))) break;
    end += 1;
  }
  return tokens.slice(start, end);
}

function isWithin(level: Level, outer: Level): boolean {
  return level === outer || (level.parent !== undefined && isWithin(level.parent, outer));
}

/** Splits the tokens of a list at the commas of its level. */
export function splitList(tokens: readonly SqlToken[], level: Level): readonly (readonly SqlToken[])[] {
  const items: SqlToken[][] = [[]];
  for (const token of tokens) {
    if (token.raw === ',' && token.level === level) items.push([]);
    else items.at(-1)?.push(token);
  }
  return items.filter((item) => item.length > 0);
}
