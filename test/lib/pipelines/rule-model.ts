/** A pipeline as the tests think of it: no YAML, no positions. */
export interface ModelComponent {
  readonly name: string;
  readonly type: string;
  readonly success: readonly string[];
  readonly failure: readonly string[];
  readonly iterationTarget?: string | undefined;
  readonly concurrent: boolean;
  readonly iterates?: string | undefined;
  readonly sources: readonly string[];
}

export interface PipelineModel {
  readonly kind: 'orch' | 'tran';
  readonly components: readonly ModelComponent[];
  readonly variables: readonly { readonly name: string; readonly copied: boolean }[];
}

/** Where a rule speaks: names of components, `file` for the pipeline as a whole, `no start` where it cannot be applied. */
export type Verdict = readonly string[];

/**
 * The eight rules as docs/unknowns.md words them, over a table of who reaches whom, and without a line of pipelines/.
 * Limits: 2 to 4 components, names that begin with A to Z, one output.
 */
export function verdictsOf(model: PipelineModel): ReadonlyMap<string, Verdict> {
  const { components, kind } = model;
  const names = components.map(({ name }) => name);
  const exists = (name: string | undefined): name is string => name !== undefined && names.includes(name);
  const onwards = (one: ModelComponent) =>
    kind === 'orch'
      ? [...one.success, ...one.failure].filter(exists)
      : names.filter((name) => exists(one.name) && named(name).sources.includes(one.name));
  const named = (name: string) => components.find((one) => one.name === name) ?? missing;
  const ways = (one: ModelComponent) =>
    kind === 'orch' && exists(one.iterationTarget) ? [...onwards(one), one.iterationTarget] : onwards(one);
  const reaches = closure(names, (name) => ways(named(name)));
  const where = (wrong: (one: ModelComponent) => boolean) =>
    components.filter((one) => wrong(one)).map(({ name }) => name);
  const isOutput = ({ type }: ModelComponent) => ['rewrite-table', 'create-view'].includes(type);
  const count = components.length;

  const verdicts = new Map<string, Verdict>([
    ['minimum-components', count < 2 ? ['file'] : []],
    ['maximum-components', count > 4 ? ['file'] : []],
    ['component-naming-convention', where(({ name }) => !/^[A-Z]/.test(name))],
    [
      'copied-variables',
      where(
        ({ type, concurrent, iterates }) =>
          type === 'loop-iterator' &&
          !concurrent &&
          model.variables.some(({ name, copied }) => copied && name === iterates),
      ),
    ],
  ]);
  if (kind === 'tran') {
    const read = (one: ModelComponent) => onwards(one).length > 0;
    verdicts.set(
      'unused-components',
      where((one) => !read(one) && !one.sources.some(exists)),
    );
    verdicts.set('maximum-outputs', components.filter(isOutput).length > 1 ? ['file'] : []);
    verdicts.set(
      'end-output-components',
      where((one) =>
        read(one) ? !names.some((end) => reaches(one.name, end) && !read(named(end))) : !isOutput(one),
      ),
    );
    return verdicts;
  }
  const starts = where(({ type }) => type === 'start');
  const reached = names.filter((name) => starts.some((start) => reaches(start, name)));
  const onBranch = new Set([...starts, ...reached.flatMap((name) => onwards(named(name)))]);
  const stops = [...onBranch].filter((name) => onwards(named(name)).length === 0);
  verdicts.set(
    'unused-components',
    starts.length === 0 ? ['no start'] : names.filter((name) => !reached.includes(name)),
  );
  verdicts.set(
    'start-and-end-components',
    starts.length === 0
      ? ['file']
      : where(
          ({ name, type }) =>
            onBranch.has(name) &&
            (stops.includes(name)
              ? !['end-success', 'end-failure'].includes(type)
              : !stops.some((stop) => reaches(name, stop))),
        ),
  );
  return verdicts;
}

const missing: ModelComponent = {
  name: '',
  type: '',
  success: [],
  failure: [],
  concurrent: false,
  sources: [],
};

/** Who reaches whom, itself included, by filling a table until nothing changes. */
function closure(
  names: readonly string[],
  next: (name: string) => readonly string[],
): (from: string, to: string) => boolean {
  const table = new Map(names.map((name) => [name, new Set([name, ...next(name)])]));
  for (const middle of names)
    for (const row of table.values())
      if (row.has(middle)) for (const name of table.get(middle) ?? []) row.add(name);
  return (from, to) => table.get(from)?.has(to) === true;
}
