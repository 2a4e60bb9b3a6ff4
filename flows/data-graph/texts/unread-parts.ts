import type { BoundPipeline } from '../../../engine/index.ts';
import { scriptFacts } from '../../../lib/pipelines/checks/missing-file.ts';
import { calledPath, callOf } from '../../../lib/pipelines/model/calls.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import { codeTypes } from '../../../lib/pipelines/model/component-types.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { textOf } from '../../../lib/yaml/yaml-node.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { textsOf, wordsOf } from './mentioned-tables.ts';
import { readText } from './read-text.ts';
import { sqlTexts } from './sql-texts.ts';
import { callTargetsOf } from '../../pipeline-tests/files/project-roots.ts';

/** A component that may read and write tables, but that cannot be bound. */
export interface UnreadPart {
  readonly component: string;
  readonly file: string;
  readonly line: number;
  /** How often each word is in its parameters and its script, in lower case; the tables that it writes are left out once. */
  readonly words: ReadonlyMap<string, number>;
  /** Names of tables in its SQL that depend on a variable without a known value, with `*` in place of what is not known. */
  readonly open: readonly string[];
  /** The tables that it may write. */
  readonly written: readonly MayWrite[];
}

/** The tables that a component, or a statement of it, may write. */
export interface MayWrite {
  /** The words, in lower case, that may be their names. */
  readonly words: ReadonlySet<string>;
  /** Whether it may write any table if no word is the name of one. */
  readonly isAny: boolean;
}

/** Words of code that may change a table, also as parts of names such as `save_as_table`. */
const writingWords =
  /insert|update|delete|merge|truncate|copy|create|alter|replace|rename|drop|write|load|save|append|to_sql|immediate|call\b/i;

/**
 * The components of a pipeline whose tables are not all known: code in another language, what could not be bound, and calls that lead out
 * of the project.
 */
function unreadParts(
  document: PipelineDocument,
  { unknown, writes }: BoundPipeline,
  project: TestProject,
): readonly UnreadPart[] {
  const scripts = scriptFacts(document);
  const targets = callTargetsOf(project);
  return [...document.components.values()].flatMap((component): UnreadPart[] => {
    const { name, range, skipped } = component;
    const reasons = unknown.filter((each) => each.component === name && !each.isAfterOther);
    const call = callOf(component);
    const leadsOut = call !== undefined && !call.dynamic && calledPath(call, targets) === undefined;
    if (skipped || !(reasons.length > 0 || leadsOut || codeTypes.has(component.type))) return [];
    const path = scripts.find((each) => each.component === name)?.path;
    const script = path === undefined ? undefined : readText(path, project);
    const all = [...textsOf(component), script ?? ''];
    const words = new Map<string, number>();
    for (const word of all.flatMap(wordsOf)) words.set(word, (words.get(word) ?? 0) + 1);
    for (const { component: writer, table } of writes) {
      const word = table.table.toLowerCase();
      if (writer === name) words.set(word, (words.get(word) ?? 0) - 1);
    }
    const variables = reasons.flatMap((each) => each.variables);
    const isCode = codeTypes.has(component.type);
    const onlyReads = isCode && !all.some((text) => writingWords.test(text));
    const written = reasons
      .filter(({ others }) => others !== 'none' && !onlyReads)
      .map(({ others, text }) => mayWrite(text === undefined ? all : [text], others === 'any'));
    // A mock says what it writes in a test only.
    if (written.length === 0 && (leadsOut || (isCode && !onlyReads))) written.push(mayWrite(all, false));
    return [
      {
        component: name,
        file: document.source.file,
        line: range.line,
        words,
        open: openNames(component, script, variables),
        written,
      },
    ];
  });
}

function mayWrite(written: readonly string[], isAny: boolean): MayWrite {
  return { words: new Set(written.flatMap(wordsOf)), isAny };
}

/** The parts that cannot be bound, of all pipelines of a project that can be read. */
export function allUnreadParts({
  pipelines,
  project,
}: {
  readonly pipelines: ReadonlyMap<string, BoundPipeline>;
  readonly project: TestProject;
}): readonly (UnreadPart & { readonly pipeline: string })[] {
  return [...pipelines].flatMap(([pipeline, bound]) => {
    const document = project.pipeline(pipeline);
    const parts = document === undefined ? [] : unreadParts(document, bound, project);
    return parts.map((part) => ({ ...part, pipeline }));
  });
}

/** What hides a variable: a text. Comments and quoted names are as they are. */
const texts = /'(?:[^'\\]|\\.|'')*'/gs;
/** A word with a variable in it. */
const wordWithVariable = /[\p{L}\p{N}_"]*\$\{[^}]*\}(?:[\p{L}\p{N}_"]|\$\{[^}]*\})*/gu;
const variable = /\$\{[^}]*\}/g;
/** What follows a database or a schema: the name of the table comes later. */
const nameBehind = /^\s*\./;
/** What a value follows, and no table. */
const valueAhead = /(?:[=<>+\-*/%|]|\b(?:limit|offset|then|else|and|between|like))\s*$/i;
const reach = 100;

/** The names in the SQL of a component that depend on one of the variables, where a table may be named. */
function openNames(
  component: Component,
  file: string | undefined,
  variables: readonly string[],
): readonly string[] {
  const uses = (text: string) => variables.some((name) => wordsOf(text).includes(name.toLowerCase()));
  if (component.type === 'sql-executor' && uses(component.text('fileName') ?? '')) return ['*'];
  const sql = [...sqlTexts(component)].flatMap((node) => textOf(node) ?? []);
  if (file !== undefined) sql.push(file);
  return sql.flatMap((text) => {
    const bare = text.replace(texts, "''");
    return [...bare.matchAll(wordWithVariable)].flatMap(({ index, 0: word }) => {
      const end = index + word.length;
      const isTable =
        (word.match(variable) ?? []).some(uses) &&
        !nameBehind.test(bare.slice(end, end + reach)) &&
        !valueAhead.test(bare.slice(Math.max(0, index - reach), index));
      return isTable ? word.replaceAll('"', '').replace(variable, '*') : [];
    });
  });
}
