import { withoutSettings } from '@mortise/plugin/runtime';

/** Platform module: what a program needs of its surroundings to run at all. Windows' list is untried. */
const USUAL =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'COMSPEC',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'PROCESSOR_ARCHITECTURE',
        'PROGRAMDATA',
        'PROGRAMFILES',
        'PROGRAMFILES(X86)',
        'PROGRAMW6432',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'TMP',
        'USERNAME',
        'USERPROFILE',
        'WINDIR',
      ]
    : ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'];

const LOCALE = /^LC_[A-Z]+$/;

/** The environment of a mounted server: an allow-list of the server's own, and what its entry names. */
export function mountedEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  named: Readonly<Record<string, string>> = {},
): Record<string, string> {
  // Windows spells PATH as Path, and takes both.
  const usual = Object.entries(withoutSettings(own)).filter(
    ([name]) => USUAL.includes(name.toUpperCase()) || LOCALE.test(name),
  );
  return { ...Object.fromEntries(usual), ...named };
}
