/** Whether a path matches. */
export type PathMatcher = (path: string) => boolean;

/** More alternatives than any real pattern has; `{a,b}{a,b}{a,b}…` doubles with each pair. */
const maxAlternatives = 1024;

/**
 * Compiles a glob over paths with forward slashes: `*` and `?` within a segment, `**` for any number of folders (also
 * none), `{a,b}` for alternatives. A segment that starts with a dot matches only a pattern with that dot. Everything
 * else is literal. The time is bounded for every pattern, because it may come from a foreign repository. Throws
 * RangeError if the braces expand to more than 1024 alternatives.
 */
export function compileGlob(glob: string): PathMatcher {
  const patterns = expandBraces(glob.replace(/^\.\//, '')).map((pattern) => pattern.split('/'));
  return (path) => {
    const segments = path.split('/');
    return patterns.some((pattern) => matchSegments(pattern, segments));
  };
}

/** Row by row: `reached[j]` is true if the pattern so far matches the first j segments. */
function matchSegments(pattern: readonly string[], segments: readonly string[]): boolean {
  let reached = [true, ...segments.map(() => false)];
  for (const part of pattern) {
    const next = reached.map(() => false);
    for (let j = 0; j <= segments.length; j += 1) {
      const segment = segments[j - 1];
      if (part === '**') {
        next[j] =
          reached[j] === true || (segment !== undefined && next[j - 1] === true && !segment.startsWith('.'));
      } else {
        next[j] = segment !== undefined && reached[j - 1] === true && matchSegment(part, segment);
      }
    }
    reached = next;
  }
  return reached[segments.length] === true;
}

/** Greedy; backtracks only to the last `*`, so it is linear in practice and never exponential. */
function matchSegment(pattern: string, segment: string): boolean {
  if (segment.startsWith('.') && !pattern.startsWith('.')) return false;
  const patternLetters = Array.from(pattern);
  const letters = Array.from(segment);
  let [p, s, star, resume] = [0, 0, -1, 0];
  while (s < letters.length) {
    if (patternLetters[p] === '*') {
      star = p;
      resume = s;
      p += 1;
    } else if (p < patternLetters.length && (patternLetters[p] === '?' || patternLetters[p] === letters[s])) {
      p += 1;
      s += 1;
    } else if (star >= 0) {
      p = star + 1;
      resume += 1;
      s = resume;
    } else {
      return false;
    }
  }
  while (patternLetters[p] === '*') p += 1;
  return p === patternLetters.length;
}

/** `a{b,c{d,e}}` → `ab`, `acd`, `ace`. Unclosed braces and braces without a comma are literal. */
function expandBraces(glob: string): string[] {
  const group = firstGroup(glob);
  if (group === undefined) return [glob];
  const [before, alternatives, after] = group;
  const tails = expandBraces(after);
  const expanded = alternatives
    .flatMap((alternative) => expandBraces(alternative))
    .flatMap((alternative) => tails.map((tail) => before + alternative + tail));
  if (expanded.length > maxAlternatives)
    throw new RangeError(`its braces expand to more than ${maxAlternatives} alternatives`);
  return expanded;
}

function firstGroup(glob: string): [before: string, alternatives: string[], after: string] | undefined {
  for (let open = glob.indexOf('{'); open >= 0; open = glob.indexOf('{', open + 1)) {
    const commas = [open];
    let depth = 0;
    for (let i = open; i < glob.length; i += 1) {
      if (glob[i] === '{') depth += 1;
      else if (glob[i] === ',' && depth === 1) commas.push(i);
      else if (glob[i] === '}' && (depth -= 1) === 0) {
        if (commas.length === 1) break;
        const ends = [...commas.slice(1), i];
        return [
          glob.slice(0, open),
          commas.map((from, n) => glob.slice(from + 1, ends[n])),
          glob.slice(i + 1),
        ];
      }
    }
  }
  return undefined;
}
