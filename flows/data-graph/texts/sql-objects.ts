import type { Component } from '../../../lib/pipelines/model/component.ts';
import { componentTexts } from './component-texts.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';

/** The kinds of SQL objects other than tables: functions and procedures, sequences, and others. */
export type ObjectKind = 'called' | 'counting' | 'named';

const definition =
  /\b(?:create|alter|drop|undrop)\s+(?:or\s+replace\s+)?(?:(?:temporary|temp|secure|external|aggregate|local|global)\s+)*(function|procedure|sequence|stage|file\s+format|stream|task|pipe)\s+(?:if\s+(?:not\s+)?exists\s+)?((?:"[^"]+"|[\w$]+)(?:\s*\.\s*(?:"[^"]+"|[\w$]+))*)/giu;
const call = /(?:"([^"]+)"|([\p{L}_][\p{L}\p{N}_$]*))\s*\(/gu;
const counting = /(?:"([^"]+)"|([\p{L}_][\p{L}\p{N}_$]*))\s*\.\s*(?:nextval|currval)\b/giu;
const countingText = /\b(?:nextval|currval)\s*\(\s*'(?:[^']*\.)?"?([^'."]+)"?'/giu;
const word = /[\p{L}\p{N}_$]+/gu;

const kinds: ReadonlyMap<string, ObjectKind> = new Map([
  ['function', 'called'],
  ['procedure', 'called'],
  ['sequence', 'counting'],
]);

interface Pipelines {
  readonly project: TestProject;
  readonly pipelines: ReadonlyMap<string, unknown>;
}

/**
 * The objects other than tables that the SQL of each pipeline creates, alters or drops. Keys identify objects;
 * values are their names as written.
 */
export function definedObjects(graph: Pipelines): ReadonlyMap<string, ReadonlyMap<string, string>> {
  return new Map(
    [...graph.pipelines.keys()].map((pipeline) => [
      pipeline,
      new Map(
        textsOfPipeline(pipeline, graph, isScript)
          .flatMap(({ texts }) => texts)
          .flatMap((text) => [...text.matchAll(definition)])
          .map(([, what = '', name = '']) => {
            const last = name
              .slice(name.lastIndexOf('.') + 1)
              .trim()
              .replaceAll('"', '');
            return [objectKey(kinds.get(what.toLowerCase()) ?? 'named', last), last] as const;
          }),
      ),
    ]),
  );
}

/** The keys of the objects that a pipeline uses, with the line of the first component that uses each. */
export function usedObjects(
  pipeline: string,
  graph: Pipelines,
  isDefined: (key: string) => boolean,
): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const { texts, line } of textsOfPipeline(pipeline, graph))
    for (const text of texts)
      for (const key of keysIn(text)) if (isDefined(key) && !uses.has(key)) uses.set(key, line);
  return uses;
}

function* keysIn(text: string): Generator<string> {
  const found = (matches: Iterable<RegExpMatchArray>, kind: ObjectKind) =>
    Array.from(matches, ([all, quoted, plain]) => objectKey(kind, quoted ?? plain ?? all));
  yield* found(text.matchAll(call), 'called');
  yield* found(text.matchAll(counting), 'counting');
  yield* found(text.matchAll(countingText), 'counting');
  yield* found(text.matchAll(word), 'named');
}

function isScript({ type }: Component): boolean {
  return type === 'sql-executor' || type === 'sql-script';
}

function textsOfPipeline(
  pipeline: string,
  { project }: Pipelines,
  counts: (component: Component) => boolean = () => true,
) {
  const document = project.pipeline(pipeline);
  if (document === undefined) return [];
  return [...document.components.values()].filter(counts).map((component) => ({
    line: component.range.line,
    texts: componentTexts(component, document, project),
  }));
}

/** The key of an object: its kind, and its name without a schema. */
export function objectKey(kind: ObjectKind, name: string): string {
  return `${kind} ${name.toLowerCase()}`;
}
