import type { Step } from './expected-calls.ts';
import { type HistorySide, scriptsOf } from './expected-changed.ts';
import { textsIn } from './plain-pipeline.ts';
import { plainSql } from './plain-sql.ts';

const kinds: ReadonlySet<string> = new Set([
  'FUNCTION',
  'PROCEDURE',
  'SEQUENCE',
  'STAGE',
  'FORMAT',
  'STREAM',
  'TASK',
  'PIPE',
]);
const between = /^(?:OR|REPLACE|TEMPORARY|TEMP|SECURE|EXTERNAL|AGGREGATE|LOCAL|GLOBAL|FILE|IF|NOT|EXISTS)$/;

/** From what creates, alters or drops a function, a sequence, a stage or a similar object to what uses it by its name. */
export function objectSteps(now: HistorySide, before: HistorySide): readonly Step[] {
  const objects = new Map<string, { readonly makers: Set<string>; readonly kind: string }>();
  for (const side of [now, before])
    for (const [path, texts] of textsOfSide(side, true))
      for (const text of texts)
        for (const { name, kind } of definedIn(text)) {
          const found = objects.get(name) ?? { makers: new Set(), kind };
          objects.set(name, found);
          found.makers.add(path);
        }
  if (objects.size === 0) return [];
  const steps: Step[] = [];
  const all = textsOfSide(now, false);
  for (const [name, { makers, kind }] of objects)
    for (const [to, texts] of all)
      if (!makers.has(to) && texts.some((text) => uses(text, name, kind)))
        steps.push(...Array.from(makers, (from): Step => ({ from, to })));
  return steps;
}

function textsOfSide(
  { pipelines, files }: HistorySide,
  isScript: boolean,
): readonly (readonly [string, readonly string[]])[] {
  return [...pipelines].map(([path, { components }]) => [
    path,
    [...(components?.values() ?? [])]
      .filter(({ type }) => !isScript || type === 'sql-executor' || type === 'sql-script')
      .flatMap((component) => [
        ...textsIn(component.parameters),
        ...scriptsOf(component, []).flatMap((file) => files.get(file) ?? []),
      ]),
  ]);
}

function definedIn(text: string): readonly { readonly name: string; readonly kind: string }[] {
  if (!/create|alter|drop/i.test(text)) return [];
  const tokens = plainSql(text);
  return tokens.flatMap((token, index) => {
    if (!/^(?:CREATE|ALTER|DROP|UNDROP)$/.test(token)) return [];
    let at = index + 1;
    while (between.test(tokens[at] ?? '')) at += 1;
    const kind = tokens[at] ?? '';
    if (!kinds.has(kind)) return [];
    at += 1;
    while (between.test(tokens[at] ?? '')) at += 1;
    while (tokens[at + 1] === '.') at += 2;
    const name = (tokens[at] ?? '').replaceAll('"', '').toLowerCase();
    return /^[\w$]+$/.test(name) ? [{ name, kind }] : [];
  });
}

function uses(text: string, name: string, kind: string): boolean {
  if (!text.toLowerCase().includes(name)) return false;
  const tokens = plainSql(text).map((token) => token.replaceAll('"', '').toLowerCase());
  return tokens.some((token, index) => {
    if (token !== name) return false;
    if (kind === 'FUNCTION' || kind === 'PROCEDURE') return tokens[index + 1] === '(';
    if (kind === 'SEQUENCE')
      return tokens[index + 1] === '.' && /^(?:next|curr)val$/.test(tokens[index + 2] ?? '');
    return true;
  });
}
