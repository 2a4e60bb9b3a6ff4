/**
 * The names of all keys. The braces make one hash slot of them, so that scripts may touch several keys on a cluster
 * too.
 */
export interface Keys {
  /** For scripts that make names themselves. */
  readonly prefix: string;
  /** Says whose records these are; there is none where they were lost. */
  readonly state: string;
  /** Set of the ids of all lanes. */
  readonly lanes: string;
  /** Sorted set of all promotion ids by time of acceptance. */
  readonly promotions: string;
  /** Set of the promotions that still need somebody: not ended, or their end not yet reported. */
  readonly open: string;
  /** Stream: who did what; only ever appended to. */
  readonly audit: string;
  /** Hash: what a lane is and where it stands. */
  lane(id: string): string;
  /** Sorted set of a lane’s promotion ids by time of acceptance. */
  promotionsOf(lane: string): string;
  /** List of the promotion ids that wait for the lane, next first. */
  queue(lane: string): string;
  /** Hash: what a lane accepted last, by ref or by the lane before it. */
  heads(lane: string): string;
  /** Hash: one promotion. */
  promotion(id: string): string;
  /** Stream: what happened in a promotion or a lane; only ever appended to. */
  history(of: { readonly promotion: string } | { readonly lane: string }): string;
  /** Hash: what was last heard of each ref of a repository. */
  chain(repositoryId: number): string;
  /** Sorted set: which pushes of a repository are being taken in, by when they came. */
  ingesting(repositoryId: number): string;
  /** Hash: since when refs of a repository have been seen to be gone. */
  deletedRefs(repositoryId: number): string;
  /** Prefix of what sweeps remember. */
  readonly sweep: string;
  /** Set while somebody wants a sweep soon. */
  readonly sweepRequested: string;
  /** Hash: how missed pushes are found, by repository. */
  readonly recoverySources: string;
  /** Hash: what GitHub has been told about a promotion. */
  report(promotion: string): string;
  /** List: what was delivered lately and what came of it, newest first. */
  readonly deliveries: string;
  /** What became of a delivery, by GitHub's id of it. */
  delivery(id: string): string;
  /** Of a signed-in browser, by the digest of the session's id. */
  session(digest: string): string;
  /** Hash: what is live in an environment, by its digest. */
  live(digest: string): string;
  /** Sorted set: when the platform is to be asked about each environment. */
  readonly liveTimes: string;
  /** The delivery that brought a body first, by the body's digest. */
  body(digest: string): string;
}

export function keysUnder(prefix: string): Keys {
  return {
    prefix,
    state: `${prefix}:state`,
    lanes: `${prefix}:lanes`,
    promotions: `${prefix}:promotions`,
    open: `${prefix}:open`,
    audit: `${prefix}:audit`,
    lane: (id) => `${prefix}:lane:${id}`,
    promotionsOf: (id) => `${prefix}:lane:${id}:promotions`,
    queue: (id) => `${prefix}:lane:${id}:queue`,
    heads: (id) => `${prefix}:lane:${id}:heads`,
    promotion: (id) => `${prefix}:promotion:${id}`,
    history: (of) =>
      'promotion' in of ? `${prefix}:promotion:${of.promotion}:history` : `${prefix}:lane:${of.lane}:history`,
    chain: (repositoryId) => `${prefix}:chain:${repositoryId}`,
    ingesting: (repositoryId) => `${prefix}:ingesting:${repositoryId}`,
    deletedRefs: (repositoryId) => `${prefix}:deleted-refs:${repositoryId}`,
    sweep: `${prefix}:sweep`,
    sweepRequested: `${prefix}:sweep:asked`,
    recoverySources: `${prefix}:sweep:sources`,
    report: (id) => `${prefix}:promotion:${id}:report`,
    deliveries: `${prefix}:deliveries`,
    delivery: (id) => `${prefix}:delivery:${id}`,
    session: (digest) => `${prefix}:session:${digest}`,
    live: (digest) => `${prefix}:live:${digest}`,
    liveTimes: `${prefix}:live-times`,
    body: (digest) => `${prefix}:body:${digest}`,
  };
}
