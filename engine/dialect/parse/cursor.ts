import { shorten } from '../../../lib/core/text/shorten.ts';
import { lowerAscii } from '../../core/ascii-case.ts';
import { Refusal, SqlError } from '../../core/refusal.ts';
import type { SourceText } from '../../core/source-text.ts';
import type { WarehouseKind } from '../../core/sql-type.ts';
import type { Token } from './tokenize.ts';
import type { Expression, Name, Query } from './tree.ts';
import { isStray, meantClause, startsOption } from './known-words.ts';
import { isReserved, type NameRole } from './reserved-words.ts';

const DEEPEST = 200;
const MAX_CHAIN = 1000;

/** Words before a name, which are not a name. */
const CONDITIONS = ['IF EXISTS', 'IF NOT EXISTS'] as const;

/**
 * The parsers that call each other. They are passed as a parameter, so that their files do not import each other in a
 * cycle.
 */
export interface Parsers {
  query(cursor: Cursor): Query;
  expression(cursor: Cursor): Expression;
  operand(cursor: Cursor): Expression;
}

/** Reads the tokens of one statement from left to right. */
export class Cursor {
  readonly source: SourceText;
  readonly warehouse: WarehouseKind;
  readonly #tokens: readonly Token[];
  readonly #parsers: Parsers;
  #index = 0;
  #depth = 0;

  constructor(source: SourceText, tokens: readonly Token[], warehouse: WarehouseKind, parsers: Parsers) {
    this.source = source;
    this.warehouse = warehouse;
    this.#tokens = tokens;
    this.#parsers = parsers;
  }

  get at(): number {
    return this.peek().start;
  }

  get isAfterComma(): boolean {
    return this.#tokens[this.#index - 1]?.raw === ',';
  }

  peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#index + ahead, this.#tokens.length - 1)];
    if (token === undefined) throw new Error('no tokens');
    return token;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.#index += 1;
    return token;
  }

  query(): Query {
    return this.nested(() => this.#parsers.query(this));
  }

  expression(): Expression {
    return this.nested(() => this.#parsers.expression(this));
  }

  /** Parses a value before a word such as IN, which could otherwise be read as an operator. */
  operand(): Expression {
    return this.nested(() => this.#parsers.operand(this));
  }

  nested<Result>(read: () => Result): Result {
    if (this.#depth >= DEEPEST) throw this.refusal(`SQL with more than ${DEEPEST} levels of nesting`);
    this.#depth += 1;
    const result = read();
    this.#depth -= 1;
    return result;
  }

  /** Refuses a chain of too many operators. The tree of such a chain would be too deep. */
  limitChain(length: number): void {
    if (length > MAX_CHAIN) throw this.refusal(`more than ${MAX_CHAIN} operators in a row`);
  }

  isWord(...words: readonly string[]): boolean {
    return words.every((word, ahead) => {
      const token = this.peek(ahead);
      return token.kind === 'word' && token.value === word;
    });
  }

  isOperator(operator: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'operator' && token.raw === operator;
  }

  takeWord(...words: readonly string[]): boolean {
    if (!this.isWord(...words)) return false;
    this.#index += words.length;
    return true;
  }

  /** Takes the next token if it is one of several words. */
  takeOneOf(...words: readonly string[]): string | undefined {
    return words.find((word) => this.takeWord(word));
  }

  takeOperator(operator: string): boolean {
    if (!this.isOperator(operator)) return false;
    this.#index += 1;
    return true;
  }

  expectWord(...words: readonly string[]): void {
    if (!this.takeWord(...words)) throw this.unexpected(words.join(' '));
  }

  expectOperator(operator: string): void {
    if (!this.takeOperator(operator)) throw this.unexpected(`"${operator}"`);
  }

  /**
   * Expects the end of a definition. Definitions have too many further options to list them, so anything that follows
   * is refused.
   */
  expectEndOfDefinition(): void {
    if (this.peek().kind !== 'end') throw this.#unread();
  }

  /**
   * Expects the end of a query or an expression. If the next token cannot follow in any warehouse, throws an error;
   * otherwise refuses it.
   */
  expectEnd(): void {
    const token = this.peek();
    if (token.kind === 'end') return;
    if (!isStray(token)) throw this.#unread();
    throw this.syntaxError(meantClause(token) || meantClause(this.#tokens[this.#index - 1]));
  }

  /** Parses a name. A reserved word must be in quotation marks. */
  name(role: NameRole = 'any'): Name {
    const token = this.peek();
    const condition = CONDITIONS.find((words) => this.isWord(...words.split(' ')));
    if (condition !== undefined)
      throw this.refusal(`${condition} here, where a name is expected`, this.at, 'leave it out');
    if (token.kind === 'word' && isReserved(token.value, role, this.warehouse)) {
      const quoted = this.warehouse === 'WAREHOUSE_ONE' ? token.value : lowerAscii(token.value);
      throw this.refusal(
        `the reserved word ${token.value} as a name`,
        undefined,
        `write it in quotation marks: "${quoted}"`,
      );
    }
    return this.label();
  }

  /** Parses a name in a place where the warehouse accepts any word as a name. */
  label(): Name {
    const token = this.peek();
    if (token.kind !== 'word' && token.kind !== 'quoted') throw this.unexpected('a name');
    this.next();
    return {
      text: token.kind === 'quoted' ? token.value : token.raw,
      isQuoted: token.kind === 'quoted',
      at: token.start,
    };
  }

  /** Parses a name such as `a`, `a.b` or `a.b.c`. */
  names(role: NameRole = 'any'): readonly Name[] {
    const names = [this.name(role)];
    while (this.takeOperator('.')) {
      if (this.isOperator('.')) throw this.refusal('a name without its schema', this.at, 'write the schema');
      names.push(this.laterName());
    }
    if (names.length > 3) throw this.refusal('a name with more than three parts');
    return names;
  }

  /** Parses a name after a point. `WAREHOUSE_TWO` accepts any word there. */
  laterName(): Name {
    return this.warehouse === 'WAREHOUSE_TWO' ? this.label() : this.name();
  }

  integer(): number {
    const { raw } = this.peek();
    const { at } = this;
    const number = this.#digits();
    if (number > Number.MAX_SAFE_INTEGER) throw this.refusal(`the number ${raw}`, at);
    return number;
  }

  /** A number of rows. No table has more rows than the largest one. */
  rowCount(): number {
    return Math.min(this.#digits(), Number.MAX_SAFE_INTEGER);
  }

  #digits(): number {
    const token = this.peek();
    if (token.kind !== 'number' || !/^\d+$/.test(token.raw)) throw this.unexpected('a whole number');
    this.next();
    return Number(token.raw);
  }

  list<Item>(read: () => Item): readonly Item[] {
    const items = [read()];
    while (this.takeOperator(',')) items.push(read());
    return items;
  }

  inParentheses<Result>(read: () => Result): Result {
    this.expectOperator('(');
    const result = read();
    this.expectOperator(')');
    return result;
  }

  refusal(construct: string, at = this.at, hint?: string): Refusal {
    return new Refusal(construct, this.source.placeOf(at), hint);
  }

  /**
   * Creates the error for an unexpected token. It is a Refusal if a part that the engine does not know may begin
   * here.
   */
  unexpected(expected: string): SqlError | Refusal {
    if (startsOption(this.peek())) return this.refusal(this.#afterLast(), this.at, `expected ${expected}`);
    const actual = this.peek().kind === 'end' ? 'the statement ends' : `found ${this.#here()}`;
    return new SqlError(`expected ${expected}, but ${actual}`, { place: this.source.placeOf(this.at) });
  }

  /** Creates an error that the warehouse would report too. */
  wrong(message: string, at = this.at): SqlError {
    return new SqlError(message, { place: this.source.placeOf(at) });
  }

  /** Creates the error for a token that cannot follow in any statement of the warehouse. */
  syntaxError(hint: string): SqlError {
    return new SqlError(`syntax error near ${this.#here()}${hint}`, { place: this.source.placeOf(this.at) });
  }

  #unread(): Refusal {
    return this.refusal(
      this.#afterLast(),
      this.at,
      'the statement is complete without this part: leave the part out',
    );
  }

  /** Describes the next token and the token before it: `NAME after BY`. */
  #afterLast(): string {
    const before = this.#tokens[this.#index - 1]?.raw ?? '';
    return before === '' ? this.#here() : `${this.#here()} after ${shortened(before)}`;
  }

  #here(): string {
    return shortened(this.peek().raw);
  }
}

/** Shortens a text that a person wrote, for use in a message. */
export function shortened(raw: string): string {
  return shorten(raw, 40);
}
