import { generateKeyPairSync } from 'node:crypto';
import type { AppSetting } from '../../environment/github/app.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  // The form in which GitHub hands keys out.
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});

export const appKey = privateKey;

/** An App that may do all that the worker needs. */
export const testApp: AppSetting = {
  id: 4711,
  publicKey,
  installation: 9001,
  permissions: { contents: 'read', checks: 'write', statuses: 'write', deployments: 'write' },
};
