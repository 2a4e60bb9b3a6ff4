interface Link {
  readonly from: string;
  readonly to: string;
}

/** The environments of a project where its versions end; all of them if every lane leads to another. */
export function lastEnvironments(lanes: readonly Link[]): readonly string[] {
  const sources = new Set(lanes.map(({ from }) => from));
  const targets = [...new Set(lanes.map(({ to }) => to))].toSorted();
  const last = targets.filter((name) => !sources.has(name));
  return last.length === 0 ? targets : last;
}
