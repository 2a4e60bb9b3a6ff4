/**
 * A whole commit id: 40 hex digits, 64 in a SHA-256 repository. GitHub and git take anything else for an abbreviation or
 * the name of a branch, which proves nothing.
 */
export const commitIdPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
