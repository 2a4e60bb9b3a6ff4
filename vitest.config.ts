import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/**/fixtures/**'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    coverage: {
      provider: 'v8',
      include: ['*/**/*.ts'],
      exclude: ['test/**', 'bench/**', 'demo/**', 'docs/**', 'examples/**', 'build/**', 'dist/**'],
    },
  },
});
