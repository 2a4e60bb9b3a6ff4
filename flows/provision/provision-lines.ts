import type { PartState, ProvisionPart } from './part.ts';

const signs: Readonly<Record<PartState, string>> = {
  missing: '+',
  created: '+',
  unseen: '?',
  same: '=',
  exists: '=',
  differs: '!',
  extra: '?',
};

const notes: Readonly<Partial<Record<PartState, string>>> = {
  unseen: 'the API does not show it; created if it does not exist',
  exists: 'exists; the API does not show its fields',
  extra: 'on the platform only; the API cannot delete it',
};

/**
 * Renders a set-up as lines: `+` is created, `=` exists, `!` differs from the file and cannot be changed, `?` cannot
 * be seen, or is on the platform only. Foreign text is not sanitized: the caller must do that before printing.
 */
export function provisionLines(parts: readonly ProvisionPart[], applied: boolean): string[] {
  const lines = parts.map(({ kind, name, state, differences }) => {
    const sentences = differences.map(
      ({ field, platform, file }) =>
        `${field} is ${JSON.stringify(platform ?? 'nothing')} on the platform, ${JSON.stringify(file)} in the file`,
    );
    const more = state === 'differs' ? `${sentences.join('; ')}; the API cannot change it` : notes[state];
    return `${signs[state]} ${kind} ${name}${more === undefined ? '' : `: ${more}`}`;
  });
  return [...lines, ...notCompared(parts), countLine(parts, applied)];
}

/** The fields that were not compared, because the API does not show them. */
function notCompared(parts: readonly ProvisionPart[]): string[] {
  const seen = (kind: ProvisionPart['kind']) =>
    parts.some((part) => part.kind === kind && (part.state === 'same' || part.state === 'differs'));
  const fields = [
    ...(seen('project') ? ['warehouse and agentDeploymentType of the project'] : []),
    ...(seen('environment') ? ['all but the runner of environments'] : []),
  ];
  return fields.length === 0 ? [] : [`Not compared, because the API does not show it: ${fields.join('; ')}.`];
}

function countLine(parts: readonly ProvisionPart[], applied: boolean): string {
  const of = (...states: PartState[]) => parts.filter(({ state }) => states.includes(state)).length;
  const counts = [
    ...(applied ? [`${String(of('created'))} created`] : [`${String(of('missing'))} to create`]),
    ...(of('unseen') > 0 ? [`${String(of('unseen'))} to create if missing`] : []),
    `${String(of('same', 'exists'))} existing`,
    `${String(of('differs'))} different`,
  ];
  return `${counts.join(', ')}.`;
}
