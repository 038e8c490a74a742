const PLAIN = /^[\w@%+=:,./\\-]+$/;

/** A command line as a person would type it into a POSIX shell, for display only. */
export function displayCommand(program: string, args: readonly string[]): string {
  return [program, ...args.map(quote)].join(' ');
}

/** The arguments with Mortise's own, which are inserted before `--` and what follows it. */
export function withOwnArgs(args: readonly string[], ownArgs: readonly string[] = []): string[] {
  const dashes = args.indexOf('--');
  return dashes < 0 ? [...args, ...ownArgs] : [...args.slice(0, dashes), ...ownArgs, ...args.slice(dashes)];
}

function quote(arg: string): string {
  if (PLAIN.test(arg)) return arg;
  return `"${arg.replace(/["$`]/g, '\\$&')}"`;
}
