/** Fields whose literal value must come back; of the others only presence and type. */
const exact = new Set([
  'behaviour',
  'commitHash',
  'enabled',
  'environmentName',
  'field',
  'name',
  'page',
  'projectId',
  'reviewStatus',
  'ruleName',
  'sharedPipelineId',
  'sharedPipelineIdPrefix',
  'size',
  'sourcePipeline',
  'status',
  'streamingPipelineId',
  'type',
  'value',
  'variableName',
  'versionName',
]);

/** Where an answer lacks something that the literal one has, or has another type or, where it counts, value. */
export function differencesOf(literal: unknown, actual: unknown, at = ''): string[] {
  if (literal === null) return actual === undefined ? [`${at} is missing`] : [];
  if (Array.isArray(literal)) {
    if (!Array.isArray(actual)) return [`${at} is not an array`];
    return literal.flatMap((item, index) => differencesOf(item, actual[index] as unknown, `${at}[${index}]`));
  }
  if (typeof literal === 'object' && literal !== undefined) {
    if (typeof actual !== 'object' || actual === null) return [`${at} is not an object`];
    const found = actual as Record<string, unknown>;
    return Object.entries(literal).flatMap(([key, value]) =>
      differencesOf(value, found[key], `${at}.${key}`),
    );
  }
  if (typeof literal !== typeof actual) return [`${at} is ${typeof actual}, not ${typeof literal}`];
  const key = at.split('.').at(-1) ?? '';
  if (exact.has(key) && literal !== actual)
    return [`${at} is ${JSON.stringify(actual)}, not ${JSON.stringify(literal)}`];
  return [];
}

const identifier = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Notes what the platform made in the place of each identifier that the literals have. */
export function learnIdentifiers(literal: unknown, actual: unknown, known: Map<string, string>): void {
  if (typeof literal === 'string' && typeof actual === 'string') {
    if (identifier.test(literal) && !known.has(literal)) known.set(literal, actual);
    return;
  }
  if (typeof literal !== 'object' || literal === null || typeof actual !== 'object' || actual === null)
    return;
  for (const [key, value] of Object.entries(literal)) {
    learnIdentifiers(value, (actual as Record<string, unknown>)[key], known);
  }
}
