import { fail, refuse } from './expression-error.ts';
import { limits } from './limits.ts';
import { nextToken, type Token } from './tokenize.ts';

/** A part of a parsed expression. `offset` is its position in the text, for messages about this part. */
export type Node = { readonly offset: number } & (
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null | undefined }
  | { readonly kind: 'regex'; readonly source: string; readonly flags: string }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly object: Node; readonly name: string }
  | { readonly kind: 'index'; readonly object: Node; readonly index: Node }
  | {
      readonly kind: 'call';
      readonly object: Node | undefined;
      readonly name: string;
      readonly values: readonly Node[];
    }
  | { readonly kind: 'new-date'; readonly values: readonly Node[] }
  | { readonly kind: 'unary'; readonly operator: '!' | '-' | '+'; readonly operand: Node }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly kind: 'choice'; readonly test: Node; readonly yes: Node; readonly no: Node }
);

/** How tightly binary operators bind. */
const precedence: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '===': 3,
  '!==': 3,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
};

const constants: ReadonlyMap<string, string | number | boolean | null | undefined> = new Map<
  string,
  number | boolean | null | undefined
>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
]);

const keywords = new Set(
  (
    'await async break case catch class const continue debugger default delete do else export extends finally for ' +
    'function if import in instanceof let return super switch this throw try typeof var void while with yield'
  ).split(' '),
);

/** Parses the text of a whole expression into a tree. Throws ExpressionError. */
export function parseExpression(text: string): Node {
  if (text.length > limits.length) refuse(`more than ${limits.length} characters`, limits.length);
  const parser = new Parser(text);
  return parser.whole();
}

class Parser {
  readonly #text: string;
  #token: Token;
  #depth = 0;
  #operations = 0;

  constructor(text: string) {
    this.#text = text;
    this.#token = nextToken(text, 0, undefined);
  }

  whole(): Node {
    if (this.#atEnd()) fail('the expression is empty', 0);
    const node = this.#expression();
    return this.#atEnd() ? node : this.#unexpected();
  }

  #expression(): Node {
    return this.#nested(() => {
      const test = this.#binary(1);
      if (!this.#isSign('?')) return test;
      const { offset } = this.#token;
      this.#advance();
      const yes = this.#expression();
      this.#expect(':');
      return { kind: 'choice', test, yes, no: this.#expression(), offset };
    });
  }

  #binary(lowest: number): Node {
    let left = this.#unary();
    for (;;) {
      const operator = this.#token.kind === 'sign' ? this.#token.value : '';
      const level = precedence[operator];
      if (level === undefined || level < lowest) return left;
      const { offset } = this.#token;
      this.#count(offset);
      this.#advance();
      const right = this.#nested(() => this.#binary(level + 1));
      left = { kind: 'binary', operator, left, right, offset };
    }
  }

  #unary(): Node {
    const { offset } = this.#token;
    const operator = (['!', '-', '+'] as const).find((sign) => this.#isSign(sign));
    if (operator === undefined) return this.#postfix();
    this.#advance();
    return { kind: 'unary', operator, operand: this.#nested(() => this.#unary()), offset };
  }

  #postfix(): Node {
    let node = this.#primary();
    for (;;) {
      const { offset } = this.#token;
      if (this.#isSign('.')) node = this.#member(node);
      else if (this.#isSign('[')) {
        this.#count(offset);
        this.#advance();
        node = { kind: 'index', object: node, index: this.#expression(), offset };
        this.#expect(']');
      } else return node;
    }
  }

  #member(object: Node): Node {
    this.#advance();
    const { offset } = this.#token;
    this.#count(offset);
    if (this.#token.kind !== 'name') return this.#unexpected();
    const name = this.#token.value;
    this.#advance();
    if (!this.#isSign('(')) return { kind: 'member', object, name, offset };
    return { kind: 'call', object, name, values: this.#values(')'), offset };
  }

  #primary(): Node {
    const token = this.#token;
    const { offset } = token;
    switch (token.kind) {
      case 'number':
      case 'text':
        this.#advance();
        return { kind: 'literal', value: token.value, offset };
      case 'regex':
        this.#advance();
        return { kind: 'regex', source: token.source, flags: token.flags, offset };
      case 'name':
        return this.#name(token.value, offset);
      case 'sign':
      case 'end':
        break;
    }
    if (this.#isSign('[')) return { kind: 'list', items: this.#values(']'), offset };
    if (!this.#isSign('(')) return this.#unexpected();
    this.#advance();
    const inner = this.#expression();
    this.#expect(')');
    return inner;
  }

  #name(name: string, offset: number): Node {
    if (keywords.has(name)) refuse(`\`${name}\``, offset);
    this.#advance();
    if (name === 'new') return this.#new(offset);
    if (constants.has(name)) return { kind: 'literal', value: constants.get(name), offset };
    if (!this.#isSign('(')) return { kind: 'name', name, offset };
    return { kind: 'call', object: undefined, name, values: this.#values(')'), offset };
  }

  #new(offset: number): Node {
    const { kind, offset: at } = this.#token;
    const name = kind === 'name' ? this.#token.value : '';
    if (name !== 'Date') refuse(`\`new ${name}\``, at);
    this.#advance();
    return { kind: 'new-date', values: this.#isSign('(') ? this.#values(')') : [], offset };
  }

  /** The list of values from the current sign to `end`. */
  #values(end: ')' | ']'): readonly Node[] {
    this.#advance();
    const values: Node[] = [];
    while (!this.#isSign(end)) {
      values.push(this.#expression());
      if (!this.#isSign(end)) this.#expect(',');
    }
    this.#advance();
    return values;
  }

  #nested(parse: () => Node): Node {
    this.#depth += 1;
    if (this.#depth > limits.nesting) refuse(`more than ${limits.nesting} levels`, this.#token.offset);
    const node = parse();
    this.#depth -= 1;
    return node;
  }

  #atEnd(): boolean {
    return this.#token.kind === 'end';
  }

  #count(offset: number): void {
    this.#operations += 1;
    if (this.#operations > limits.operations) refuse(`more than ${limits.operations} operators`, offset);
  }

  #isSign(value: string): boolean {
    return this.#token.kind === 'sign' && this.#token.value === value;
  }

  #expect(sign: string): void {
    if (!this.#isSign(sign)) fail(`expected \`${sign}\``, this.#token.offset);
    this.#advance();
  }

  #advance(): void {
    this.#token = nextToken(this.#text, this.#token.end, this.#token);
  }

  #unexpected(): never {
    const { kind, offset, end } = this.#token;
    if (kind === 'end') fail('the expression is not complete: a part is missing at its end', offset);
    return refuse(`\`${this.#text.slice(offset, end)}\` here`, offset);
  }
}
