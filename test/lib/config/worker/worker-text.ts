export const project = '3f0f2c1e-0000-4000-8000-000000000001';

/** A worker.yaml that allows one repository what the tests need; lines count from `version` = 1. */
export const workerText = `version: 1
credentials:
  warehouse: { base-url: https://platform.example.com, token-env: WAREHOUSE_TOKEN }
repositories:
  - id: 42
    name: example/warehouse
    projects: [${project}]
    branches: [main, "release/*"]
    tags: ["v*"]
    environments: [test, prod]
    pipelines: ["daily/*"]
    credential: warehouse
    approvers: [ada, grace]
    gates:
      prod: { approvals: 1, soak: 30m, freeze: [{ days: [sun] }] }
`;
