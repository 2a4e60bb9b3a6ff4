import { expect, test } from 'vitest';
import { webUrlOf } from '../../../../lib/github/access/web-url.ts';

test.each([
  ['https://api.github.com', 'https://github.com'],
  ['https://api.github.com/', 'https://github.com'],
  ['https://api.example.ghe.com', 'https://example.ghe.com'],
  ['https://github.example.com/api/v3', 'https://github.example.com'],
  ['https://github.example.com:8443/api/v3/', 'https://github.example.com:8443'],
  ['http://127.0.0.1:4000/proxy/api/v3', 'http://127.0.0.1:4000/proxy'],
])('the web pages of the API %s are at %s', (apiUrl, webUrl) => {
  expect(webUrlOf(apiUrl)).toBe(webUrl);
});
