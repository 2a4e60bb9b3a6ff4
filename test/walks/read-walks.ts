import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const root = join(import.meta.dirname, '../..');

/** A walk of CONTRIBUTING: its files, in the order in which to read them. */
export interface Walk {
  readonly title: string;
  readonly files: readonly string[];
}

/** The walks that CONTRIBUTING lists. */
export function readWalks(): readonly Walk[] {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const parts = (/## Six walks\n([\s\S]*?)\n## /.exec(text)?.[1] ?? '').split(/^\*\*(.+)\*\*$/m).slice(1);
  return parts.flatMap((title, index) => {
    const files = [...(parts[index + 1] ?? '').matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => file);
    return index % 2 === 0 ? [{ title, files }] : [];
  });
}

/** Whether a file has a function: inputs, a list of rules and an index have none, and nothing can call them. */
export function hasFunctions(file: string): boolean {
  let found = false;
  const find = (): void => void (found = true);
  new Visitor({
    FunctionDeclaration: find,
    FunctionExpression: find,
    ArrowFunctionExpression: find,
  }).visit(parseSync(file, readFileSync(join(root, file), 'utf8')).program);
  return found;
}
