/** The path to which GitHub sends people back after they authorized the sign-in. It must be registered on GitHub. */
export const callbackPath = '/session/github/callback';
