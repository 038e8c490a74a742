/** The output of `dotnet --info` as data. */
export function parseInfo(stdout: string): object {
  const field = (name: string) => new RegExp(`^\\s*${name}:\\s*(.+?)\\s*$`, 'm').exec(stdout)?.[1];
  const present = (name: string, value: string | undefined) => value !== undefined && { [name]: value };
  const globalJson = /^global\.json file:\r?\n\s+(.+?)\s*$/m.exec(stdout)?.[1];
  return {
    version: field('Version') ?? '',
    ...present('commit', field('Commit')),
    ...present('rid', field('RID')),
    ...(field('OS Name') && { os: `${field('OS Name')} ${field('OS Version') ?? ''}`.trim() }),
    ...present('basePath', field('Base Path')),
    sdks: [...stdout.matchAll(/^ {2}(\d\S*) \[(.+)\]\r?$/gm)].map(([, version, path]) => ({ version, path })),
    runtimes: [...stdout.matchAll(/^ {2}([A-Z]\S*) (\d\S*) \[(.+)\]\r?$/gm)].map(([, name, version, path]) => ({
      name,
      version,
      path,
    })),
    ...(globalJson !== undefined && globalJson !== 'Not found' && { globalJsonPath: globalJson }),
  };
}
