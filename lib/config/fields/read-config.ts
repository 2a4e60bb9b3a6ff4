import { z } from 'zod';
import { Failure, type Place } from '../../core/errors/failure.ts';
import { compareTexts } from '../../core/text/compare-texts.ts';
import { describeInexact, isExactNumber } from '../../core/values/exact-number.ts';
import { readYaml, type YamlPath, type YamlSource } from '../../yaml/read-yaml.ts';
import type { YamlNode } from '../../yaml/yaml-node.ts';
import { type ConfigIssue, describeIssues } from './describe-issue.ts';

/** Validates what a schema cannot express, and reports the path of each problem. */
export type ConfigValidator<T> = (
  value: T,
  /** `atKey`: the key at the end of the path is invalid, not its value. */
  report: (path: YamlPath, message: string, where?: 'atKey') => void,
) => void;

/** One problem in a configuration file. */
export interface ConfigProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A parsed configuration file: its value, and the position of each part, for messages. */
export interface ReadConfig<T> {
  readonly value: T;
  /** The position of the value at a path, or of its nearest parent if the value does not exist. */
  readonly placeOf: (path: YamlPath) => Place;
  /** The position of the key at the end of the path. */
  readonly keyPlaceOf: (path: YamlPath) => Place;
  /** The parsed text, for values whose spelling counts. */
  readonly source: YamlSource;
}

export interface ConfigForm<T> {
  readonly schema: z.ZodType<T>;
  /**
   * Paths at which numbers, `true` and `false` are read as texts, so that `007` stays `007`. `*` is any key or index.
   */
  readonly textPaths?: readonly YamlPath[];
  /** Validates the data as written, even if it does not match the schema. */
  readonly validateWritten?: ConfigValidator<unknown>;
  /** Whether the caller reads numbers from `source`, as they are written: they may have any number of digits. */
  readonly readsSpelling?: boolean;
  /** Validates the value that the schema returned. */
  readonly validateValue?: ConfigValidator<T>;
}

/** Without this, a schema is compiled before its first use, which takes longer than reading one file. */
const readOnce = { jitless: true };

/**
 * Parses and validates a configuration file. Throws Failure 'config-invalid' with all problems, at the position of
 * the first.
 */
export function readConfig<T>(text: string, file: string, form: ConfigForm<T>): ReadConfig<T> {
  const source = readYaml(text, { file });
  if (source.problems.length > 0) throw invalidConfig(source.problems);
  const issues: ConfigIssue[] = [];
  const report = (path: YamlPath, message: string, where?: 'atKey') =>
    void issues.push({ path, message, atKey: where === 'atKey' });
  const written = valueAsWritten(source.root, form, report);
  if (issues.length > 0) throw invalidConfig(issues.map((issue) => locate(issue, source)));
  form.validateWritten?.(written, report);
  const parsed = form.schema.safeParse(written ?? {}, readOnce);
  if (parsed.success) form.validateValue?.(parsed.data, report);
  else {
    const jsonSchema = z.toJSONSchema(form.schema, { io: 'input' });
    issues.push(...describeIssues(parsed.error.issues, written, jsonSchema));
  }
  if (issues.length > 0 || !parsed.success) throw invalidConfig(issues.map((issue) => locate(issue, source)));
  return {
    value: parsed.data,
    placeOf: (path) => ({ file, ...startOf(path, source) }),
    keyPlaceOf: (path) => ({ file, ...keyStartOf(path, source) }),
    source,
  };
}

/** Plain data, in which numbers and booleans are texts at `textPaths`. Reports numbers that would change. */
function valueAsWritten(
  root: YamlNode | undefined,
  { textPaths = [], readsSpelling = false }: Pick<ConfigForm<unknown>, 'textPaths' | 'readsSpelling'>,
  report: (path: YamlPath, message: string) => void,
): unknown {
  const convert = (node: YamlNode | undefined, path: YamlPath, patterns: readonly YamlPath[]): unknown => {
    if (node?.kind === 'scalar') {
      const { value, text } = node;
      if (typeof value === 'string' || value === null) return value;
      if (patterns.some(({ length }) => length === path.length)) return text;
      if (typeof value === 'number' && !readsSpelling && !isExactNumber(text))
        report(path, describeInexact(text));
      return value;
    }
    const inner = (child: YamlNode, step: string | number) => {
      const fitting = patterns.filter((pattern) => [step, '*'].includes(pattern[path.length] ?? ''));
      return convert(child, [...path, step], fitting);
    };
    if (node?.kind === 'list') return node.items.map(inner);
    // fromEntries defines each key, also `__proto__`.
    return (
      node && Object.fromEntries(Array.from(node.entries, ([key, { value }]) => [key, inner(value, key)]))
    );
  };
  return convert(root, [], textPaths);
}

function locate({ path, message, atKey = false }: ConfigIssue, source: YamlSource): ConfigProblem {
  const { line, column } = atKey ? keyStartOf(path, source) : startOf(path, source);
  return { file: source.file, line, column, message };
}

/** The range of the nearest existing parent if the path does not exist. */
function keyStartOf(path: YamlPath, source: YamlSource): { line: number; column: number } {
  for (let length = path.length; length > 0; length -= 1) {
    const range = source.keyRangeOf(path.slice(0, length));
    if (range !== undefined) return { line: range.line, column: range.column };
  }
  return startOf([], source);
}

function startOf(path: YamlPath, source: YamlSource): { line: number; column: number } {
  for (let length = path.length; length >= 0; length -= 1) {
    const range = source.rangeOf(path.slice(0, length));
    if (range !== undefined) return { line: range.line, column: range.column };
  }
  return { line: 1, column: 1 };
}

/** The failure that lists all problems, at the position of the first. */
export function invalidConfig(unsorted: readonly ConfigProblem[]): Failure {
  const problems = unsorted
    .map(({ file, line, column, message }) => ({ file, line, column, message }))
    .toSorted((a, b) => compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column);
  const [first] = problems;
  const isOneFile = problems.every(({ file }) => file === first?.file);
  const lines = problems.map(
    ({ file, line, column, message }) => `\n  ${isOneFile ? '' : `${file}:`}${line}:${column} ${message}`,
  );
  const message =
    problems.length === 1
      ? `${first?.message ?? ''}.`.replace(/\?\.$/u, '?')
      : `${problems.length} problems:${lines.join('')}`;
  const where = { file: first?.file ?? '', line: first?.line ?? 1, column: first?.column ?? 1 };
  return new Failure('config-invalid', { message, where, details: { problems } });
}
