/** One mutation of a document: `alias: name(input: $variable) { selected { fields } }`. */
export interface ParsedMutation {
  readonly alias: string;
  readonly name: string;
  readonly variable: string;
  /** Paths of the selected fields, such as `checkRun.id`. */
  readonly selected: readonly string[];
}

export interface ParsedDocument {
  /** Types of the variables, by name. */
  readonly variables: ReadonlyMap<string, string>;
  readonly mutations: readonly ParsedMutation[];
}

/** Thrown if a document uses GraphQL that this stand-in does not understand. */
export class SyntaxRefusal extends Error {}

const tokenPattern = /\s*(?:([A-Za-z_]\w*)|([$!:{}(),]))/uy;

/** Splits a document into names and signs. */
function tokensOf(document: string): readonly string[] {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  const end = document.trimEnd().length;
  while (tokenPattern.lastIndex < end) {
    const at = tokenPattern.lastIndex;
    const match = tokenPattern.exec(document);
    if (match === null) throw new SyntaxRefusal(`Expected a name or a sign at ${at}`);
    const token = match[1] ?? match[2] ?? '';
    if (token !== ',') tokens.push(token);
  }
  return tokens;
}

/** Reads a document with one operation of mutations, each with one variable as its input. */
export function parseMutation(document: string): ParsedDocument {
  const tokens = tokensOf(document);
  let at = 0;
  const peek = (): string => tokens[at] ?? 'the end';
  function take(): string {
    const token = peek();
    at += 1;
    return token;
  }
  function expect(token: string): void {
    const actual = take();
    if (actual !== token) throw new SyntaxRefusal(`Expected "${token}", actual: "${actual}"`);
  }
  function name(): string {
    const token = take();
    if (!/^\w+$/u.test(token)) throw new SyntaxRefusal(`Expected a name, actual: "${token}"`);
    return token;
  }
  function readVariables(): ReadonlyMap<string, string> {
    const variables = new Map<string, string>();
    expect('(');
    while (peek() !== ')') {
      expect('$');
      const variable = name();
      if (variables.has(variable))
        throw new SyntaxRefusal(`There can be only one variable named "${variable}"`);
      expect(':');
      const type = name();
      expect('!');
      variables.set(variable, `${type}!`);
    }
    expect(')');
    return variables;
  }
  function readSelection(before: string): readonly string[] {
    const paths: string[] = [];
    expect('{');
    while (peek() !== '}') {
      const path = `${before}${name()}`;
      if (peek() === '{') paths.push(...readSelection(`${path}.`));
      else paths.push(path);
    }
    expect('}');
    return paths;
  }
  function readMutation(): ParsedMutation {
    const alias = name();
    expect(':');
    const field = name();
    for (const token of ['(', 'input', ':', '$']) expect(token);
    const variable = name();
    expect(')');
    return { alias, name: field, variable, selected: readSelection('') };
  }

  expect('mutation');
  if (peek() !== '(') name();
  const variables = readVariables();
  const mutations: ParsedMutation[] = [];
  expect('{');
  while (peek() !== '}') mutations.push(readMutation());
  expect('}');
  if (at < tokens.length) throw new SyntaxRefusal(`Expected the end, actual: "${peek()}"`);
  return { variables, mutations };
}
