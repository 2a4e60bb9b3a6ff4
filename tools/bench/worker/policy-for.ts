export const benchProject = '3f0f9c52-7d1e-4b6a-9a53-1c2d3e4f5a6b';

/** The version of every promotion; it is live. */
export const benchVersion = 'v1.0.0';

/** A worker.yaml for one repository, with a rate limit of this many requests per minute. */
export function policyFor(perMinute: number): string {
  return `version: 1
credentials: { platform: { token-env: TOKEN, requests-per-minute: ${perMinute} } }
repositories:
  - { id: 77, name: example/warehouse, projects: [${benchProject}], credential: platform,
      branches: [main], tags: [], environments: [test], pipelines: ["**"] }
`;
}
