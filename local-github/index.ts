export { buildRepository, type RepositoryBuilder } from './git/bare-repository-builder.ts';
export { type GitHub, type GitHubOptions, startGitHub } from './server/start-github.ts';
