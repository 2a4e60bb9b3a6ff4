import type { PartState, ProvisionPart } from './part.ts';

const signs: Readonly<Record<PartState, string>> = {
  missing: '+',
  created: '+',
  unseen: '?',
  same: '=',
  there: '=',
  differs: '!',
  extra: '?',
};

const words: Readonly<Partial<Record<PartState, string>>> = {
  unseen: 'the API does not show it; created if it is not there',
  there: 'is there; the API does not show what it holds',
  extra: 'on the platform only; the API cannot delete it',
};

/**
 * A set-up for a person to read: `+` comes, `=` is there, `!` is other than in the file and cannot be changed, `?` cannot be seen,
 * or is on the platform only. Foreign text is still as it came: whoever prints the lines makes it harmless.
 */
export function provisionLines(parts: readonly ProvisionPart[], applied: boolean): string[] {
  const lines = parts.map(({ kind, name, state, differences }) => {
    const said = differences.map(
      ({ field, platform, file }) =>
        `${field} is ${JSON.stringify(platform ?? 'nothing')} on the platform, ${JSON.stringify(file)} in the file`,
    );
    const more = state === 'differs' ? `${said.join('; ')}; the API cannot change it` : words[state];
    return `${signs[state]} ${kind} ${name}${more === undefined ? '' : `: ${more}`}`;
  });
  return [...lines, ...notCompared(parts), countLine(parts, applied)];
}

/** What is there and was not looked at, because the API does not show it. */
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
    ...(of('unseen') > 0 ? [`${String(of('unseen'))} to create if not there`] : []),
    `${String(of('same', 'there'))} there`,
    `${String(of('differs'))} different`,
  ];
  return `${counts.join(', ')}.`;
}
