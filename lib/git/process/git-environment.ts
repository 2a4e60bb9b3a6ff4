/**
 * The variables that git and its programs (ssh, credential helpers) need. All others are removed, because a job has
 * secrets under arbitrary names.
 */
const needed = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TZ',
  'LANG',
  'TMPDIR',
  'TMP',
  'TEMP',
  // Proxies, in upper and lower case, and their trusted certificates.
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'CURL_CA_BUNDLE',
  // Authentication at a remote: an agent, Kerberos, a keyring.
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'SSH_ASKPASS',
  'SSH_ASKPASS_REQUIRE',
  'KRB5CCNAME',
  'KRB5_CONFIG',
  'GNUPGHOME',
  'DBUS_SESSION_BUS_ADDRESS',
  // The places of the user's and the machine's settings.
  'XDG_CONFIG_HOME',
  'XDG_CONFIG_DIRS',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  // For a git that is installed outside of the system's folders.
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'DYLD_FALLBACK_LIBRARY_PATH',
  'NIX_SSL_CERT_FILE',
  // Without these no program starts on Windows.
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'USERNAME',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'MSYSTEM',
  // Git's own variables for its behaviour, but no variable that selects another repository.
  'GIT_EXEC_PATH',
  'GIT_TEMPLATE_DIR',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_SSH_VARIANT',
  'GIT_ASKPASS',
  'GIT_ALLOW_PROTOCOL',
  'GIT_PROXY_COMMAND',
  'GIT_CEILING_DIRECTORIES',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
  'GIT_ATTR_NOSYSTEM',
  'GIT_HTTP_PROXY_AUTHMETHOD',
  'GIT_HTTP_USER_AGENT',
]);

/** Git's settings by environment, its TLS settings, and the variables of its own tests. */
const neededFamilies = /^GIT_(?:CONFIG|SSL|TEST)_/;

/**
 * The environment of git processes: no variable redirects git to another repository, messages are in one language,
 * and there are no prompts and no secrets other than git's own.
 */
export function gitEnvironment(
  outside: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const kept = Object.entries(outside).filter(([key]) => {
    // Windows writes `Path`.
    const name = key.toUpperCase();
    return needed.has(name) || neededFamilies.test(name);
  });
  return { ...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
}
