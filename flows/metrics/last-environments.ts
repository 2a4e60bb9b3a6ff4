interface Link {
  readonly from: string;
  readonly to: string;
}

/** The environments from which no lane leads on; all environments if every one has a lane that leads on. */
export function lastEnvironments(lanes: readonly Link[]): readonly string[] {
  const sources = new Set(lanes.map(({ from }) => from));
  const targets = [...new Set(lanes.map(({ to }) => to))].toSorted();
  const last = targets.filter((name) => !sources.has(name));
  return last.length === 0 ? targets : last;
}
