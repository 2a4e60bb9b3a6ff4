import { generateKeyPairSync } from 'node:crypto';
import type { AppSetting } from '../../../local-github/apps/app.ts';

export const createAppKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    // The format of GitHub's keys.
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });

const { publicKey, privateKey } = createAppKey();

export const appKey = privateKey;

/** An App with all permissions that the worker needs. */
export const testApp: AppSetting = {
  id: 4711,
  publicKey,
  installation: 9001,
  permissions: { contents: 'read', checks: 'write', statuses: 'write', deployments: 'write' },
};
