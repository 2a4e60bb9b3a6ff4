/** A value of an expression: what `toJSON` could show. */
export type Value = string | number | boolean | null | { readonly [key: string]: Value };

export interface ExpressionContext {
  readonly values: Readonly<Record<string, Value>>;
  /** `success`, `failure`, `always`, `cancelled` and whatever else may be called here. */
  readonly functions: Readonly<Record<string, (...args: readonly Value[]) => Value>>;
}

interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'sign';
  readonly text: string;
}

function tokenize(source: string): Token[] {
  const pattern = /\s*(?:'((?:[^']|'')*)'|([A-Za-z_][\w-]*)|(\d+(?:\.\d+)?)|(==|!=|&&|\|\||[!().,]))/uy;
  const tokens: Token[] = [];
  while (pattern.lastIndex < source.trimEnd().length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(source);
    if (match === null) throw new Error(`expression not understood at ${String(at)}: ${source}`);
    const [, text, name, number, sign] = match;
    if (text !== undefined) tokens.push({ kind: 'text', text: text.replaceAll("''", "'") });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else tokens.push({ kind: 'sign', text: sign ?? '' });
  }
  return tokens;
}

export function truthy(value: Value): boolean {
  return value !== false && value !== null && value !== '' && value !== 0;
}

/** As GitHub compares: strings without regard to case, unlike types as numbers. */
function same(a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a.toLowerCase() === b.toLowerCase();
  if (typeof a === typeof b) return a === b;
  return Number(a) === Number(b);
}

/** Evaluates one expression (without `${{ }}`); throws on anything unknown. */
export function evaluate(source: string, { values, functions }: ExpressionContext): Value {
  const tokens = tokenize(source);
  let next = 0;
  const take = (sign: string): boolean => {
    const token = tokens[next];
    if (token?.kind !== 'sign' || token.text !== sign) return false;
    next += 1;
    return true;
  };

  function call(name: string): Value {
    const args: Value[] = [];
    if (!take(')')) {
      do args.push(or());
      while (take(','));
      if (!take(')')) throw new Error(`missing ) in ${source}`);
    }
    const known = functions[name];
    if (known === undefined) throw new Error(`unknown function ${name} in ${source}`);
    return known(...args);
  }

  function path(name: string): Value {
    const root = values[name];
    if (root === undefined) throw new Error(`unknown context ${name} in ${source}`);
    let value: Value = root;
    const walked = [name];
    while (take('.')) {
      const key = tokens[next]?.text ?? '';
      next += 1;
      walked.push(key);
      const inner: Value | undefined = typeof value === 'object' && value !== null ? value[key] : undefined;
      // GitHub gives an empty value here; a typing error in an action.yml would pass unseen.
      if (inner === undefined) throw new Error(`unknown name ${walked.join('.')} in ${source}`);
      value = inner;
    }
    return value;
  }

  function primary(): Value {
    if (take('!')) return !truthy(primary());
    if (take('(')) {
      const value = or();
      if (!take(')')) throw new Error(`missing ) in ${source}`);
      return value;
    }
    const token = tokens[next];
    next += 1;
    if (token === undefined || token.kind === 'sign') throw new Error(`expression not understood: ${source}`);
    if (token.kind === 'text') return token.text;
    if (token.kind === 'number') return Number(token.text);
    if (take('(')) return call(token.text);
    if (token.text === 'true' || token.text === 'false') return token.text === 'true';
    return token.text === 'null' ? null : path(token.text);
  }

  function equality(): Value {
    const left = primary();
    if (take('==')) return same(left, primary());
    return take('!=') ? !same(left, primary()) : left;
  }

  function and(): Value {
    let left = equality();
    while (take('&&')) {
      const right = equality();
      left = truthy(left) ? right : left;
    }
    return left;
  }

  function or(): Value {
    let left = and();
    while (take('||')) {
      const right = and();
      left = truthy(left) ? left : right;
    }
    return left;
  }

  const value = or();
  if (next !== tokens.length) throw new Error(`expression not understood: ${source}`);
  return value;
}

/** Replaces every `${{ … }}` in a text. */
export function interpolate(text: string, context: ExpressionContext): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/gsu, (_, source: string) => {
    const value = evaluate(source, context);
    return value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
}
