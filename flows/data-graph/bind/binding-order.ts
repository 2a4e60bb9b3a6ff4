import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { childOf, textOf } from '../../../lib/yaml/yaml-node.ts';
import { textsOf } from '../texts/mentioned-tables.ts';

/** The parameters that name the table that a component writes. */
const targets = ['targetTable', 'table', 'viewName', 'newTableName'] as const;
/** A table or view that SQL creates; the name has up to three parts. */
const created =
  /\b(?:create|replace)\s+(?:\w+\s+){0,3}?(?:table|view)\s+(?:if\s+not\s+exists\s+)?((?:"[^"]+"|[\w$]+)(?:\s*\.\s*(?:"[^"]+"|[\w$]+)){0,2})/giu;
const word = /[\p{L}\p{N}_$]+/gu;

/**
 * Orders pipelines so that most come after the pipelines that create the tables that they name; otherwise in the
 * given order. The order is guessed from names, ignoring case. A wrong guess only costs time, because a pipeline
 * that came too early is bound again.
 */
export function bindingOrder(
  paths: readonly string[],
  documentOf: (path: string) => PipelineDocument | undefined,
): readonly string[] {
  const names = paths.map((path) => namesIn(documentOf(path)));
  // How many pipelines that create a table are still to come, and which pipelines wait for it.
  const missing = new Map<string, number>();
  for (const { creates } of names)
    for (const name of creates) missing.set(name, (missing.get(name) ?? 0) + 1);
  const waiting = new Map<string, number[]>();
  const open = names.map(({ creates, uses }, index) => {
    const needed = [...uses].filter((name) => missing.has(name) && !creates.has(name));
    for (const name of needed) {
      const list = waiting.get(name);
      if (list === undefined) waiting.set(name, [index]);
      else list.push(index);
    }
    return needed.length;
  });
  const order = new Set<number>();
  const ready = open.flatMap((count, index) => (count === 0 ? [index] : []));
  let next = 0;
  const add = (index: number) => {
    order.add(index);
    for (const name of names[index]?.creates ?? []) {
      const left = (missing.get(name) ?? 0) - 1;
      missing.set(name, left);
      if (left > 0) continue;
      for (const other of waiting.get(name) ?? []) {
        open[other] = (open[other] ?? 0) - 1;
        if (open[other] === 0) ready.push(other);
      }
    }
  };
  while (order.size < paths.length) {
    for (let at = 0; at < ready.length; at += 1) {
      const index = ready[at];
      if (index !== undefined && !order.has(index)) add(index);
    }
    ready.length = 0;
    // Those that are left need each other: begin with the first one.
    while (order.has(next)) next += 1;
    if (next < paths.length) add(next);
  }
  return [...order].flatMap((index) => paths[index] ?? []);
}

interface Names {
  /** In lower case, without database and schema. */
  readonly creates: ReadonlySet<string>;
  /** All words. */
  readonly uses: ReadonlySet<string>;
}

function namesIn(document: PipelineDocument | undefined): Names {
  const [creates, uses] = [new Set<string>(), new Set<string>()];
  for (const component of document?.components.values() ?? []) {
    for (const text of textsOf(component)) {
      for (const [found] of text.matchAll(word)) uses.add(found.toLowerCase());
      for (const [, name = ''] of text.matchAll(created)) creates.add(lastPart(name));
    }
    // A component of a transformation without a source reads the table.
    if (document?.kind === 'transformation' && component.sources.length === 0) continue;
    for (const target of targets) {
      const text = textOf(childOf(component.node('parameters'), target));
      if (text !== undefined && text !== '') creates.add(text.toLowerCase());
    }
  }
  return { creates, uses };
}

function lastPart(name: string): string {
  return (name.split('.').at(-1) ?? '').replaceAll('"', '').trim().toLowerCase();
}
