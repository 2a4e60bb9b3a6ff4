import type { ModelComponent, PipelineModel } from './rule-model.ts';

/** A text, and where the things are in it that findings point at: `line:column` of begin and end. */
export interface Written {
  readonly text: string;
  /** By component name; `file` is the key `components`. */
  readonly places: ReadonlyMap<string, string>;
  /** The second place of a key that the text contains twice. */
  readonly twice: string | undefined;
}

/** A plain scalar that is one in block and flow, key or value. */
const plain = /^(?!null$)[\p{L}\p{N}][\p{L}\p{N}.]*(?: [\p{L}\p{N}.]+)*$/u;

/**
 * Writes a pipeline in one of the countless ways that YAML allows. `choose(n)` answers 0 to n - 1 and decides every
 * quote, bracket, comment and line end; `repeat` writes the first component's key a second time.
 */
export function writeInStyle(
  { components, variables, kind }: PipelineModel,
  choose: (options: number) => number,
  repeat = false,
): Written {
  const lineEnd = choose(2) === 0 ? '\n' : '\r\n';
  const mark = choose(4) === 0 ? '\uFEFF' : '';
  const marks: { readonly what: string; readonly start: number; readonly end: number }[] = [];
  const anchors = new Map<string, string>();
  let text = mark;

  const put = (chunk: string) => void (text += chunk);
  const newLine = (indent: number) => {
    put(lineEnd);
    if (choose(8) === 0) put(`${lineEnd}${' '.repeat(indent)}# Start: { type: none }${lineEnd}`);
    if (choose(12) === 0) put(`${' '.repeat(choose(4))}${lineEnd}`);
    put(' '.repeat(indent));
  };
  const scalar = (value: string) => {
    const style = choose(4);
    if (style < 2 && plain.test(value)) return put(value);
    if (style === 2 && !/[\t\n]/.test(value)) return put(`'${value.replaceAll("'", "''")}'`);
    if (style !== 3) return put(JSON.stringify(value));
    return put(
      `"${Array.from(value, (one) => (one < '0' ? `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}` : one === '\\' ? '\\\\' : one)).join('')}"`,
    );
  };
  const key = (name: string, what?: string) => {
    const start = text.length;
    scalar(name);
    if (what !== undefined) marks.push({ what, start, end: text.length });
    put(choose(6) === 0 ? ' :' : ':');
  };
  /** A name in a list: now and then behind an anchor, and later as its alias. */
  const item = (name: string) => {
    const known = anchors.get(name);
    if (known !== undefined && choose(2) === 0) return put(`*${known} `);
    if (known === undefined && choose(5) === 0) {
      anchors.set(name, `a${anchors.size}`);
      put(`&a${anchors.size - 1} `);
    }
    return scalar(name);
  };
  const list = (names: readonly string[], indent: number | undefined) => {
    const [only] = names;
    if (names.length === 1 && only !== undefined && choose(4) === 0) return (put(' '), item(only));
    if (indent === undefined || names.length === 0 || choose(2) === 0) {
      put(' [');
      names.forEach((name, index) => (put(index === 0 ? '' : ', '), item(name)));
      return put(choose(4) === 0 && names.length > 0 ? ', ]' : ']');
    }
    const deeper = indent + choose(3);
    for (const name of names) {
      newLine(deeper);
      put('- ');
      item(name);
    }
    return undefined;
  };
  type Entry = readonly [name: string, value: (indent: number | undefined) => void, what?: string];
  /** A map in block form at some depth, or between braces; without an indent only the latter is possible. */
  const map = (entries: readonly Entry[], indent: number | undefined) => {
    if (indent === undefined || entries.length === 0 || choose(3) === 0) {
      const broken = indent !== undefined && choose(3) === 0 ? indent + 1 : undefined;
      put(' {');
      entries.forEach(([name, value, what], index) => {
        put(index === 0 ? ' ' : ', ');
        if (broken !== undefined) newLine(broken);
        key(name, what);
        value(undefined);
      });
      return put(' }');
    }
    if (choose(5) === 0) put(' # the following');
    const deeper = indent + 1 + choose(3);
    for (const [name, value, what] of entries) {
      newLine(deeper);
      key(name, what);
      value(deeper);
    }
    return undefined;
  };
  const script = (indent: number | undefined) => {
    const style = choose(indent === undefined ? 2 : 5);
    const inner = lineEnd + ' '.repeat((indent ?? 0) + 2);
    if (style === 0) return put(' "Start:\\r\\n\\ttype: start"');
    if (style === 1) return put(" 'select ''Start: x'' # \t no comment'");
    if (style === 2) return put(` |${inner}Start:${inner}  type: start\t${inner}# no comment`);
    if (style === 3) return put(` >-${inner}Start: {${lineEnd}${inner}type: [`);
    return put(` "Start:${inner}type: \\${inner}start\tx"`);
  };
  const textOf = (value: string) => () => (put(' '), scalar(value));
  const component = (one: ModelComponent): Entry[1] => {
    const names = (of: readonly string[]) => (indent: number | undefined) => list(of, indent);
    const parameters: Entry[] = [['sqlScript', script]];
    if (one.iterates !== undefined) parameters.push(['variableToIterate', textOf(one.iterates)]);
    if (one.concurrent) parameters.push(['concurrency', textOf('Concurrent')]);
    const entries: Entry[] = [
      ['type', textOf(one.type)],
      ['parameters', (indent) => map(parameters, indent)],
    ];
    if (kind === 'tran') entries.push(['sources', names(one.sources)]);
    else {
      const transitions: Entry[] = [
        ['success', names(one.success)],
        ['failure', names(one.failure)],
      ];
      entries.push(['transitions', (indent) => map(transitions, indent)]);
      if (one.iterationTarget !== undefined) entries.push(['iterationTarget', textOf(one.iterationTarget)]);
    }
    return (indent) => {
      // An anchor on the whole of it changes nothing.
      if (choose(6) === 0) put(` &whole${text.length}`);
      map(entries, indent);
    };
  };

  const all: Entry[] = components.map((one) => [one.name, component(one), one.name]);
  const [first] = components;
  if (repeat && first !== undefined) all.push([first.name, textOf('again'), 'twice']);
  const declared = variables.map(({ name, copied }): Entry => {
    const scope: Entry[] = [['scope', textOf(copied ? 'COPIED' : 'SHARED')]];
    return [name, (indent) => map([['metadata', (deeper) => map(scope, deeper)]], indent)];
  });
  const pipeline: Entry[] = [
    ['components', (indent) => map(all, indent), 'file'],
    ['variables', (indent) => map(declared, indent)],
  ];
  if (choose(3) > 0) put(`type: orchestration${lineEnd}`);
  key('pipeline');
  map(choose(2) === 0 ? pipeline : pipeline.toReversed(), 0);
  if (choose(2) === 0) put(lineEnd);

  const at = (offset: number) => {
    const lines = text.slice(mark.length, offset).split(lineEnd);
    return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
  };
  const places = new Map(marks.map(({ what, start, end }) => [what, `${at(start)}-${at(end)}`]));
  return { text, places, twice: places.get('twice') };
}
