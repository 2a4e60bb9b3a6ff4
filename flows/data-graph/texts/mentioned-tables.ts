import { type Call, callOf, calledPath, callsOf } from '../../../lib/pipelines/model/calls.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import { codeTypes, knownTypes } from '../../../lib/pipelines/model/component-types.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { scalarsOf, textOf } from '../../../lib/yaml/yaml-node.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { readText } from './read-text.ts';
import { unreadableTexts } from './unreadable-pipelines.ts';
import { callTargetsOf } from '../../pipeline-tests/files/project-roots.ts';

const typesWithMeaning: ReadonlySet<string> = new Set([
  ...knownTypes.orchestration,
  ...knownTypes.transformation,
]);
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
  const targets = callTargetsOf(project);
  const words = new Set([...fileTexts(project), ...unreadableTexts(project)].flatMap(wordsOf));
  for (const path of project.pipelines) {
    const document = project.pipeline(path);
    if (document === undefined) continue;
    const mentions = mentionsOf(document);
    for (const word of mentions.words) words.add(word);
    for (const call of mentions.calls)
      if (calledPath(call, targets) === undefined)
        for (const word of textsOf(call.component).flatMap(wordsOf)) words.add(word);
  }
  return words;
}

/** What a document says whatever other files contain. */
interface Mentions {
  /** The words of all components that call nothing. */
  readonly words: readonly string[];
  readonly calls: readonly Call[];
}

const mentionsByDocument = new WeakMap<PipelineDocument, Mentions>();

function mentionsOf(document: PipelineDocument): Mentions {
  const known = mentionsByDocument.get(document);
  if (known !== undefined) return known;
  const components = [...document.components.values()];
  const mentions = {
    words: components.filter((component) => callOf(component) === undefined).flatMap(mentionedBy),
    calls: callsOf(document),
  };
  mentionsByDocument.set(document, mentions);
  return mentions;
}

function mentionedBy(component: Component): readonly string[] {
  const { type } = component;
  if (!typesWithMeaning.has(type)) return textsOf(component).flatMap(wordsOf);
  const form = codeTypes.has(type) ? definitionWords : scriptTypes.has(type) ? dynamicSql : undefined;
  return form === undefined
    ? []
    : textsOf(component)
        .filter((text) => form.test(text))
        .flatMap(wordsOf);
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
