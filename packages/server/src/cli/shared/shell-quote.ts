/** Quotes an argument so that a shell takes it literally: a POSIX shell, or on Windows cmd and PowerShell. */
export function shellQuote(argument: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(argument) && (platform === 'win32' || !argument.includes('\\'))) return argument;
  return platform === 'win32' ? `"${argument}"` : `'${argument.replaceAll("'", "'\\''")}'`;
}
