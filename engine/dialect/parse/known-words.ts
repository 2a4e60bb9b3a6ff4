import { closestWord } from '../../../lib/core/text/closest-word.ts';
import type { Token } from './tokenize.ts';

/**
 * First words of the statements of a warehouse, of either kind. A statement that begins with another word is an error
 * in the warehouse too. A statement that begins with a listed word and is not supported is refused.
 */
const STATEMENTS =
  `ABORT ALTER ANALYZE ATTACH AWAIT BEGIN BREAK CALL CANCEL CASE CHECKPOINT CLOSE COMMENT COMMIT CONTINUE COPY CREATE
  DEALLOCATE DECLARE DELETE DESC DESCRIBE DETACH DROP END EXECUTE EXPLAIN FETCH FOR FROM GET GRANT IF INSERT INTERRUPT LET LIST
  LOCK LOOP LS MERGE NULL OPEN PREPARE PUT RAISE REFRESH REMOVE REPEAT RESET RETURN REVOKE RM ROLLBACK SAVEPOINT SELECT SET SHOW
  START TABLE TRUNCATE UNDROP UNLOAD UNSET UPDATE USE VACUUM VALUES WHILE WITH`.split(/\s+/);

/** Words with which a part of a statement begins. */
const CLAUSES =
  `FROM WHERE GROUP HAVING QUALIFY ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT MINUS ON USING JOIN INNER LEFT RIGHT FULL
  OUTER CROSS NATURAL AND OR AS SET VALUES WHEN THEN`.split(/\s+/);

/** Other words that may follow a complete query or expression in a warehouse. */
const OTHERS =
  `ALL ANY ASC ASOF AT BEFORE BETWEEN CHANGES COLLATE CONNECT COPY CLUSTER DESC DISTINCT ESCAPE EXCLUDE FILTER FOR IGNORE ILIKE
  IN INTO IS ISNULL LATERAL LIKE LOCK MATCH_CONDITION MATCH_RECOGNIZE NO NOT NOTNULL NULLS OVER OVERLAPS PARTITION PIVOT REGEXP
  RENAME REPLACE RESPECT RETURNING RLIKE ROW ROWS SAMPLE SEED SHARE SIMILAR START TABLESAMPLE UNPIVOT UPDATE WINDOW WITH WITHIN`.split(
    /\s+/,
  );

const KNOWN = new Set([...CLAUSES, ...OTHERS]);

/** Words with which an optional part may begin in the middle of a statement of a warehouse, where the engine expects something else. */
const OPTIONS = new Set(
  `BY CALLED COMMENT COPY DEFAULT DEFERRABLE DISABLE ENABLE ENCODE ENFORCED EXTERNAL GROUPS IMMUTABLE INCLUDE INITIALLY INTERVAL KEEP
  LINEAR MASKING MATCH MATERIALIZED MEMOIZABLE NORELY NOVALIDATE PROJECTION RELY REMOVE RENAME REPLACE ROW SECURE STABLE STRICT
  SYMMETRIC TABLE TAG UNKNOWN VALIDATE VOLATILE WITH WITHOUT`.split(/\s+/),
);

/** Operators that may not follow in a warehouse. */
const NEVER = new Set([')', ',', '=', '<', '>', '<=', '>=', '<>', '!=', '+', '-', '*', '/', '%', '||']);

/** Whether a token can never follow a complete query or expression. */
export function isStray(token: Token): boolean {
  if (token.kind === 'word') return !KNOWN.has(token.value);
  return token.kind === 'operator' ? NEVER.has(token.raw) : true;
}

/** Whether an optional part of a statement may begin with this token. */
export function startsOption(token: Token): boolean {
  return token.kind === 'word' && OPTIONS.has(token.value);
}

/** Whether a statement of a warehouse may begin with this token. */
export function maybeStatement(token: Token): boolean {
  return token.kind === 'word' && STATEMENTS.includes(token.value);
}

/** The text `; did you mean SELECT?` if the token is similar to a word that begins a statement. Otherwise empty. */
export function meantStatement(token: Token): string {
  return meant(token, STATEMENTS);
}

/**
 * Like `meantStatement`, for the words that begin a part of a statement. Empty if the token itself is such a word.
 */
export function meantClause(token: Token | undefined): string {
  return token === undefined || CLAUSES.includes(token.value) ? '' : meant(token, CLAUSES);
}

function meant(token: Token, words: readonly string[]): string {
  const word = token.kind === 'word' && token.raw.length > 2 ? closestWord(token.raw, words) : undefined;
  return word === undefined ? '' : `; did you mean ${word}?`;
}
