import { callOf, calledPath } from '../../../lib/pipelines/model/calls.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import { codeTypes, knownTypes } from '../../../lib/pipelines/model/component-types.ts';
import { scalarsOf, textOf } from '../../../lib/yaml/yaml-node.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { readText } from './read-text.ts';
import { unreadableTexts } from './unreadable-pipelines.ts';
import { callTargetsOf } from '../../pipeline-tests/files/project-roots.ts';

const known: ReadonlySet<string> = new Set([...knownTypes.orchestration, ...knownTypes.transformation]);
const scriptTypes: ReadonlySet<string> = new Set(['sql-executor', 'sql-script']);

/** Words of code that may change the columns of a table, also as parts of names such as `save_as_table`. */
const definitionWords = /create|alter|replace|rename|to_sql|save_?as|write|overwrite/i;
/** SQL that runs other SQL: what it does is not known before a run. */
const dynamicSql =
  /\bexecute\s+immediate\b|\bprocedure\b|\$\$|\bdeclare\b|\bbegin\b(?!\s*(?:;|work\b|transaction\b|$))/i;
const script = /\.sql$/i;
const code = /\.(?:py|sh|ipynb)$/i;

/**
 * The words, in lower case, in everything that cannot be bound and may change the columns of a table that it names:
 * code in other languages, SQL that runs SQL, components of unknown types, calls that lead out of the project, and
 * pipelines that cannot be read.
 */
export function mentionedWords(project: TestProject): ReadonlySet<string> {
  return new Set(
    [...componentTexts(project), ...fileTexts(project), ...unreadableTexts(project)].flatMap(wordsOf),
  );
}

function* componentTexts(project: TestProject): Generator<string> {
  const targets = callTargetsOf(project);
  for (const path of project.pipelines)
    for (const component of project.pipeline(path)?.components.values() ?? []) {
      const call = callOf(component);
      if (call !== undefined && calledPath(call, targets) === undefined) yield* textsOf(component);
      else if (!known.has(component.type)) yield* textsOf(component);
      else if (codeTypes.has(component.type))
        yield* textsOf(component).filter((text) => definitionWords.test(text));
      else if (scriptTypes.has(component.type))
        yield* textsOf(component).filter((text) => dynamicSql.test(text));
    }
}

function* fileTexts(project: TestProject): Generator<string> {
  for (const path of project.paths) {
    const form = script.test(path) ? dynamicSql : code.test(path) ? definitionWords : undefined;
    const text = form === undefined ? '' : (readText(path, project) ?? '');
    if (form?.test(text) === true) yield text;
  }
}

/** The words of a text, in lower case, among which the name of a table may be. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

export function textsOf(component: Component): readonly string[] {
  return Array.from(scalarsOf(component.node('parameters')), (scalar) => textOf(scalar) ?? '');
}
