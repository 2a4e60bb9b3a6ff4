import { array, boolean, constantFrom, nat, option, record, subarray, uniqueArray } from 'fast-check';

const names = ['Start', 'Load it', 'größe', '1.0', 'true', 'null', 'Say "hi"', "It's", 'X: y'];
names.push('# no', '日本', '😀 x', 'Tab\there', '- a', '{b}', 'C,d', '', 'Back\\slash', '*z');
const types = [
  'start',
  'end-success',
  'end-failure',
  'sql-script',
  'loop-iterator',
  'rewrite-table',
  'create-view',
];

/** Any pipeline of up to six components, and the whims of anyone who writes it. */
export const anyPipeline = subarray(names, { minLength: 0, maxLength: 6 }).chain((own) => {
  const targets = uniqueArray(constantFrom(...own, 'gone'), { maxLength: 2 });
  const maybe = (...words: string[]) => option(constantFrom(...words), { nil: undefined, freq: 2 });
  const component = record({
    type: constantFrom(...types),
    success: targets,
    failure: targets,
    iterationTarget: maybe(...own.filter((name) => name !== ''), 'gone'),
    concurrent: boolean(),
    iterates: maybe('day', 'week'),
    sources: targets,
  });
  return record({
    kind: constantFrom('orch' as const, 'tran' as const),
    components: array(component, { minLength: own.length, maxLength: own.length }).map((made) =>
      made.map((one, index) => ({ ...one, name: own[index] ?? '' })),
    ),
    variables: subarray([
      { name: 'day', copied: true },
      { name: 'week', copied: false },
    ]),
  });
});
/** What decides each quote, bracket and line end. */
export const whims = array(nat({ max: 1000 }), { minLength: 50, maxLength: 200 });

/** Answers from a list of whims, round and round, so that a failure can be shrunk and repeated. */
export function chooser(numbers: readonly number[]): (options: number) => number {
  let turn = 0;
  return (options) => ((numbers[(turn += 1) % numbers.length] ?? 0) + turn * 7) % options;
}
