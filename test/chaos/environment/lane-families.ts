const familiesOf = { every: 10, latest: 2, cancel: 2 } as const;

/** Families that promote to environments of others, too; all others have their own. */
const sharing: ReadonlySet<string> = new Set(['every10', 'latest2', 'cancel2']);

/**
 * Families of tags: each starts a lane of its own and one that comes after it. More of the policy that takes one version
 * after the other, or its lanes would be all that is waited for.
 */
export const laneFamilies: readonly string[] = Object.entries(familiesOf).flatMap(([policy, count]) =>
  Array.from({ length: count }, (_, i) => `${policy}${i + 1}`),
);

/** The environments of a family, in the order of promotion. */
export const targetsOf = (family: string): readonly [string, string] =>
  sharing.has(family) ? ['test', 'prod'] : [`test-${family}`, `prod-${family}`];

/** Whether lanes of other families promote to the environments of this one: each takes the place of what is live. */
export const isSharing = (family: string): boolean => sharing.has(family);

/** All their environments. */
export const familyTargets: readonly string[] = [...new Set(laneFamilies.flatMap(targetsOf))];

/** The `lanes:` of millrace.yaml for all of them; the tags of a family begin with `v<family>-`. */
export const familyLanes: string = laneFamilies
  .map((family) => {
    const policy = family.replace(/\d+$/, '');
    const [test, prod] = targetsOf(family);
    return `
  - name: ${family}-test
    on: { push: { tags: ["v${family}-*"] } }
    from: dev
    to: ${test}
    policy: ${policy}
    verify: [{ pipeline: daily/load, timeout: 1m }]
    on-failure: hold
  - name: ${family}-prod
    after: ${family}-test
    from: ${test}
    to: ${prod}
    policy: ${policy}
    verify: [{ pipeline: daily/load, timeout: 1m }]
    on-failure: hold
`;
  })
  .join('');
