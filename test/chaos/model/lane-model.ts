export type Policy = 'latest' | 'every' | 'cancel';

interface ModelPromotion {
  readonly id: string;
  readonly seq: number;
  readonly head: string;
  state: 'queued' | 'active' | 'finished';
  outcome: string;
  fence: number;
  cancel: boolean;
  intent: boolean;
  /** What really happened outside. */
  effects: number;
}

/** One advance; it does not know whether it was fenced off since. */
export interface ModelAdvance {
  readonly promotion: string;
  readonly fence: number;
  /** Its record showed no effect under way or done when it began. */
  readonly mayAct: boolean;
}

/** What can be compared with the real records. */
export interface LaneView {
  readonly seq: number;
  readonly active: string;
  readonly waiting: readonly string[];
  readonly liveSeq: number;
  readonly held: boolean;
}

const maxCancels = 3;

/** A lane as the design describes it: one at a time, newest last, nothing twice. */
export class LaneModel {
  readonly promotions = new Map<string, ModelPromotion>();
  readonly queue: string[] = [];
  seq = 0;
  active = '';
  liveSeq = 0;
  held = false;
  #head = '';
  #fence = 0;
  #cancels = 0;
  readonly #policy: Policy;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  get view(): LaneView {
    return {
      seq: this.seq,
      active: this.active,
      waiting: [...this.queue],
      liveSeq: this.liveSeq,
      held: this.held,
    };
  }

  push(id: string, head: string): 'accepted' | 'duplicate' {
    if (head === this.#head) return 'duplicate';
    this.#head = head;
    this.seq += 1;
    const fresh = { id, seq: this.seq, head, state: 'queued', outcome: '', fence: 0, cancel: false } as const;
    this.promotions.set(id, { ...fresh, intent: false, effects: 0 });
    if (this.#policy !== 'every') {
      for (const waiting of this.queue) this.#end(waiting, 'superseded');
      this.queue.length = 0;
    }
    this.queue.push(id);
    const active = this.promotions.get(this.active);
    if (this.#policy === 'cancel' && active !== undefined && this.#cancels < maxCancels) {
      active.cancel = true;
      this.#cancels += 1;
    }
    this.startNext();
    return 'accepted';
  }

  begin(id: string): ModelAdvance | undefined {
    const promotion = this.promotions.get(id);
    if (promotion === undefined || this.active !== id) return undefined;
    this.#fence += 1;
    promotion.fence = this.#fence;
    return { promotion: id, fence: this.#fence, mayAct: !promotion.intent };
  }

  /** Writes the intent down and, where that was allowed, acts. */
  effect(advance: ModelAdvance): 'ok' | 'fenced' | 'held' {
    const promotion = this.promotions.get(advance.promotion);
    if (promotion === undefined || !this.#holdsFence(advance)) return 'fenced';
    if (this.held) return 'held';
    // Its end was requested before it acted: the next advance ends it.
    if (promotion.cancel && !promotion.intent) return 'held';
    promotion.intent = true;
    promotion.effects += 1;
    return 'ok';
  }

  finish(advance: ModelAdvance, end: 'passed' | 'failed' | 'indeterminate'): boolean {
    const promotion = this.promotions.get(advance.promotion);
    if (promotion === undefined || !this.#holdsFence(advance)) return false;
    this.#end(promotion.id, end);
    if (end === 'passed') {
      this.liveSeq = promotion.seq;
      this.#cancels = 0;
    }
    if (end === 'indeterminate') this.held = true;
    this.active = '';
    this.startNext();
    return true;
  }

  /** A lane that nothing ever went through is not there to be held. */
  hold(): void {
    if (this.seq > 0) this.held = true;
  }

  release(): void {
    if (!this.held) return;
    this.held = false;
    this.startNext();
  }

  cancel(id: string): 'unknown' | 'ended' | 'over' | 'requested' {
    const promotion = this.promotions.get(id);
    if (promotion === undefined) return 'unknown';
    if (promotion.state === 'finished') return 'over';
    if (promotion.state === 'active') {
      promotion.cancel = true;
      return 'requested';
    }
    this.queue.splice(this.queue.indexOf(id), 1);
    this.#end(id, 'cancelled');
    return 'ended';
  }

  startNext(): void {
    while (!this.held && this.active === '') {
      const id = this.queue.shift();
      const promotion = this.promotions.get(id ?? '');
      if (promotion === undefined) return;
      if (promotion.seq <= this.liveSeq) this.#end(promotion.id, 'superseded');
      else {
        promotion.state = 'active';
        this.active = promotion.id;
      }
    }
  }

  #holdsFence({ promotion, fence }: ModelAdvance): boolean {
    return this.active === promotion && this.promotions.get(promotion)?.fence === fence;
  }

  #end(id: string, outcome: string): void {
    const promotion = this.promotions.get(id);
    if (promotion === undefined) return;
    promotion.state = 'finished';
    promotion.outcome = outcome;
  }
}
