/**
 * A whole commit id: 40 hex digits, or 64 in a SHA-256 repository. GitHub and git would read any other text as an
 * abbreviation or as the name of a branch, which proves nothing.
 */
export const commitIdPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
