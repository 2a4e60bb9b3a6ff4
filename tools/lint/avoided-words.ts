/** A word or phrase that texts and names do not use, and the standard term to write instead. */
export interface AvoidedWord {
  readonly pattern: RegExp;
  readonly write: string;
}

/** In comments, messages, titles and pages. */
export const avoidedTexts: readonly AvoidedWord[] = [
  { pattern: /\bmend(?:s|ed|ing)?\b/i, write: 'fix, hint' },
  { pattern: /\bremed(?:y|ies)\b/i, write: 'fix, hint' },
  { pattern: /\bsettle[sd]?\b/i, write: 'finish, resolve, validate' },
  { pattern: /\bhappenings?\b/i, write: 'event' },
  { pattern: /\bprepa(?:y|id)\b/i, write: 'acquire' },
  { pattern: /\bstanding rules\b/i, write: 'current policy' },
  { pattern: /\bshut gate\b/i, write: 'blocking gate' },
  { pattern: /\bcircles?\b/i, write: 'cycle' },
  { pattern: /\bnought\b/i, write: 'zero' },
  { pattern: /\banew\b/i, write: 'again' },
  { pattern: /\bwhoever\b/i, write: 'the person who, or name who it is' },
  { pattern: /\bsomebody\b/i, write: 'an operator, a person, another user' },
  { pattern: /\bmeanwhile\b/i, write: 'say since or while what' },
  { pattern: /\bnone of (?:yours|its|theirs)\b/i, write: 'not yours, no access' },
  { pattern: /\bin words\b/i, write: 'as text' },
  { pattern: /\b(?:the|at) begin\b/i, write: 'the start' },
  { pattern: /\btold\b/i, write: 'reported, notified, distinguished' },
  { pattern: /\b(?:go|goes|going) on\b/i, write: 'continue' },
  { pattern: /\bbehind it\b/i, write: 'after it' },
  { pattern: /\b(?:that|those) of\b/i, write: 'the noun again, or a possessive' },
  { pattern: /\bthe other ones?\b/i, write: 'the other, and the noun again' },
  {
    pattern: /\b(?:stands?|stood) (?:in|on|for|beside|below|above|there|here)\b/i,
    write: 'is in, is listed, means',
  },
  {
    pattern: /(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|later\b|earlier\b|less\b|such\b)[a-z]/i,
    write: 'is not a',
  },
];

/** Among the parts of a name: `settledInput` has `settled` and `input`. */
export const avoidedNames: Readonly<Record<string, string>> = {
  mend: 'hint, fix',
  mends: 'hints, fixes',
  settle: 'finish, resolve, validate, resolveSetting',
  settled: 'finished, resolved, validated',
  settlement: 'result',
  happening: 'event',
  happenings: 'events',
  prepay: 'acquire',
  prepaid: 'acquired',
  paced: 'rateLimited',
  suspect: 'quarantine',
  suspects: 'quarantine',
  wish: 'request',
  wishes: 'options, requests',
  telling: 'statusUpdate',
  told: 'reported, notified',
  untold: 'unreported',
  looked: 'checked',
  looker: 'viewer',
  sight: 'readBack',
  surroundings: 'environment',
  scene: 'environment',
  plot: 'scenario',
  crew: 'workers',
  draft: 'rawFinding',
  drafts: 'rawFindings',
  circle: 'cycle',
  nought: 'zero',
  anew: 'again',
  said: 'status, kind, message',
  kick: 'startNext',
  piece: 'chunk, part',
  pieces: 'chunks, parts',
};

/** A limit's bounds are named `max…` and `min…`. */
export const avoidedNameStarts: readonly string[] = ['most', 'longest', 'shortest', 'least'];

/** Names and texts that may stay, each with its reason. */
export interface Exception {
  /** A path, or the start of several. */
  readonly file: string;
  /** The name, or a part of the line. */
  readonly text: string;
  readonly reason: string;
}

export const exceptions: readonly Exception[] = [
  { file: 'tools/lint/avoided-words.ts', text: '', reason: 'the list itself' },
  { file: 'client/', text: 'ettle', reason: 'promises settle, in the words of the language' },
  {
    file: 'test/client/interface/paging.test.ts',
    text: 'settled',
    reason: 'promises settle, in the words of the language',
  },
  { file: 'CHANGELOG.md', text: '`settle`', reason: 'names the command as it was' },
  { file: 'CHANGELOG.md', text: 'the other one', reason: 'an entry of version 0.2.0' },
  { file: 'lib/redis/connection/answer-watch.ts', text: 'isSettled', reason: 'a property of ioredis' },
  { file: 'tools/pictures/comment-page.ts', text: '<circle', reason: 'an element of SVG' },
  { file: 'worker/web/dashboard/assets/icon.ts', text: '<circle', reason: 'an element of SVG' },
];
