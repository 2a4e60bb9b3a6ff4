/**
 * The names of all keys in Redis. Braces put all keys into one hash slot, so that scripts may use several keys on a
 * cluster too.
 */
export interface Keys {
  /** For scripts that build names themselves. */
  readonly prefix: string;
  /** Hash: the format of the records, the version of Millrace that raised it, and when. */
  readonly format: string;
  /** Identifies the records; missing after a loss. */
  readonly state: string;
  /** Hash: the process of Redis that the records were checked in last, and since when. */
  readonly epoch: string;
  /** Set of the lanes whose records are not compared yet since Redis was restarted. */
  readonly unchecked: string;
  /** Hash: the number and the time of the last call of each worker. */
  readonly workers: string;
  /** Written before a wait for the disk of Redis. */
  readonly words: string;
  /** Set of the workers that have not called since then. */
  readonly unheard: string;
  /** The preview of a bulk action, by its fingerprint. */
  preview(fingerprint: string): string;
  /** Hash: the address of the platform that the records are about, by the credential of worker.yaml. */
  readonly platforms: string;
  /** Set of the ids of all lanes. */
  readonly lanes: string;
  /** Hash: the pauses, by their ids. */
  readonly pauses: string;
  /** Sorted set of all promotion ids by time of acceptance. */
  readonly promotions: string;
  /** Set of the promotions that need work: not finished, or their end not yet reported. */
  readonly open: string;
  /** Sorted set: the promotions that GitHub shows an older state of, by the time since when. */
  readonly unsent: string;
  /** Stream: who did what; append-only. */
  readonly audit: string;
  /** Hash: a lane's definition and state. */
  lane(id: string): string;
  /** Sorted set of a lane’s promotion ids by time of acceptance. */
  promotionsOf(lane: string): string;
  /** List of the promotion ids that wait for the lane, next first. */
  queue(lane: string): string;
  /** List of the promotion ids whose following lanes have not accepted them yet, in the order of their ends. */
  following(lane: string): string;
  /** Hash: what a lane accepted last, by ref or by the lane before it. */
  heads(lane: string): string;
  /** Sorted set: the promotions to an environment of a project, by the order in which they changed it. */
  environment(repositoryId: number, project: string, environment: string): string;
  /** Hash: one promotion. */
  promotion(id: string): string;
  /** The history of a promotion (a list of `<time> <what> <data>`) or of a lane (a stream); append-only. */
  history(of: { readonly promotion: string } | { readonly lane: string }): string;
  /** Hash: the last known push of each ref of a repository. */
  chain(repositoryId: number): string;
  /** Sorted set: the ingest jobs of a repository's tags, in the order in which their pushes were received. */
  places(repositoryId: number): string;
  /** What a push found out before it waited for its turn, by the body's digest and since when it waits. */
  matched(digest: string, since: number): string;
  /** Sorted set: the refs and commits that recent pushes of a repository moved away from, by time of receipt. */
  departures(repositoryId: number): string;
  /** Sorted set: the moves of refs by recent pushes of a repository, by time of receipt. */
  moves(repositoryId: number): string;
  /** Hash: since when refs of a repository are deleted. */
  deletedRefs(repositoryId: number): string;
  /** Prefix of the state of sweeps. */
  readonly sweep: string;
  /** Hash: when the refs of each repository were compared last. */
  readonly comparisons: string;
  /** Set while a sweep is requested. */
  readonly sweepRequested: string;
  /** Hash: the recovery source of each repository. */
  readonly recoverySources: string;
  /** Hash: the status updates sent to GitHub about a promotion. */
  report(promotion: string): string;
  /** List: recent deliveries and their results, newest first. */
  readonly deliveries: string;
  /** List: recent deliveries that were refused, or could not be stored, newest first. */
  readonly refusedDeliveries: string;
  /** The result of a delivery, by GitHub's id. */
  delivery(id: string): string;
  /** The promotion that a comment approved or rejected, by the comment's name. */
  commentDecision(comment: string): string;
  /** Sorted set: the answers to comments that are not written yet, by the time when they are due. */
  readonly answers: string;
  /** Hash: the answer to a comment, by the comment's name. */
  answer(comment: string): string;
  /** A signed-in browser, by the digest of the session's id. */
  session(digest: string): string;
  /** Set once a sign-in with GitHub has opened a session, by the digest of its id. */
  signIn(digest: string): string;
  /** Hash: what is live in an environment, by its digest. */
  live(digest: string): string;
  /** Hash: the reads of what is live in an environment after verifications, by its digest. */
  liveReads(digest: string): string;
  /** Sorted set: the versions that lanes verified in an environment, by its digest, and when. */
  verified(digest: string): string;
  /** Sorted set: when each environment is due to be polled. */
  readonly liveTimes: string;
  /** The first delivery of a body, by the body's digest. */
  body(digest: string): string;
}

export function keysUnder(prefix: string): Keys {
  return {
    prefix,
    format: `${prefix}:format`,
    state: `${prefix}:state`,
    epoch: `${prefix}:epoch`,
    unchecked: `${prefix}:lanes:unchecked`,
    workers: `${prefix}:workers`,
    words: `${prefix}:words`,
    unheard: `${prefix}:workers:unheard`,
    platforms: `${prefix}:platforms`,
    lanes: `${prefix}:lanes`,
    pauses: `${prefix}:pauses`,
    preview: (fingerprint) => `${prefix}:preview:${fingerprint}`,
    promotions: `${prefix}:promotions`,
    open: `${prefix}:open`,
    unsent: `${prefix}:unsent`,
    audit: `${prefix}:audit`,
    lane: (id) => `${prefix}:lane:${id}`,
    promotionsOf: (id) => `${prefix}:lane:${id}:promotions`,
    queue: (id) => `${prefix}:lane:${id}:queue`,
    following: (id) => `${prefix}:lane:${id}:following`,
    heads: (id) => `${prefix}:lane:${id}:heads`,
    environment: (repositoryId, project, environment) =>
      `${prefix}:environment:${repositoryId}/${project.toLowerCase()}/${environment}`,
    promotion: (id) => `${prefix}:promotion:${id}`,
    history: (of) =>
      'promotion' in of ? `${prefix}:promotion:${of.promotion}:history` : `${prefix}:lane:${of.lane}:history`,
    chain: (repositoryId) => `${prefix}:chain:${repositoryId}`,
    places: (repositoryId) => `${prefix}:push-places:${repositoryId}`,
    matched: (digest, since) => `${prefix}:matched:${digest}:${since}`,
    moves: (repositoryId) => `${prefix}:moves:${repositoryId}`,
    departures: (repositoryId) => `${prefix}:departures:${repositoryId}`,
    deletedRefs: (repositoryId) => `${prefix}:deleted-refs:${repositoryId}`,
    sweep: `${prefix}:sweep`,
    comparisons: `${prefix}:sweep:comparisons`,
    sweepRequested: `${prefix}:sweep:requested`,
    recoverySources: `${prefix}:sweep:sources`,
    report: (id) => `${prefix}:promotion:${id}:report`,
    deliveries: `${prefix}:deliveries`,
    refusedDeliveries: `${prefix}:refused-deliveries`,
    delivery: (id) => `${prefix}:delivery:${id}`,
    commentDecision: (comment) => `${prefix}:comment:${comment}`,
    answers: `${prefix}:answers`,
    answer: (comment) => `${prefix}:answer:${comment}`,
    session: (digest) => `${prefix}:session:${digest}`,
    signIn: (digest) => `${prefix}:sign-in:${digest}`,
    live: (digest) => `${prefix}:live:${digest}`,
    liveReads: (digest) => `${prefix}:live-reads:${digest}`,
    verified: (digest) => `${prefix}:verified:${digest}`,
    liveTimes: `${prefix}:live-times`,
    body: (digest) => `${prefix}:body:${digest}`,
  };
}
