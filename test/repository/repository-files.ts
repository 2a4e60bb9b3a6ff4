import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

export const root = join(import.meta.dirname, '..', '..');

/** A TypeScript file of ours, as far as the rules of the repository need to know it. */
export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly string[];
  /** Lines that read the environment or an action's input. */
  readonly readsSettings: readonly number[];
}

const notOurs = new Set(['node_modules', 'build', 'dist', 'coverage', 'fixtures', 'warehouse']);

/** Every top folder that holds code of ours. */
export function topFolders(): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !notOurs.has(entry.name))
    .map((entry) => entry.name);
}

/** Reads every TypeScript file under a folder, with a real parser. */
export function readSourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : readSourceFiles(path);
    return entry.name.endsWith('.ts') ? [readSourceFile(path)] : [];
  });
}

function readSourceFile(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  return { path, lines: text.split('\n').length - 1, ...inspect(path, text) };
}

/** What a source text imports (also dynamically, and by re-export) and where it reads settings. */
export function inspect(path: string, text: string): Pick<SourceFile, 'imports' | 'readsSettings'> {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const imports: string[] = [];
  const readsSettings: number[] = [];
  const read = (offset: number): unknown => readsSettings.push(text.slice(0, offset).split('\n').length);
  new Visitor({
    ImportDeclaration: (node) => {
      imports.push(node.source.value);
      const takesEnvironment =
        /^(node:)?process$/.test(node.source.value) && /\benv\b/.test(text.slice(node.start, node.end));
      if (takesEnvironment) read(node.start);
    },
    ExportNamedDeclaration: (node) => void (node.source && imports.push(node.source.value)),
    ExportAllDeclaration: (node) => void imports.push(node.source.value),
    ImportExpression: (node) => {
      imports.push(
        node.source.type === 'Literal' && typeof node.source.value === 'string' ? node.source.value : '?',
      );
    },
    TSImportType: (node) => void imports.push(node.source.value),
    MemberExpression: (node) => {
      const member = node.computed
        ? text.slice(node.property.start + 1, node.property.end - 1)
        : text.slice(node.property.start, node.property.end);
      if (member === 'env' && /\bprocess$/.test(text.slice(node.object.start, node.object.end)))
        read(node.start);
    },
    CallExpression: (node) => {
      if (/(^|\.)get(Boolean|Multiline)?Input$/.test(text.slice(node.callee.start, node.callee.end)))
        read(node.start);
    },
  }).visit(program);
  return { imports, readsSettings };
}
