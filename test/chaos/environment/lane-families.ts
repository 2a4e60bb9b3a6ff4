const familiesOf = { every: 10, latest: 2, cancel: 2 } as const;

/**
 * Families of tags: each starts a lane of its own and one that comes after it. More of the policy that takes one version
 * after the other, or its lanes would be all that is waited for.
 */
export const laneFamilies: readonly string[] = Object.entries(familiesOf).flatMap(([policy, count]) =>
  Array.from({ length: count }, (_, i) => `${policy}${i + 1}`),
);

/** The `lanes:` of millrace.yaml for all of them; the tags of a family begin with `v<family>-`. */
export const familyLanes: string = laneFamilies
  .map((family) => {
    const policy = family.replace(/\d+$/, '');
    return `
  - name: ${family}-test
    on: { push: { tags: ["v${family}-*"] } }
    from: dev
    to: test
    policy: ${policy}
    verify: [{ pipeline: daily/load, timeout: 1m }]
    on-failure: hold
  - name: ${family}-prod
    after: ${family}-test
    from: test
    to: prod
    policy: ${policy}
    verify: [{ pipeline: daily/load, timeout: 1m }]
    on-failure: hold
`;
  })
  .join('');
