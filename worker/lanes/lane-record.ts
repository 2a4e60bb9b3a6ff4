/** Why nothing moves in a lane. */
export interface Hold {
  readonly by: string;
  readonly why: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** A lane as Redis holds it. */
export interface LaneRecord {
  readonly id: string;
  readonly name: string;
  readonly repository: string;
  readonly project: string;
  readonly from: string;
  readonly to: string;
  readonly seq: number;
  readonly live:
    { readonly seq: number; readonly version: string; readonly run: string; readonly at: number } | undefined;
  readonly active: string | undefined;
  /** Run ids, next first. */
  readonly waiting: readonly string[];
  readonly hold: Hold | undefined;
  /** The commit that was accepted last. */
  readonly lastCommit: string | undefined;
  /** The run that was accepted last, but for those that came too late to count. */
  readonly lastRun: string | undefined;
}

export function readLane(
  id: string,
  hash: Readonly<Record<string, string>>,
  waiting: readonly string[],
): LaneRecord | undefined {
  if (hash['name'] === undefined) return undefined;
  return {
    id,
    name: hash['name'],
    repository: hash['repository'] ?? '',
    project: hash['project'] ?? '',
    from: hash['from'] ?? '',
    to: hash['to'] ?? '',
    seq: Number(hash['seq'] ?? 0),
    live:
      hash['liveVersion'] === undefined
        ? undefined
        : {
            seq: Number(hash['liveSeq'] ?? 0),
            version: hash['liveVersion'],
            run: hash['liveRun'] ?? '',
            at: Number(hash['liveAt'] ?? 0),
          },
    active: hash['active'],
    waiting,
    hold: hash['hold'] === undefined ? undefined : (JSON.parse(hash['hold']) as Hold),
    lastCommit: hash['lastCommit'],
    lastRun: hash['lastRun'],
  };
}
