export type Policy = 'latest' | 'every' | 'cancel';

interface ModelRun {
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

/** One turn that somebody began; it does not know whether it was taken over since. */
export interface ModelTurn {
  readonly run: string;
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

const mostCancels = 3;

/** A lane as the design tells of it: one at a time, newest last, nothing twice. */
export class LaneModel {
  readonly runs = new Map<string, ModelRun>();
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
    this.runs.set(id, { ...fresh, intent: false, effects: 0 });
    if (this.#policy !== 'every') {
      for (const waiting of this.queue) this.#end(waiting, 'superseded');
      this.queue.length = 0;
    }
    this.queue.push(id);
    const active = this.runs.get(this.active);
    if (this.#policy === 'cancel' && active !== undefined && this.#cancels < mostCancels) {
      active.cancel = true;
      this.#cancels += 1;
    }
    this.kick();
    return 'accepted';
  }

  begin(id: string): ModelTurn | undefined {
    const run = this.runs.get(id);
    if (run === undefined || this.active !== id) return undefined;
    this.#fence += 1;
    run.fence = this.#fence;
    return { run: id, fence: this.#fence, mayAct: !run.intent };
  }

  /** Writes the intent down and, where that was allowed, acts. */
  effect(turn: ModelTurn): 'ok' | 'fenced' | 'held' {
    const run = this.runs.get(turn.run);
    if (run === undefined || !this.#holdsFence(turn)) return 'fenced';
    if (this.held) return 'held';
    run.intent = true;
    run.effects += 1;
    return 'ok';
  }

  settle(turn: ModelTurn, end: 'passed' | 'failed' | 'indeterminate'): boolean {
    const run = this.runs.get(turn.run);
    if (run === undefined || !this.#holdsFence(turn)) return false;
    this.#end(run.id, end);
    if (end === 'passed') {
      this.liveSeq = run.seq;
      this.#cancels = 0;
    }
    if (end === 'indeterminate') this.held = true;
    this.active = '';
    this.kick();
    return true;
  }

  /** A lane that nothing ever went through is not there to be held. */
  hold(): void {
    if (this.seq > 0) this.held = true;
  }

  release(): void {
    if (!this.held) return;
    this.held = false;
    this.kick();
  }

  cancel(id: string): 'unknown' | 'ended' | 'over' | 'asked' {
    const run = this.runs.get(id);
    if (run === undefined) return 'unknown';
    if (run.state === 'finished') return 'over';
    if (run.state === 'active') {
      run.cancel = true;
      return 'asked';
    }
    this.queue.splice(this.queue.indexOf(id), 1);
    this.#end(id, 'cancelled');
    return 'ended';
  }

  kick(): void {
    while (!this.held && this.active === '') {
      const id = this.queue.shift();
      const run = this.runs.get(id ?? '');
      if (run === undefined) return;
      if (run.seq <= this.liveSeq) this.#end(run.id, 'superseded');
      else {
        run.state = 'active';
        this.active = run.id;
      }
    }
  }

  #holdsFence({ run, fence }: ModelTurn): boolean {
    return this.active === run && this.runs.get(run)?.fence === fence;
  }

  #end(id: string, outcome: string): void {
    const run = this.runs.get(id);
    if (run === undefined) return;
    run.state = 'finished';
    run.outcome = outcome;
  }
}
