import { type HistorySide, meaningOfVariables } from './expected-changed.ts';
import {
  entriesOf,
  parametersByMeaning,
  type PlainComponent,
  type PlainPipeline,
  spelled,
  textIn,
  textsIn,
} from './plain-pipeline.ts';

/** If `from` changes, `to` is affected. */
export interface Step {
  readonly from: string;
  readonly to: string;
}

export interface PlainCall {
  readonly caller: PlainPipeline;
  readonly component: PlainComponent;
  /** The called pipeline of the project, if there is one. */
  readonly called: string | undefined;
  /** The target is known only at run time. */
  readonly isOpen: boolean;
}

const targetParameters: ReadonlyMap<string, string> = new Map([
  ['run-transformation', 'transformationJob'],
  ['run-orchestration', 'orchestrationJob'],
  ['run-shared-pipeline', 'pipelineName'],
]);

export function callsOfSide(side: HistorySide): readonly PlainCall[] {
  return [...side.pipelines.values()].flatMap((caller) => callsIn(caller, side));
}

export function callsIn(caller: PlainPipeline, side: HistorySide): readonly PlainCall[] {
  return [...(caller.components?.values() ?? [])].flatMap((component): PlainCall[] => {
    const parameter = targetParameters.get(component.type);
    if (parameter === undefined) return [];
    const target = textIn(component.parameters, parameter);
    if (target.includes('${')) return [{ caller, component, called: undefined, isOpen: true }];
    return [{ caller, component, called: calledBy(component, target, caller, side), isOpen: false }];
  });
}

/** The pipeline among those that the graph says the caller calls whose path ends most like the target. */
function calledBy(
  { type }: PlainComponent,
  target: string,
  { path }: PlainPipeline,
  { calls, pipelines }: HistorySide,
): string | undefined {
  if (type === 'run-shared-pipeline') return undefined;
  const suffix = type === 'run-transformation' ? '.tran.yaml' : '.orch.yaml';
  const parts = partsOf(target);
  return (calls.get(path) ?? [])
    .filter((each) => pipelines.has(each) && each.endsWith(suffix))
    .map((each) => ({ each, common: commonEnd(partsOf(each), parts) }))
    .filter(({ common }) => common > 0)
    .toSorted((a, b) => b.common - a.common)[0]?.each;
}

function partsOf(path: string): readonly string[] {
  return path
    .replace(/\.(?:orch|tran)\.yaml$/, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a.at(-1 - count) === b.at(-1 - count)) count += 1;
  return count;
}

/** Whether the caller uses what the call gives back. */
export function hasResult({ component }: PlainCall): boolean {
  return setsVariablesAfter(component);
}

/** Whether a component sets variables after it: a message for people sets none. */
function setsVariablesAfter({ after }: PlainComponent): boolean {
  return entriesOf(after).some(([key, value]) => key !== 'updateOutputMessage' && textsIn(value).length > 0);
}

const readsData: ReadonlySet<string> = new Set([
  'query-to-scalar',
  'query-to-grid',
  'table-iterator',
  'table-metadata-to-grid',
  'python-script',
  'python-pushdown',
  'bash-script',
]);
/** The types that decide which components run, or that set variables. */
const decides =
  /^(?:start|and|or|if|retry|end-\w+|\w+-iterator|run-(?:orchestration|transformation|shared-pipeline)|update-scalar|append-to-grid|remove-from-grid|print-variables)$/;

/** What comes before a call, in the order of the names: the call is among it. */
interface Way {
  readonly text: string;
  readonly fromData: boolean;
  readonly fromVariables: boolean;
}

function wayTo({ caller, component }: PlainCall): Way {
  const all = caller.components ?? new Map<string, PlainComponent>();
  const names = new Set([component.name]);
  // The loop also visits what it adds.
  for (const name of names)
    for (const { name: other, arrows } of all.values())
      if (arrows.some((arrow) => arrow.kind !== 'source' && arrow.name === name)) names.add(other);
  const before = [...names].toSorted().flatMap((name) => all.get(name) ?? []);
  const deciding = before.filter(
    (each) =>
      decides.test(each.type) ||
      readsData.has(each.type) ||
      setsVariablesAfter(each) ||
      each.arrows.some(isOnFailure),
  );
  // What a call sets after it decides about the call itself only in the next round.
  const isRepeated = before.some(({ type }) => type.endsWith('-iterator') || type === 'retry');
  const isFromData = (each: PlainComponent) =>
    readsData.has(each.type) || (setsVariablesAfter(each) && (each !== component || isRepeated));
  const fromVariables = deciding.some(
    (each) =>
      each.type === 'if' ||
      each.type.endsWith('-iterator') ||
      (typeof each.parameters === 'object' && spelled(each.parameters).includes('"setGridVariables":[')) ||
      textsIn(each.parameters).some((text) => text.includes('${')),
  );
  return {
    text: JSON.stringify([
      before.map(({ name, type, isSkipped, arrows }) => [
        name,
        type,
        isSkipped,
        arrows
          .filter((arrow) => names.has(arrow.name))
          .map((arrow) => JSON.stringify(arrow))
          .toSorted(),
      ]),
      deciding.map((each) => [each.name, spelled(parametersByMeaning(each)), spelled(each.after)]),
      fromVariables ? meaningOfVariables(caller.variables) : '',
    ]),
    fromData: deciding.some(isFromData),
    fromVariables,
  };
}

function isOnFailure({ kind }: PlainComponent['arrows'][number]): boolean {
  return kind === 'failure';
}

/** From callers to what they call otherwise than before, or with values that depend on data. */
export function passedSteps(
  now: HistorySide,
  before: HistorySide,
  changed: ReadonlySet<string>,
): readonly Step[] {
  const steps: Step[] = [];
  const callsOf = (path: string, side: HistorySide) => {
    const pipeline = side.pipelines.get(path);
    return pipeline === undefined ? [] : callsIn(pipeline, side).filter(({ called }) => called !== undefined);
  };
  const otherwise = new Set<string>();
  for (const from of changed)
    for (const to of otherCalls(callsOf(from, now), callsOf(from, before)))
      if (now.pipelines.has(to)) {
        otherwise.add(to);
        steps.push({ from, to });
      }
  // The loop also visits what it adds.
  for (const from of otherwise)
    for (const call of callsOf(from, now))
      if (call.called !== undefined && wayTo(call).fromVariables) {
        otherwise.add(call.called);
        steps.push({ from, to: call.called });
      }
  for (const call of callsOfSide(now))
    if (call.called !== undefined && wayTo(call).fromData)
      steps.push({ from: call.caller.path, to: call.called });
  return steps;
}

/** What is called in another way than before, or on one side only. */
function otherCalls(calls: readonly PlainCall[], old: readonly PlainCall[]): ReadonlySet<string> {
  const keyOf = (call: PlainCall) => JSON.stringify([call.component.name, call.called, wayTo(call).text]);
  const [keys, oldKeys] = [new Set(calls.map(keyOf)), new Set(old.map(keyOf))];
  const other = [
    ...calls.filter((call) => !oldKeys.has(keyOf(call))),
    ...old.filter((call) => !keys.has(keyOf(call))),
  ];
  return new Set(other.flatMap(({ called }) => called ?? []));
}
