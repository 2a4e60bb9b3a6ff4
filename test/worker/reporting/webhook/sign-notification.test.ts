import { expect, test } from 'vitest';
import { secretsProblem, signNotification } from '../../../../worker/reporting/webhook/sign-notification.ts';

test('the vector of Standard Webhooks comes out', () => {
  const headers = signNotification('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    now: 1_614_265_330_000,
  });
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('of several secrets each signs, so that one can replace the other', () => {
  const facts = { id: 'a', body: '{}', now: 0 };
  const both = signNotification('one\ntwo\n', facts)['webhook-signature'];
  const single = (secret: string) => signNotification(secret, facts)['webhook-signature'];
  expect(both).toBe(`${single('one')} ${single('two')}`);
});

test.each([
  ['', 'which is not set or is empty'],
  [' \n\t\n', 'which is not set or is empty'],
  ['whsec_', 'whose secret begins with whsec_, but what follows is empty'],
  ['whsec_****', 'whose secret begins with whsec_, but what follows is not Base64'],
  ['whsec_A', 'whose secret begins with whsec_, but what follows is not Base64'],
  ['plain\n\nwhsec_====', 'whose secret on line 3 begins with whsec_, but what follows is not Base64'],
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', undefined],
  ['whsec_AA', undefined],
  ['whsec_-_-_AA==', undefined],
  ['any text', undefined],
])('the secrets %j cannot sign: %s', (secrets, problem) => {
  expect(secretsProblem(secrets)).toBe(problem);
});
