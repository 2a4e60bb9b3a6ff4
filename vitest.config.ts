import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    coverage: {
      provider: 'v8',
      include: ['*/**/*.ts'],
      exclude: ['test/**', 'bench/**', 'examples/**', 'build/**', 'dist/**'],
    },
  },
});
