/** A version as the model knows it. */
export interface ModelArtifact {
  readonly commit: string;
  /** Whether the commit is on an allowed branch. */
  readonly allowed: boolean;
}

interface ModelPromotion {
  readonly id: string;
  readonly version: string;
  /** The commit that the artifact must have been built from; undefined for a request: any allowed one. */
  readonly commit: string | undefined;
  readonly request: boolean;
  readonly retry?: boolean;
  state: 'queued' | 'active' | 'finished';
  outcome?: 'passed' | 'failed' | 'cancelled' | 'superseded' | 'nothing-to-do';
  cancel?: boolean;
  /** It is in the target, and its verification is next. */
  isThere?: boolean;
}

/** Major, minor, patch and candidate; a release comes after its candidates. */
function rank(version: string): readonly number[] {
  const [, major, minor, patch, candidate] = /^v(\d+)\.(\d+)\.(\d+)(?:-rc\.(\d+))?$/u.exec(version) ?? [];
  return [
    Number(major),
    Number(minor),
    Number(patch),
    candidate === undefined ? Infinity : Number(candidate),
  ];
}

function isOlder(version: string, than: string): boolean {
  const [a, b] = [rank(version), rank(than)];
  const at = a.findIndex((one, i) => one !== b[i]);
  return at !== -1 && (a[at] ?? 0) < (b[at] ?? 0);
}

/**
 * A lane with the policy `latest` that verifies and rolls back, as docs/worker.md describes it, and the platform below
 * it. Written down once more: it shares no code with the worker.
 */
export class VersionModel {
  /** The versions in the target, the oldest first. */
  readonly target: { readonly name: string; enabled: boolean }[] = [];
  /** The versions in the source. */
  readonly artifacts = new Map<string, ModelArtifact>();
  readonly promotions = new Map<string, ModelPromotion>();
  readonly proven = new Set<string>();
  /** Versions whose verification fails. */
  readonly failing = new Set<string>();
  isHeld = false;
  verified: string | undefined;
  last: string | undefined;
  active: string | undefined;
  queue: string[] = [];
  /** Its next promotion to the target is cancelled before it is verified. */
  cancelsNext = false;
  readonly #heads = new Map<string, string>();
  readonly #retried = new Set<string>();
  #noticed: string | undefined;
  #takenOut: string | undefined;
  #isKnown = false;

  get live(): string | undefined {
    return this.target.findLast(({ enabled }) => enabled)?.name;
  }

  get wanted(): string | undefined {
    const last = this.last === undefined ? undefined : this.promotions.get(this.last);
    return last === undefined || last.outcome === 'cancelled' ? undefined : last.version;
  }

  /** Whether live, verified and wanted disagree, and no promotion explains it. */
  get isOutOfStep(): boolean {
    const active = this.active === undefined ? undefined : this.#promotion(this.active);
    const isExplained = active?.isThere === true && active.version === this.live;
    if (this.live !== this.verified && !isExplained) return true;
    if (active !== undefined || this.queue.length > 0 || this.wanted === undefined) return false;
    return this.wanted !== this.verified && this.wanted !== this.live;
  }

  push(id: string, version: string, commit: string): void {
    if (this.#heads.get(version) === commit) return;
    this.#heads.set(version, commit);
    this.#isKnown = true;
    const open = [...(this.active === undefined ? [] : [this.active]), ...this.queue].map((one) =>
      this.#promotion(one),
    );
    const isOut = this.verified === this.#takenOut || this.verified === this.#noticed;
    const known = [
      ...open.filter(({ cancel }) => cancel !== true).map((one) => one.version),
      ...(isOut ? [] : [this.verified]),
      this.live,
    ];
    const behind = known.some((one) => one !== undefined && isOlder(version, one));
    this.#accept({ id, version, commit, request: false, state: 'queued' }, behind);
  }

  /** Whether it is possible. */
  retry(of: string, id: string): boolean {
    const { version, commit, request, state } = this.#promotion(of);
    if (state !== 'finished' || this.#retried.has(of)) return false;
    this.#retried.add(of);
    this.#accept({ id, version, commit, request, retry: true, state: 'queued' }, false);
    return true;
  }

  request(version: string, id: string): 'new' | 'same' | 'refused' {
    if (this.last === undefined || !this.artifacts.has(version)) return 'refused';
    const last = this.#promotion(this.last);
    if (last.request && last.version === version && last.state !== 'finished') return 'same';
    this.#accept({ id, version, commit: undefined, request: true, state: 'queued' }, false);
    return 'new';
  }

  /** Whether it is possible; the lane is held in any case. */
  rollBack(): boolean {
    if (!this.#isKnown || (this.active !== undefined && this.#promotion(this.active).isThere === true))
      return false;
    this.isHeld = true;
    const { live } = this;
    return live !== undefined && this.#takeBack(live);
  }

  resume(): void {
    this.isHeld = false;
    this.#kick();
  }

  cancel(id: string): void {
    const promotion = this.#promotion(id);
    if (promotion.state === 'active') promotion.cancel = true;
    if (promotion.state !== 'queued') return;
    this.queue = this.queue.filter((one) => one !== id);
    this.#end(promotion, 'cancelled');
  }

  /** By hand, on the platform. */
  setEnabled(version: string, enabled: boolean): void {
    const found = this.target.find(({ name }) => name === version);
    if (found !== undefined) found.enabled = enabled;
  }

  promoteByHand(version: string): void {
    if (this.#find(version) === undefined) this.target.push({ name: version, enabled: true });
  }

  /** Continues until everything waits. */
  drain(): void {
    while (this.active !== undefined && this.#advance(this.#promotion(this.active)));
  }

  #accept(promotion: ModelPromotion, behind: boolean): void {
    this.promotions.set(promotion.id, promotion);
    if (behind) return this.#end(promotion, 'superseded');
    this.last = promotion.id;
    for (const waiting of this.queue) this.#end(this.#promotion(waiting), 'superseded');
    this.queue = [promotion.id];
    this.#kick();
  }

  #kick(): void {
    if (this.isHeld || this.active !== undefined) return;
    this.active = this.queue.shift();
    if (this.active !== undefined) this.#promotion(this.active).state = 'active';
  }

  /** False if it waits. */
  #advance(promotion: ModelPromotion): boolean {
    const { version, commit, request } = promotion;
    if (promotion.cancel === true) return this.#leave(promotion, 'cancelled');
    if (promotion.isThere === true) return this.#verify(promotion);
    const artifact = this.artifacts.get(version);
    const fits = commit === undefined ? artifact?.allowed === true : artifact?.commit === commit;
    if (!fits) return this.#leave(promotion, 'failed');
    const there = this.#find(version);
    if (there !== undefined && this.live !== version) {
      if (!request) return this.#leave(promotion, there.enabled ? 'nothing-to-do' : 'failed');
      if (this.isHeld) return false;
      there.enabled = true;
      for (const newer of this.target.slice(this.target.indexOf(there) + 1))
        if (newer.enabled) this.#takeOut(newer);
    }
    if (there === undefined) {
      const { live } = this;
      const isBehind = live !== undefined && isOlder(version, live);
      if (isBehind && !request && promotion.retry !== true) return this.#leave(promotion, 'superseded');
      const before = this.verified === undefined ? undefined : this.#find(this.verified);
      if (before?.enabled === false && this.#noticed !== before.name) {
        this.#noticed = before.name;
        this.#takenOut = before.name;
        this.isHeld = true;
      }
      if (this.isHeld) return false;
      this.target.push({ name: version, enabled: true });
      if (this.cancelsNext) {
        this.cancelsNext = false;
        return this.#leave(promotion, 'cancelled');
      }
    }
    promotion.isThere = true;
    return this.#verify(promotion);
  }

  #verify(promotion: ModelPromotion): boolean {
    const { version } = promotion;
    if (this.isHeld) return false;
    // A disabled version cannot be executed.
    if (!this.failing.has(version) && this.#find(version)?.enabled === true) {
      if (this.live !== version) return this.#leave(promotion, 'nothing-to-do');
      this.proven.add(version);
      this.verified = version;
      this.#noticed = undefined;
      this.#takenOut = undefined;
      return this.#leave(promotion, 'passed');
    }
    this.proven.delete(version);
    if (!this.#takeBack(version)) this.isHeld = true;
    return this.#leave(promotion, 'failed');
  }

  /** Goes back from the live version to the newest one before it that was verified and is enabled. */
  #takeBack(live: string): boolean {
    const at = this.target.findIndex(({ name }) => name === live);
    const gone = this.target[at];
    if (gone === undefined) return false;
    if (this.target.some(({ enabled }, i) => i > at && enabled)) {
      this.#takeOut(gone);
      return true;
    }
    const to = this.target.findLastIndex(
      ({ name, enabled }, i) => i < at && enabled && this.proven.has(name),
    );
    if (to === -1) return false;
    for (const one of this.target.slice(to + 1, at)) one.enabled = false;
    this.#takeOut(gone);
    return true;
  }

  #takeOut(one: { readonly name: string; enabled: boolean }): void {
    one.enabled = false;
    this.#takenOut = one.name;
    if (one.name === this.verified) this.#noticed = one.name;
  }

  #leave(promotion: ModelPromotion, outcome: NonNullable<ModelPromotion['outcome']>): true {
    this.#end(promotion, outcome);
    this.active = undefined;
    this.#kick();
    return true;
  }

  #end(promotion: ModelPromotion, outcome: NonNullable<ModelPromotion['outcome']>): void {
    promotion.state = 'finished';
    promotion.outcome = outcome;
  }

  #find(version: string) {
    return this.target.find(({ name }) => name === version);
  }

  #promotion(id: string): ModelPromotion {
    const found = this.promotions.get(id);
    if (found === undefined) throw new Error(`the model has no promotion ${id}`);
    return found;
  }
}
